// Determines the behaviours of a platform: creates scratch objects, asks every question, and removes the objects.

import { type BehaviourName, behaviours } from '../../core/model/behaviours.ts';
import { Refusal } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import { platformCode } from '../../core/model/platform-codes.ts';
import { madeBy, ScratchNames, type ScratchObject, scratchKinds } from './calls.ts';
import { Laboratory, type LaboratoryPorts } from './laboratory.ts';
import { type DeclaredCalls, measureLimits } from './limit-probes.ts';
import { foundation } from './object-questions.ts';
import { questions, undecidable } from './probe-table.ts';
import { ask, type Results } from './question.ts';

/** Records the objects that a run has created or is about to create. The record must survive a kill. */
export interface ScratchJournal {
  read(): Promise<readonly ScratchObject[]>;
  write(made: readonly ScratchObject[]): Promise<void>;
}

export interface ExaminationPorts extends LaboratoryPorts {
  readonly journal: ScratchJournal;
  readonly declaredLimits: DeclaredCalls;
}

export interface Examination {
  readonly results: Results;
  readonly left: readonly ScratchObject[];
  readonly calls: number;
  readonly durationMs: number;
}

const spacePrefix = 'chatform-calibrate-';
const spaceLength = 8;

/** The messages of a run are from just before it, so that no retention hides them. */
const messagesBeforeMs = 15 * 60_000;

export function newNames(random: () => number, now: Date): ScratchNames {
  return new ScratchNames(
    spacePrefix + Array.from({ length: spaceLength }, () => Math.floor(random() * 36).toString(36)).join(''),
    now.getTime() - messagesBeforeMs,
  );
}

/** The name space of an object, whichever version made it: `chatform-calibrate-abcdefgh-ann`. */
function spaceOf({ id }: ScratchObject): string {
  return id.split('-').slice(0, 3).join('-');
}

/** The number of objects of each kind that an examination makes at most. */
export function objectsToMake(names: ScratchNames): Readonly<Record<ScratchObject['kind'], number>> {
  const lines = [
    ...foundation,
    ...questions.flatMap(({ makes = [], asks }) => [...makes, ...(typeof asks === 'function' ? asks([], []) : asks)]),
  ];
  const objects = lines.flatMap((line) => madeBy(names.request(line)) ?? []);
  const made = new Map(objects.map(({ kind, id }) => [`${kind} ${id}`, kind]));
  const counts = { user: 0, group_channel: 0, open_channel: 0, settings: 0 };
  for (const kind of made.values()) counts[kind] += 1;
  return counts;
}

export interface ScratchRemoval {
  /** The objects that the platform refuses to remove. The journal keeps them for a later run. */
  readonly left: readonly ScratchObject[];
  readonly calls: number;
}

/** Answers for an object that does not exist. */
const absent: ReadonlySet<number> = new Set([0, platformCode.notFound, platformCode.noLongerThere]);

/** Removes the objects that the journal names. */
export async function removeScratch(ports: ExaminationPorts): Promise<ScratchRemoval> {
  const objects = await ports.journal.read();
  const remaining: ScratchObject[] = [];
  let calls = 0;
  for (const [kind, { path }] of Object.entries(scratchKinds)) {
    for (const object of objects.filter((object) => object.kind === kind)) {
      const space = spaceOf(object);
      const lab = new Laboratory(new ScratchNames(space), ports, async () => {});
      const { code } = await lab.call(`DELETE ${path}/${object.id.replace(space, '@').replace('@-', '@')}`);
      if (!absent.has(code)) remaining.push(object);
      calls += lab.calls;
    }
  }
  if (objects.length > 0) await ports.journal.write(remaining);
  return { left: remaining, calls };
}

/**
 * Removes everything that it made, also when it fails or is interrupted. Refused if the token is refused (3), the first
 * objects cannot be made (4), no answer arrives (1), or after an interrupt (8). If the removal fails, the journal keeps them.
 */
export async function examine(names: ScratchNames, ports: ExaminationPorts): Promise<Examination> {
  const startedAt = ports.clock.now();
  const kept = await ports.journal.read();
  const made = new Map<string, ScratchObject>();
  const lab = new Laboratory(names, ports, async (object) => {
    const key = `${object.kind} ${object.id}`;
    if (made.has(key)) return;
    made.set(key, object);
    await ports.journal.write([...kept, ...made.values()]);
  });
  const results: Results = {};
  // The removal has no signal, because an interrupt must not stop it.
  const { signal: _interrupt, ...removalPorts } = ports;
  const failure = await probe(lab, results, ports.declaredLimits).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const removal = await removeScratch(removalPorts).catch((error: unknown) => {
    throw error instanceof Refusal ? notRemoved(error) : error;
  });
  if (failure !== undefined)
    throw failure.error instanceof Refusal ? endedEarly(failure.error, removal) : failure.error;
  const ordered = Object.keys(behaviours).flatMap((name) => {
    const result = results[name as BehaviourName];
    return result === undefined ? [] : [[name, result] as const];
  });
  return {
    results: Object.fromEntries(ordered),
    left: removal.left,
    calls: lab.calls + removal.calls,
    durationMs: ports.clock.now() - startedAt,
  };
}

async function probe(lab: Laboratory, results: Results, declaredLimits: DeclaredCalls): Promise<void> {
  for (const line of foundation) {
    const { route, code, isRepeated } = await lab.call(line);
    if (code !== 0 && !isRepeated) throw cannotMake(route, code);
  }
  for (const question of questions) results[question.reading] = await ask(question, lab, results);
  Object.assign(results, await measureLimits(lab, declaredLimits));
  for (const [name, because] of Object.entries(undecidable)) results[name as BehaviourName] = { undecided: because };
}

/** The calls of a calibration are refused in the words of a read, which has changed nothing. This has. */
function endedEarly(cause: Refusal, { left }: ScratchRemoval): Refusal {
  if (cause.code === 'calibrate.cannot-make') return cause;
  const message = cause.exitCode === exitCode.interrupted ? 'The calibration was interrupted.' : cause.message;
  const rest = left.length === 0 ? 'removed again' : 'removed, except for those that the platform refuses to remove';
  const advice = `The objects that it had made were ${rest}. No behaviours were written. Run chatform calibrate again.`;
  return new Refusal(cause.code, cause.exitCode, message, advice, { cause });
}

function notRemoved(cause: Refusal): Refusal {
  return new Refusal(
    'calibrate.leftovers',
    cause.exitCode,
    `The objects of this run could not be removed. ${cause.message}`,
    'Run chatform calibrate again in this folder. It removes the objects first.',
    { cause },
  );
}

function cannotMake(route: string, code: number): Refusal {
  return new Refusal(
    'calibrate.cannot-make',
    exitCode.incomplete,
    `The platform refuses ${route} with code ${code}, so the application cannot be examined.`,
    'Nothing is left on the platform. Use an application whose plan allows a few more users and channels.',
  );
}
