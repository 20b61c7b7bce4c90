// An apply in stages (--stage): which steps are in which stage, which gates have passed, and what state remembers of both, so that
// the same command continues after a kill (semantics §16).
import { digestOf } from '../../../lib/digest.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { MappedSeries } from '../../../lib/series.ts';
import { Suggestions } from '../../../lib/suggestions.ts';
import type { Address } from '../../model/address.ts';
import { objectSeries } from '../../model/addressed-series.ts';
import { Refusal, usage } from '../../model/errors.ts';
import type { ApplyEvent } from '../../model/event.ts';
import type { Plan } from '../../model/plan.ts';
import type { Clock, StateSnapshot, StateWriter } from '../../model/ports.ts';
import type { ApplyReport, StopCause } from '../../model/report.ts';
import { stagesAddress } from '../../model/run-metadata.ts';
import type { GateOutcome, GateReport, PlannedStage, ReportedStage } from '../../model/stages/stages.ts';
import { boundsOf, type StageBounds, type StagedPlan, type StageSelection, stagesOf } from '../../planner/stages.ts';
import { registry } from '../../resources/index.ts';
import { keptRuns } from '../context/before-values.ts';
import { readRuns } from '../context/trail.ts';
import { demandMatched, readTarget } from '../plans/targets.ts';

export interface StageOptions {
  /** Kinds, addresses, globs of addresses, or `10%`. Empty: the plan is applied as a whole. */
  readonly stages?: readonly string[] | undefined;
  /** The command line that decides after each stage whether the next one begins. */
  readonly gate?: string | undefined;
  /** Default: ten minutes. */
  readonly gateTimeoutMs?: number | undefined;
  /** Whether the messages of each stage are verified before the next one begins. */
  readonly verify?: boolean | undefined;
}

/** Refused (64) for options without a stage or without a gate, and for texts of another form. One refusal names all of them. */
export function readStages({
  stages = [],
  gate,
  gateTimeoutMs,
  verify = false,
}: StageOptions): readonly StageSelection[] {
  const problems: string[] = [];
  if (stages.length === 0) problems.push('--gate needs --stage: without a first part, there is nothing to decide.');
  else if (gate === undefined && !verify)
    problems.push('--stage needs --gate or --verify, which decides whether the rest is applied.');
  if (gate?.trim() === '') problems.push('--gate contains only spaces, and a command of nothing always passes.');
  if (gateTimeoutMs === 0) problems.push('--gate-timeout 0s gives the command no time, so no gate would pass.');
  return selectionsOf(stages, problems);
}

function selectionsOf(stages: readonly string[], problems: string[]): readonly StageSelection[] {
  const selections = stages.flatMap((text): StageSelection[] => {
    try {
      return [selectionOf(text)];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.push(error.message);
      return [];
    }
  });
  if (problems.length > 0) throw usage(problems.join(' '), `Nothing was done. ${stageForms}`);
  return selections;
}

const stageForms =
  "A stage is a kind (custom_type), an address or a pattern ('group_channel.support-*'), or whole channels as a share of the plan (10%).";

function selectionOf(text: string): StageSelection {
  if (text.includes('%')) {
    const percent = Number(/^(\d+)\s*%$/u.exec(text)?.[1]);
    if (percent >= 1 && percent <= 99) return { type: 'share', text, percent };
    throw usage(`--stage "${text}" is not a whole number of percent from 1 to 99.`, stageForms);
  }
  const kind = registry.find(({ name, section }) => name === text || section === text);
  if (kind !== undefined)
    return { type: 'objects', text, isKind: true, matches: (address) => address.startsWith(`${kind.name}.`) };
  if (text.includes('.')) return { type: 'objects', ...readTarget(text, '--stage') };
  const kinds = registry.map(({ name }) => name);
  throw usage(`--stage "${text}" is not a kind.${new Suggestions().sentence(text, kinds)}`, stageForms);
}

/** What asks whether the next stage may begin. */
export interface GateQuestion {
  /** From 1. */
  readonly stage: number;
  readonly select: string;
  /** Whether the steps of an object are in a later stage. */
  isLater(address: Address): boolean;
  readonly signal: AbortSignal;
}

export interface GateAnswer {
  readonly outcome: Exclude<GateOutcome, 'passed_before'>;
  readonly why?: string;
}

/** What one apply in stages is, whichever part of it is done. */
export interface Staging {
  readonly selections: readonly StageSelection[];
  /** Identifies what is to be applied: that of a saved plan, or of what the manifests declare. */
  readonly request: string;
  /** The command and whether messages are verified. Another gate asks again. */
  readonly gate: JsonObject;
  /** The declared objects, which a part may name although the plan does not change them. Absent for a saved plan. */
  readonly declared?: Iterable<{ readonly address: Address }> | undefined;
}

