// Finds out the behaviours of the user's application, and writes them to chatform-behaviours.json.

import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Application } from '../../core/app/context/application.ts';
import { type Connection, connect } from '../../core/app/context/connect.ts';
import { saveOutput } from '../../core/app/context/output-files.ts';
import { ownFile } from '../../core/app/context/own-file.ts';
import type { ApplicationOverrides, Ports } from '../../core/app/context/ports.ts';
import { applicationToWrite } from '../../core/app/opening/folder-application.ts';
import { type BehavioursFile, behavioursFileName } from '../../core/model/behaviours.ts';
import { Refusal } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import type { Method } from '../../core/model/request.ts';
import { limitsOf } from '../../core/platform/limits.ts';
import { createPacer } from '../../core/platform/rate-limiter.ts';
import { digestText } from '../../lib/digest.ts';
import { writeWhole } from '../../lib/durable-files.ts';
import { isList, isObject } from '../../lib/json.ts';
import { version } from '../../version.ts';
import { readSize } from './application-size.ts';
import { picture, pictureName, type ScratchNames, type ScratchObject, scratchKinds } from './calls.ts';
import {
  type Examination,
  examine,
  newNames,
  objectsToMake,
  removeScratch,
  type ScratchJournal,
} from './examination.ts';
import { type DeclaredCalls, declaredLimitsOf, longestWindowS } from './limit-probes.ts';
import { foundation } from './object-questions.ts';
import { burstsOfPlanLimits } from './plan-limits-probe.ts';
import { questions } from './probe-table.ts';
import { burstsOfUserScope, invitedRoute } from './user-scope-probe.ts';
import { burstsOfWindow, renamedRoute } from './window-probe.ts';

/** What a calibration is about to do, before its first change. */
export interface CalibrationIntent {
  readonly application: string;
  /** All scratch objects begin with it. */
  readonly nameSpace: string;
  readonly objects: ReturnType<typeof objectsToMake>;
  /** Objects that a killed run left, which are removed first. */
  readonly leftovers: number;
  readonly cost: Cost;
}

export interface CalibrationOptions extends ApplicationOverrides {
  /** The file to write. Default: chatform-behaviours.json in the working folder. */
  readonly out?: string | undefined;
  /** Whether the application may have more than `mostUsers` users. */
  readonly isAnySize?: boolean | undefined;
}

export interface CalibrationReport extends Omit<Examination, 'results'> {
  readonly behaviours: BehavioursFile;
  readonly file: string;
}

/**
 * `approve` is called before the first change and refuses by throwing. Refused for an application with too many users (5),
 * and as `examine` and `removeScratch` are.
 */
export async function calibratePlatform(
  options: CalibrationOptions,
  ports: Ports,
  approve: (intent: CalibrationIntent) => Promise<void>,
): Promise<CalibrationReport> {
  const application = await applicationToWrite(options, ports);
  const stop = new AbortController();
  const forget = ports.onInterrupt(() => {
    ports.notify({ type: 'run-stopping' });
    stop.abort();
  });
  const files = (name: string) => (name === pictureName ? picture : undefined);
  const connection = await connect(application, ports, { files });
  try {
    return await examineWith(application, connection, options, ports, stop.signal, approve);
  } finally {
    forget();
    await connection.close();
  }
}

async function examineWith(
  application: Application,
  { platform }: Connection,
  { isAnySize = false, out = behavioursFileName }: CalibrationOptions,
  { clock, random, cwd }: Ports,
  signal: AbortSignal,
  approve: (intent: CalibrationIntent) => Promise<void>,
): Promise<CalibrationReport> {
  // The slowest behaviours of the limits are never too fast.
  const limits = limitsOf({ ...application.rates, known: { planLimits: 'method', userScope: 'application' } });
  const pacer = createPacer({ limitsOf: limits, clock });
  if (out === behavioursFileName) ownFile(cwd, 'behaviours');
  const journal = journalFile(cwd, application.identity);
  const declaredLimits = declaredLimitsOf(limits);
  const examination = { platform, pacer, clock, random, journal, declaredLimits };
  const leftovers = await journal.read();
  const names = newNames(random, clock.date());
  const seen = await readSize({ ...examination, signal }, isAnySize);
  const objects = objectsToMake(names);
  await approve({
    application: application.identity,
    nameSpace: names.space,
    objects,
    leftovers: leftovers.length,
    cost: costOf(names, {
      limitOf: declaredLimits,
      windowS: seen?.windowS ?? 1,
      hasHeaders: seen !== undefined,
      objects: Object.values(objects).reduce((total, count) => total + count, 0),
    }),
  });
  await removeScratch(examination);
  const { results, ...figures } = await examine(names, { ...examination, signal });
  const behaviours: BehavioursFile = {
    format_version: '1.0',
    application: application.identity,
    date: clock.date().toISOString(),
    chatform: version,
    behaviours: results,
  };
  await saveOutput('behaviours', cwd, out, `${JSON.stringify(behaviours, undefined, 2)}\n`, 0o644);
  return { behaviours, file: out, ...figures };
}

