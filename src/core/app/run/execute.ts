// Executes a plan for apply and destroy under the lock, and reports every outcome. The plan is made once, although it is shown before the
// lock is taken.

import { digestOf } from '../../../lib/digest.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { createProgress } from '../../applier/report/progress.ts';
import type { Existing } from '../../applier/verdict/classify.ts';
import type { ApplyEvent } from '../../model/event.ts';
import type { Plan } from '../../model/plan.ts';
import { defaultUndoPolicy } from '../../model/policy.ts';
import type { Clock } from '../../model/ports.ts';
import type { ApplyReport } from '../../model/report.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { Signature } from '../../model/signing/signature.ts';
import type { NumberedSnapshot } from '../../state/records/view.ts';
import { keepBefore } from '../context/before-values.ts';
import type { Ports, RunLimits, RunObserver } from '../context/ports.ts';
import { planOvertaken } from '../context/refusals.ts';
import { actOf, beginTrail, endTrail, type FinishedRun, nextNumber } from '../context/trail.ts';
import { runPlan } from './run-plan.ts';
import type { StagedRun } from './stages.ts';
import { type ApplySession, type Opening, underLock } from './under-lock.ts';

export interface Execution extends Opening, Pick<RunLimits, 'keepGoing'> {
  /** For the audit trail. */
  readonly command: 'apply' | 'destroy' | 'undo';
  /** The run that an undo reverts. */
  readonly undoes?: number | undefined;
  /** Who signed the plan, if it needed a signature. */
  readonly signature?: Signature | undefined;
  readonly existing: Existing;
  /** The plan as shown, if the approval covers only that plan. */
  readonly approved?: Pick<Plan, 'hash'> & { readonly steps: number };
  /** Divides the plan into stages. Absent: it is applied as a whole. */
  readonly staged?: ((plan: Plan, run: RunToStage) => StagedRun) | undefined;
  /** Refuses a plan of an older commit under the lock. */
  demandNewest?(state: NumberedSnapshot): Promise<unknown>;
  /** Makes the plan under the lock, or returns the shown one if the state is the same. */
  against(state: NumberedSnapshot): Plan;
}

/** What a run in stages needs of its run. */
export interface RunToStage {
  /** See `Begun.keeps`. */
  readonly run: number;
  readonly session: ApplySession;
  readonly emit: (event: ApplyEvent) => void;
}

export function execute(execution: Execution, ports: Ports, observer: RunObserver): Promise<ApplyReport> {
  return underLock(execution, ports, (session) => run(execution, ports, observer, session));
}

async function run(
  {
    command,
    undoes,
    signature,
    existing,
    approved,
    limit,
    keepGoing,
    settleMs,
    staged,
    demandNewest,
    against,
  }: Execution,
  ports: Ports,
  observer: RunObserver,
  session: ApplySession,
): Promise<ApplyReport> {
  const { state, platform, pacer, limits, recovery, readList, demandSources, stop } = session;
  const { clock, random } = ports;
  const plan = against(state);
  if (approved !== undefined && (plan.hash !== approved.hash || plan.steps.length !== approved.steps))
    throw planOvertaken();
  await demandNewest?.(state);
  await demandSources(requestsWithSources(plan, stop));
  const emit = (event: ApplyEvent): void => observer.event?.(event);
  const keeps = nextNumber(state);
  const stages = plan.steps.length === 0 ? undefined : staged?.(plan, { run: keeps, session, emit });
  await observer.begin?.(plan, { clock, progress: () => createProgress(plan, limits) });
  let report: ApplyReport | undefined;
  const begun = {
    ...actOf(command, ports),
    plan: plan.hash,
    keeps,
    ...(undoes === undefined ? {} : { undoes }),
    ...(signature === undefined ? {} : { signature }),
  };
  try {
    const { undo: policy = defaultUndoPolicy } = plan.settings;
    const before = await keepBefore(state, plan, { run: keeps, at: begun.started_at, clock }, policy);
    if (before.isTooLarge) ports.notify({ type: 'undo-impossible', megabytes: policy.megabytes });
    await recovery.forgetUnplanned(plan.steps);
    const result = await runPlan(
      plan,
      { platform, pacer, state, clock, emit },
      {
        random,
        existing,
        readList,
        afterMs: settleMs,
        limits,
        signal: stop,
        keepGoing: keepGoing === true,
        // In this order: a run that is in the trail has kept its values, or keeps none.
        prepare: () => Promise.all([stages?.write(), before.write(), beginTrail(state, begun)]),
        found: before.found,
        stages,
        ...limit?.left,
      },
    );
    const origin = { application: plan.application, plan_hash: plan.hash, by: begun.by };
    report = { ...result.report, ...origin, ...(signature === undefined ? {} : { signature }) };
    if (stages !== undefined) report = await stages.ended(report);
    if (result.refusal !== undefined) throw result.refusal;
    return report;
  } finally {
    // The error of an unwritable state is already reported. The next run records this one as cut off.
    await endTrail(state, begun, endOf(report, clock)).catch(() => undefined);
    await observer.end?.(report);
  }
}

/** The requests with files, lists and secrets. Ends early after an interrupt, which the run itself reports, because reading large files takes long. */
function* requestsWithSources({ steps }: Plan, stop: AbortSignal): Generator<ApiRequest> {
  for (const { request } of steps) {
    if (stop.aborted) return;
    if (request?.placeholders !== undefined) yield request;
  }
}

/** Without a report, the run was refused. */
function endOf(report: ApplyReport | undefined, clock: Clock): FinishedRun {
  const finished_at = clock.date().toISOString();
  if (report === undefined) return { outcome: 'refused', finished_at };
  // A report is JSON by construction; the compiler cannot see it, as an interface has no index signature.
  const digest = digestOf(report as unknown as JsonObject);
  const requests = report.requests.reduce((sum, { sent }) => sum + sent, 0);
  return { outcome: report.outcome, finished_at, counts: { ...report.steps, requests }, report: digest };
}

interface PlanOfState {
  readonly plan: Plan;
  readonly lineage: string | undefined;
  readonly serial: number;
  readonly hasBegins: boolean;
}

/** Returns the last plan again for the same state, and makes another one for a state that has changed. */
export function planPerState(make: (state: NumberedSnapshot) => Plan): (state: NumberedSnapshot) => Plan {
  let last: PlanOfState | undefined;
  return (state) => {
    if (last === undefined || hasChanged(last, state)) {
      const { header, serial, pending } = state;
      last = { plan: make(state), lineage: header?.lineage, serial, hasBegins: pending.length > 0 };
    }
    return last.plan;
  };
}

/**
 * Whether a state may differ from the one that was planned for. Every holder of the lock takes a serial, so nobody has had it in
 * between if the serial is the same. Opening a state with begun calls resolves them, which changes it.
 */
function hasChanged({ lineage, serial, hasBegins }: PlanOfState, state: NumberedSnapshot): boolean {
  return hasBegins || serial !== state.serial || (lineage !== undefined && lineage !== state.header?.lineage);
}
