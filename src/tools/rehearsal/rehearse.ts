// Rehearses an apply: the same plan, applier, pacer and classification, against a simulated platform, in virtual time.
import { resolve } from 'node:path';
import { approvalFor } from '../../core/app/approvals/approval.ts';
import { readFaults } from '../../core/app/context/embedded-emulator.ts';
import { openStateAt } from '../../core/app/context/open-state.ts';
import type { Ports, RunLimits, RunObserver, StateOptions } from '../../core/app/context/ports.ts';
import { openPlanSource, type PlanSourceOptions } from '../../core/app/opening/open-plan.ts';
import type { PlanSource } from '../../core/app/opening/plan-source.ts';
import { createProgress } from '../../core/applier/report/progress.ts';
import { kindOf } from '../../core/model/address.ts';
import type { Diagnostic } from '../../core/model/diagnostic.ts';
import { Refusal } from '../../core/model/errors.ts';
import type { ApplyEvent } from '../../core/model/event.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { StateSnapshot } from '../../core/model/ports.ts';
import type { StateRecord } from '../../core/model/record.ts';
import type { KindCount, LaneSchedule, Rehearsed } from '../../core/model/report.ts';
import { registry } from '../../core/resources/index.ts';
import { readFileAt } from '../../lib/path-streams.ts';
import { SimulatedEstate } from './simulation/simulated-estate.ts';

export interface RehearseApplyOptions
  extends Omit<PlanSourceOptions, 'refresh' | 'apiTokenFile'>,
    StateOptions,
    RunLimits {
  /** The delay of every response in milliseconds. Default: 100. */
  readonly latencyMs?: number | undefined;
  /** How the platform counts requests. Default: that of the application's behaviours, or `sliding`. */
  readonly window?: string | undefined;
  /** A JSON file of faults, as for `chatform emulator`. */
  readonly faults?: string | undefined;
  /** The seed of the random numbers. The same seed gives the same run. Default: 1. */
  readonly seed?: number | undefined;
}

/**
 * Sends and changes nothing. Refused where an apply would be refused before its first step, apart from what only the platform or the
 * commits show. A plan without the signature that an apply needs is rehearsed with a warning, because signers rehearse before they sign.
 */
export async function rehearseApply(
  options: RehearseApplyOptions,
  ports: Ports,
  observer: RunObserver = {},
): Promise<Rehearsed> {
  const source = await openPlanSource(options, ports, 'warn');
  const { backend } = await openStateAt(source.statePlace, options, ports);
  const state = await backend.read(source.application.identity);
  const seen = await source.look(state, false);
  const plan = seen.planFor(state);
  const unsigned = await signatureRemarks(source, plan, options, ports);
  if (unsigned.length > 0) ports.notify({ type: 'remarks', diagnostics: unsigned });
  const { after, ...played } = await play(source, plan, state, options, ports, observer);
  // The simulated platform is released by now, since it needs as much memory as a plan.
  const nextSteps = seen.planFor(after).steps.length;
  return { ...played, nextSteps, kinds: countKinds(after.records()) };
}

/** Why an apply would refuse the plan for its signature. Refused for a policy that cannot be read (64, 65). */
async function signatureRemarks(
  source: PlanSource,
  plan: Plan,
  options: RehearseApplyOptions,
  ports: Ports,
): Promise<Diagnostic[]> {
  const approval = await approvalFor(source, options, ports);
  try {
    approval?.demandUnsigned(plan, undefined);
    await approval?.signatureFor(source.savedPlan?.plan ?? plan);
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message } = error;
    return [{ severity: 'warning', code, summary: 'An apply would refuse the plan', detail: message }];
  }
}

interface Played extends Omit<Rehearsed, 'nextSteps' | 'kinds'> {
  readonly after: StateSnapshot;
}

async function play(
  { application, existing }: PlanSource,
  plan: Plan,
  state: StateSnapshot,
  { latencyMs, window, seed, maxDurationMs, keepGoing = false, faults: file }: RehearseApplyOptions,
  { cwd, env, clock }: Ports,
  observer: RunObserver,
): Promise<Played> {
  const estate = new SimulatedEstate({
    application,
    state,
    cwd,
    startsAt: clock.date(),
    // A rehearsal needs no secrets, but it does need the files.
    variables: (name) => env[`CHATFORM_VAR_${name}`] ?? 'rehearsal',
    readFile: (name) => readFileAt(resolve(cwd, name)),
    ...(latencyMs === undefined ? {} : { latencyMs }),
    ...(window === undefined ? {} : { window }),
    ...(seed === undefined ? {} : { seed }),
    ...(file === undefined ? {} : { faults: await readFaults(resolve(cwd, file)) }),
  });
  const schedule = new Schedule();
  let report: Rehearsed['report'] | undefined;
  try {
    const missing = await estate.setUp(state, plan);
    const { limits } = estate.simulation;
    await observer.begin?.(plan, { clock: estate.clock, progress: () => createProgress(plan, limits) });
    const applied = await estate.apply(plan, {
      existing,
      keepGoing,
      ...(maxDurationMs === undefined ? {} : { maxDurationMs }),
      emit: (event) => {
        schedule.take(event, estate.clock.now());
        observer.event?.(event.type === 'run.started' ? { ...event, rehearsal: true } : event);
      },
    });
    if (applied.report === undefined) throw applied.refusal;
    report = { ...applied.report, rehearsal: true, application: plan.application, plan_hash: plan.hash };
    // A stop counts only if steps were left.
    const stopped = report.outcome === 'done' ? undefined : schedule.stopped;
    return { report, missing, stopped, lanes: schedule.lanes, after: applied.after };
  } finally {
    await estate.close();
    await observer.end?.(report);
  }
}

class Schedule {
  readonly #lanes = new Map<string, { fromMs: number; toMs: number; steps: number }>();
  #stopped: string | undefined;

  take(event: ApplyEvent, nowMs: number): void {
    if (event.type === 'run.stopping') this.#stopped ??= event.why;
    if (event.type === 'step.started' && event.route !== undefined && !this.#lanes.has(event.route)) {
      this.#lanes.set(event.route, { fromMs: nowMs, toMs: nowMs, steps: 0 });
    }
    const lane = event.type === 'step.ended' ? this.#lanes.get(event.route ?? '') : undefined;
    if (lane === undefined || event.type !== 'step.ended' || event.outcome === 'skipped') return;
    lane.toMs = nowMs;
    lane.steps++;
  }

  /** Why the run stopped early. Undefined if it started every step it could. */
  get stopped(): string | undefined {
    return this.#stopped;
  }

  /** In the order of their start. */
  get lanes(): readonly LaneSchedule[] {
    return [...this.#lanes]
      .sort(([, left], [, right]) => left.fromMs - right.fromMs)
      .map(([route, { fromMs, toMs, steps }]) => ({ route, from_s: tenths(fromMs), to_s: tenths(toMs), steps }));
  }
}

function countKinds(records: Iterable<StateRecord>): KindCount[] {
  const counts = new Map(registry.map(({ name: kind }) => [kind, { objects: 0, closed: 0 }]));
  const closing = new Map(registry.map(({ name: kind, disabledState }) => [kind, disabledState.attribute]));
  for (const { address, attributes } of records) {
    const kind = kindOf(address);
    const count = counts.get(kind);
    if (count === undefined) continue;
    count.objects++;
    if (attributes[closing.get(kind) ?? ''] === true) count.closed++;
  }
  return [...counts].map(([kind, count]) => ({ kind, ...count })).filter(({ objects }) => objects > 0);
}

function tenths(ms: number): number {
  return Math.round(ms / 100) / 10;
}