/** As state remembers it. */
interface StagesRecord {
  /** The digest of the request and the selections. */
  readonly of: string;
  readonly bounds: StageBounds;
  /** The numbers of its runs (`Begun.keeps`). */
  readonly runs: readonly number[];
  /** By stage, the digest of the gate that passed, or `nothingToAsk`. */
  readonly passed: readonly (string | null)[];
}

/** In place of the digest of a gate: the stage never had a step. */
const nothingToAsk = 'nothing';

export interface DividedPlan extends StagedPlan {
  readonly record: StagesRecord;
}

/**
 * How a plan is divided, also after an interruption, which the state remembers. Refused (64) in a new apply for a pattern that matches nothing in the
 * plan, in state or declared. Without a state, the plan alone cannot show that.
 */
export function dividedPlan(
  { steps }: Pick<Plan, 'steps'>,
  state: StateSnapshot | undefined,
  { selections, request, declared = [] }: Omit<Staging, 'gate'>,
): DividedPlan {
  const of = digestOf([request, ...selections.map(({ text }) => text)]);
  const recordBefore = state === undefined ? undefined : recordOf(state, of);
  const bounds = recordBefore?.bounds ?? boundsOf(steps, selections);
  const divided = stagesOf(steps, selections, bounds);
  const asked = divided.stages.slice(0, -1).map(({ steps: count }) => (count === 0 ? nothingToAsk : null));
  const record = recordBefore ?? { of, bounds, runs: [], passed: asked };
  if (recordBefore === undefined && state !== undefined) {
    const sources = [steps, objectSeries(state.records()), declared];
    const unmatched = selections.filter(
      (selection) =>
        selection.type === 'objects' && selection.isKind !== true && !sources.some((side) => hasMatch(side, selection)),
    );
    demandMatched(
      unmatched.map(({ text }) => text),
      '--stage',
      sources,
    );
  }
  const stages = divided.stages.map((stage, place): PlannedStage => {
    const isBeforeNothing = divided.stages.slice(place + 1).every(({ steps: count }) => count === 0);
    const hasGate = place < selections.length && record.passed[place] !== nothingToAsk && !isBeforeNothing;
    return hasGate || place === selections.length ? stage : { ...stage, no_gate: true };
  });
  return { ...divided, stages, record };
}

function hasMatch(
  objects: Iterable<{ readonly address: Address }>,
  { matches }: { matches(address: Address): boolean },
): boolean {
  for (const { address } of objects) if (matches(address)) return true;
  return false;
}

/** Commands that leave objects and declarations as they are. */
const harmless: ReadonlySet<string> = new Set(['state unlock', 'state rekey']);

/** Undefined if this apply is new: state knows another one, or another command has changed the state since its last run. */
function recordOf(state: StateSnapshot, of: string): StagesRecord | undefined {
  const record = state.get(stagesAddress)?.attributes as unknown as StagesRecord | undefined;
  if (record === undefined || record.of !== of) return undefined;
  const last = Math.max(...record.runs);
  const others = readRuns(state).filter(({ number, keeps = 0 }) => number >= last && !record.runs.includes(keeps));
  return others.every(({ command }) => harmless.has(command)) ? record : undefined;
}

interface StagedRunPorts {
  readonly state: StateWriter;
  readonly clock: Clock;
  readonly emit: (event: ApplyEvent) => void;
  /** See `Begun.keeps`. */
  readonly run: number;
  readonly keepGoing: boolean;
  ask(question: GateQuestion): Promise<GateAnswer>;
}

/** One run of an apply in stages, for the applier. */
export class StagedRun {
  readonly stageOf: Uint16Array;
  readonly #plan: StagedPlan;
  readonly #ports: StagedRunPorts;
  readonly #gate: string;
  readonly #gates: GateReport[] = [];
  #record: StagesRecord;
  #written: Promise<void> | undefined;

  constructor(plan: DividedPlan, staging: Staging, ports: StagedRunPorts) {
    const { stageOf, record } = plan;
    this.#plan = plan;
    this.stageOf = stageOf;
    this.#ports = ports;
    this.#gate = digestOf(staging.gate);
    this.#record = { ...record, runs: [...record.runs, ports.run] };
  }