/** One file for each application, so that a run against another application does not replace it. */
function journalFile(cwd: string, application: string): ScratchJournal {
  const digits = digestText(application).slice(-12);
  const file = ownFile(cwd, 'calibration', digits);
  return {
    read: async () => {
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '{"application":"","made":[]}';
        throw error;
      });
      return madeIn(text, file, application);
    },
    write: async (made) => {
      if (made.length === 0) await rm(file, { force: true });
      else {
        await mkdir(dirname(file), { recursive: true });
        await writeWhole(file, `${JSON.stringify({ application, made })}\n`);
      }
    },
  };
}

function madeIn(text: string, file: string, application: string): readonly ScratchObject[] {
  try {
    const note: unknown = JSON.parse(text);
    if (isObject(note) && isList(note.made) && (note.made.length === 0 || note.application === application)) {
      const made: readonly unknown[] = note.made;
      if (made.every(isScratch)) return made;
    }
  } catch {
    // Reported below like any other damage.
  }
  throw new Refusal(
    'calibrate.journal',
    exitCode.conflict,
    `${file} is not a record of chatform calibrate for ${application}.`,
    'The file lists the objects of an earlier run. Remove objects that begin with chatform-calibrate- in the dashboard, then delete the file.',
  );
}

const scratchId = /^chatform-calibrate-[a-z0-9]{8}(?:-[a-z-]+)?$/u;

function isScratch(value: unknown): value is ScratchObject {
  if (!isObject(value) || typeof value.kind !== 'string' || typeof value.id !== 'string') return false;
  return Object.hasOwn(scratchKinds, value.kind) && scratchId.test(value.id);
}

/** What the first answer of the platform shows. */
interface CostBasis {
  readonly limitOf: DeclaredCalls;
  readonly windowS: number;
  readonly hasHeaders: boolean;
  /** The objects that are removed at the end. */
  readonly objects: number;
}

interface Cost {
  readonly calls: number;
  readonly seconds: number;
}

/** The rest around a burst, in windows. */
const burstWindows = 3.6;
/** The time of an answer, which calls in a row wait for. */
const answerS = 0.15;

/** An upper bound of the calls, if no response is lost. */
function costOf(names: ScratchNames, { limitOf, windowS, hasHeaders, objects }: CostBasis): Cost {
  const lines = [
    ...foundation,
    ...questions.flatMap(({ makes = [], asks }) => [...makes, ...(typeof asks === 'function' ? asks([], []) : asks)]),
  ];
  const methods = [...lines.map((line) => names.request(line).method), ...Array<Method>(objects).fill('DELETE')];
  const waitsS = questions.reduce((total, { waitMs = 0 }) => total + waitMs / 1000, 0);
  const pacedS = (['GET', 'POST', 'PUT', 'DELETE'] as const).reduce(
    (total, method) => total + (methods.filter((other) => other === method).length * windowS) / limitOf(method),
    0,
  );
  const bursts =
    windowS > longestWindowS
      ? []
      : [
          ...burstsOfWindow({ plan: limitOf('PUT'), rule: limitOf('PUT', renamedRoute) }, hasHeaders),
          ...burstsOfPlanLimits(limitOf('PUT'), hasHeaders),
          ...burstsOfUserScope({ plan: limitOf('POST'), rule: limitOf('POST', invitedRoute) }, hasHeaders),
        ];
  const ofBursts = bursts.reduce((total, calls) => total + calls, 0);
  return {
    calls: methods.length + ofBursts,
    seconds: waitsS + Math.max(pacedS, methods.length * answerS) + bursts.length * windowS * burstWindows,
  };
}