  /** Durable before the first step. To be called before the trail is written, so that no trail has a run that the record lacks. */
  write(): Promise<void> {
    const attributes = { ...this.#record } as unknown as JsonObject;
    this.#written = this.#ports.state.done(`${stagesAddress}#put`, {
      type: 'put',
      record: { address: stagesAddress, attributes },
    });
    return this.#written;
  }

  async passes(
    stage: number,
    incomplete: number,
    signal: AbortSignal,
  ): Promise<{ readonly why: string; readonly cause?: StopCause } | undefined> {
    const { clock, emit, keepGoing, ask } = this.#ports;
    if (this.#record.passed[stage] === this.#gate) {
      this.#gates[stage] = { outcome: 'passed_before' };
      return undefined;
    }
    const { select = '', no_gate: hasNoGate = false } = this.#plan.stages[stage] ?? {};
    if (hasNoGate) return undefined;
    const name = `stage ${stage + 1} (${select})`;
    if (incomplete > 0 && !keepGoing)
      return { why: `${name} is not complete, so its gate was not asked; --keep-going asks it` };
    await this.#written;
    emit({ type: 'gate.started', stage: stage + 1, select });
    const startedMs = clock.now();
    const isLater = (address: Address) => this.#plan.stageOfObject(address) > stage;
    const answer = await ask({ stage: stage + 1, select, isLater, signal });
    const took_s = Math.round(clock.now() - startedMs) / 1000;
    this.#gates[stage] = { ...answer, took_s };
    emit({ type: 'gate.ended', stage: stage + 1, ...answer, took_s });
    const isPassed = answer.outcome === 'passed';
    if (isPassed)
      this.#record = {
        ...this.#record,
        passed: this.#record.passed.map((passedDigest, place) => (place === stage ? this.#gate : passedDigest)),
      };
    // Whatever the gate says: somebody may have taken the lock, or removed the state, while it ran.
    await this.write();
    if (!isPassed) return { why: `the gate after ${name} did not pass`, cause: 'gate' };
    return undefined;
  }

  /** Completes the report, and forgets an apply that is done. To be called before the trail is completed. */
  async ended(report: ApplyReport): Promise<ApplyReport> {
    const { state } = this.#ports;
    // The error of an unwritable state is already reported.
    if (report.outcome === 'done')
      await state.done(`${stagesAddress}#delete`, { type: 'delete', address: stagesAddress }).catch(() => undefined);
    const stages = this.#plan.stages.map(({ named: _named, ...stage }, place): ReportedStage => {
      const gate = this.#gates[place];
      return gate === undefined ? stage : { ...stage, gate };
    });
    const toUndo = report.stop_cause === 'gate' ? this.#runsToUndo(report) : [];
    return { ...report, stages, ...(toUndo.length === 0 ? {} : { to_undo: toUndo }) };
  }

  /** The runs of this apply that changed something and whose before-values are kept, by their numbers in the trail, the last one first. */
  #runsToUndo({ steps }: ApplyReport): number[] {
    const { state, run } = this.#ports;
    const keptNumbers = new Set(keptRuns(state).map(({ run: keeps }) => keeps));
    // The trail shows this run, which has not ended, as open.
    return readRuns(state)
      .filter(({ keeps = 0 }) => this.#record.runs.includes(keeps) && keptNumbers.has(keeps))
      .filter(({ keeps, counts }) => (keeps === run ? steps.succeeded : counts?.succeeded) !== 0)
      .map(({ number }) => number)
      .reverse();
  }
}

/** Divides a plan as an apply with these --stage would. Refused (64) for texts of another form. */
export function dividing(stages: readonly string[]) {
  const selections = selectionsOf(stages, []);
  /** Without a state, as a new apply of a saved plan does. With one, refused (64) for a pattern that matches nothing. */
  return (plan: Plan, state?: StateSnapshot, request = plan.hash, declared?: Staging['declared']): Plan =>
    withStages(plan, dividedPlan(plan, state, { selections, request, declared }));
}

/** Adds its stages to a plan for people. `gate` is the gate of the apply. Absent: not known yet. */
export function withStages(
  plan: Plan,
  { stages, record, stageOfSteps }: DividedPlan,
  { gate }: Partial<Pick<Staging, 'gate'>> = {},
): Plan {
  const digest = gate && digestOf(gate);
  const hasPassed = (place: number): boolean => digest !== undefined && record.passed[place] === digest;
  const changes = new MappedSeries(plan.changes, (change) => {
    const stage = stageOfSteps(change.address);
    return stage === undefined ? change : { ...change, stage: stage + 1 };
  });
  const stagesWithGates = stages.map((stage, place) =>
    hasPassed(place) ? { ...stage, gate_passed: true as const } : stage,
  );
  return { ...plan, stages: stagesWithGates, changes };
}
