// Changes the platform to match manifests or a saved plan.
//
// Everything that can be refused is refused before the state is locked and before anything is sent: manifests, trust,
// token, safety, approval. Under the lock the plan is made again, or compared with state again, if the state has
// changed since, so that it is current when it runs.

import type { Address } from '../model/address.ts';
import { addressesIn } from '../model/addressed-series.ts';
import { jobFact } from '../model/ci-systems.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { Refusal, usage } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import type { MigrationReport } from '../model/migration-report.ts';
import { type Plan, tokensNote } from '../model/plan.ts';
import type { StateSnapshot } from '../model/ports.ts';
import type { ApplyReport } from '../model/report.ts';
import type { ApprovalOptions } from './approvals/approval.ts';
import { approvalFor } from './approvals/approval.ts';
import { actorOf } from './context/actor.ts';
import { whileReading } from './context/connect.ts';
import { demandNamedState, openStateAt } from './context/open-state.ts';
import type { LockOptions, Ports, RunLimits, RunObserver } from './context/ports.ts';
import { demandObjects } from './context/state-contents.ts';
import { readRuns } from './context/trail.ts';
import { type CommitRules, commitWarnings } from './git/older-commit.ts';
import { openPlanSource, type PlanSourceOptions } from './opening/open-plan.ts';
import type { PlanSource } from './opening/plan-source.ts';
import { withFacts } from './plans/facts.ts';
import { execute, planPerState, type RunToStage } from './run/execute.ts';
import { reportWithoutRun, withExit } from './run/run-reports.ts';
import type { DividedPlan, GateQuestion, StageOptions } from './run/stages.ts';
import { TimeLimit } from './run/time-limit.ts';
import { settledState } from './run/under-lock.ts';

export interface ApplyChangesOptions
  extends PlanSourceOptions,
    LockOptions,
    RunLimits,
    ApprovalOptions,
    StageOptions,
    CommitRules {
  /** Runs only the plan with this hash. */
  readonly approvedHash?: string | undefined;
  /** The file for issued tokens, one JSON line each. */
  readonly tokensOut?: string | undefined;
  /** How long a call in doubt may still take effect before its messages are searched. Default: 15 s. */
  readonly settleMs?: number | undefined;
  /** Afterwards, and after each stage, checks that every declared message arrived. */
  readonly verify?: boolean | undefined;
}

/** `exact` approves only the plan as shown. `any` also approves the plan as it is made again under the lock. */
export type Approval = 'exact' | 'any';

export interface ApplyListeners extends RunObserver {
  /** Shows a plan that was not saved and, when it has steps, approves it or throws. Without it every plan is approved. */
  review?(plan: Plan): Promise<Approval>;
}

export interface Applied {
  /** The report of the run. It has no steps when there was nothing to do. */
  readonly report: ApplyReport;
  /** Whether all steps of the saved plan were already done. */
  readonly wasDone: boolean;
  /** Present with `verify`, after a run that succeeded. */
  readonly verification?: MigrationReport;
}

/** Resolves to a report once a run has begun. Throws a Refusal if it cannot begin. */
export function applyChanges(
  options: ApplyChangesOptions,
  ports: Ports,
  listeners: ApplyListeners = {},
): Promise<Applied> {
  return applySource(options, ports, listeners, (reading) => openPlanSource(options, reading, 'error'));
}

/** The options of a run, whatever its plan comes from. */
type RunningOptions = Omit<
  ApplyChangesOptions,
  Exclude<keyof PlanSourceOptions, 'isRepair' | 'paths' | keyof ApprovalOptions>
>;

/** The same for a plan from elsewhere. */
export async function applySource(
  options: RunningOptions,
  ports: Ports,
  listeners: ApplyListeners,
  open: (reading: Ports) => Promise<PlanSource>,
): Promise<Applied> {
  const startedAt = ports.clock.date();
  if (isStaged(options)) (await import('./run/stages.ts')).readStages(options);
  const limit = new TimeLimit(options, ports);
  const { source, report } = await limit.within(ports, 'its first step', (reading) =>
    run(options, ports, reading, limit, listeners, open),
  );
  const { application, declared } = source;
  const origin = { application: application.identity, by: actorOf(ports) };
  const ended = report ?? reportWithoutRun(exitCode.done, startedAt, ports.clock.date(), origin);
  const wasDone = report === undefined && source.type === 'saved';
  // Verify only after a complete run.
  if (ended.exit_code !== exitCode.done || declared === undefined || options.verify !== true) {
    return { report: ended, wasDone };
  }
  const { verifyDeclared } = await import('./verification/history-files.ts');
  const verification = await limit.within(ports, 'every message was verified', (reading) =>
    whileReading(application, reading, (connection) =>
      verifyDeclared(declared, { application, ...connection }, { isWhole: false, policy: source.messages }, reading),
    ),
  );
  return { report: withExit(ended, verification.exit_code), wasDone, verification };
}

/** `reading` has the ports of work that the time limit may cancel. Without a report, there was nothing to do. */
async function run(
  options: RunningOptions,
  ports: Ports,
  reading: Ports,
  limit: TimeLimit,
  listeners: ApplyListeners,
  open: (reading: Ports) => Promise<PlanSource>,
): Promise<{ readonly source: PlanSource; readonly report?: ApplyReport }> {
  const { lockTimeoutMs, tokensOut, keepGoing, settleMs } = options;
  const source = await open(reading);
  const { application, existing, declared, statePlace } = source;
  const isSaved = source.type === 'saved';
  if (options.verify === true && declared === undefined)
    throw usage(
      'A saved plan does not contain the history files that --verify compares.',
      'Apply the plan without --verify, then verify against the manifests with: chatform verify',
    );
  const { savedPlan } = source;
  const approve = await approvalFor(source, options, reading);
  // Before anything is read, since a missing signature is the first thing to mend.
  let signature = savedPlan && (await approve?.signatureFor(savedPlan.plan));
  const { placed, backend } = await openStateAt(statePlace, options, reading);
  const saved = savedPlan?.plan.steps;
  const opening = { backend, application, lockTimeoutMs, settleMs, tokensOut, saved, wants: wantedBy(source), limit };

  const state = await settledState(opening, ports);
  demandNamedState(placed, ports, state);
  if (options.isRepair === true) demandObjects(state, backend.name, application.identity);
  const warnOfOlder = olderWarner(source, options, ports);
  const older = await warnOfOlder(state);
  const estate = await source.look(state, true);
  const { live, undoes } = estate;

  const against = planPerState((current) => {
    const plan = estate.planFor(current);
    checkHash(plan, isSaved, options.approvedHash);
    approve?.demandUnsigned(plan, undoes);
    if (tokensOut === undefined && issuesTokens(plan)) throw nowhereForTokens();
    return plan;
  });
  const plan = against(state);
  const hasSteps = plan.steps.length > 0;
  const dangers = hasSteps ? ((await estate.dangers?.(state, plan)) ?? []) : [];
  const from = { application, backend, state, options, statePlace, declared, live, warnings: [...older, ...dangers] };
  const planWithFacts = await withFacts(isSaved ? withoutDangers(plan) : plan, 'run', from);
  if (isSaved) notifyOfUnreviewed([...older, ...dangers], plan, ports);

  if (dangers.length > 0) approve?.demandUnsigned(planWithFacts, undoes);
  if (hasSteps) signature ??= await approve?.signatureFor(planWithFacts);
  if (signature !== undefined) approve?.demandSeen(planWithFacts);
  if (hasSteps) notifyOfUnfinished(state, source, ports);
  const stages = hasSteps && isStaged(options) ? await stagesOfSource(options, source, ports) : undefined;
  const approval = isSaved
    ? 'any'
    : await listeners.review?.(stages?.shown(planWithFacts, plan, state) ?? planWithFacts);
  if (!hasSteps) return { source };
  const execution = {
    ...opening,
    command: undoes === undefined ? ('apply' as const) : ('undo' as const),
    undoes,
    signature,
    existing,
    ...(approval === 'exact' ? { approved: { hash: plan.hash, steps: plan.steps.length } } : {}),
    keepGoing,
    staged: stages?.run,
    // A newer commit may have been applied while this run waited for approval or for the lock.
    demandNewest: warnOfOlder,
    against,
  };
  return { source, report: await execute(execution, ports, listeners) };
}

/** An undo works for each object that it may restore, and a saved plan for each that it does not erase. */
function wantedBy({ declared, savedPlan }: PlanSource): (address: Address) => boolean {
  return (address) => {
    if (declared !== undefined) return [...addressesIn(declared)].includes(address);
    const steps = savedPlan?.plan.steps ?? [];
    for (const step of steps) if (step.address === address && step.action === 'erase') return false;
    return true;
  };
}

/** A saved plan without the dangers that it names, because whoever writes the file can leave some out. They are found again. */
function withoutDangers(plan: Plan): Plan {
  return { ...plan, warnings: plan.warnings.filter(({ dangerous }) => dangerous !== true) };
}

/** Names what was found just now. Whoever reviewed the saved plan saw the rest. */
function notifyOfUnreviewed(newWarnings: readonly Diagnostic[], { warnings }: Plan, ports: Ports): void {
  const unreviewed = newWarnings.filter(({ detail }) => warnings.every((warning) => warning.detail !== detail));
  if (unreviewed.length > 0) ports.notify({ type: 'remarks', diagnostics: unreviewed });
}

/** Neither an undo nor a repair goes by the commit. A saved plan without one was made where no apply had named its commit. */
function olderWarner(source: PlanSource, options: RunningOptions, ports: Ports) {
  const { savedPlan, type } = source;
  const commit = savedPlan === undefined ? jobFact('commit', ports.env) : savedPlan.plan.commit;
  const isUnknown = savedPlan !== undefined && commit === undefined;
  const isCompared = type !== 'undo' && options.isRepair !== true && !isUnknown;
  return async (state: StateSnapshot) => (isCompared ? commitWarnings(commit, state, options, ports) : []);
}

function isStaged({ stages = [], gate }: StageOptions): boolean {
  return stages.length > 0 || gate !== undefined;
}

/** Loaded only for --stage. */
async function stagesOfSource(options: RunningOptions, source: PlanSource, ports: Ports) {
  const [{ dividedPlan, readStages, StagedRun, withStages }, { askGate, demandQuestion }] = await Promise.all([
    import('./run/stages.ts'),
    import('./run/gate.ts'),
  ]);
  demandQuestion(options, source);
  const { gate = null, verify = false, keepGoing = false } = options;
  const request = source.request?.() ?? '';
  const { declared } = source;
  const staging = { selections: readStages(options), request, gate: { gate, verify }, declared };
  let last: { readonly plan: Plan; readonly divided: DividedPlan } | undefined;
  /** Once for a plan, which is shown before the lock is taken and runs under it. */
  const divide = (plan: Plan, state: StateSnapshot): DividedPlan => {
    if (last?.plan !== plan) last = { plan, divided: dividedPlan(plan, state, staging) };
    return last.divided;
  };
  return {
    /** `planWithFacts` is the plan with what is added for people. */
    shown: (planWithFacts: Plan, plan: Plan, state: StateSnapshot) =>
      withStages(planWithFacts, divide(plan, state), staging),
    run: (plan: Plan, { run, session, emit }: RunToStage) => {
      const { state } = session;
      const ask = (question: GateQuestion) => askGate(question, options, source, session, ports);
      return new StagedRun(divide(plan, state), staging, { state, clock: ports.clock, emit, run, keepGoing, ask });
    },
  };
}

/** An undo says so in its plan. */
function notifyOfUnfinished(state: StateSnapshot, { type }: PlanSource, ports: Ports): void {
  const last = readRuns(state).findLast(({ plan }) => plan !== undefined);
  if (type === 'undo' || last === undefined || last.command !== 'apply' || !unfinished.has(last.outcome)) return;
  const { succeeded, planned } = last.counts ?? {};
  const steps = succeeded === undefined || planned === undefined ? {} : { steps: { succeeded, planned } };
  ports.notify({ type: 'run-continues', run: last.number, startedAt: last.started_at, ...steps });
}

const unfinished: ReadonlySet<string> = new Set(['cut_off', 'interrupted', 'out_of_time']);

function checkHash(plan: Plan, isSaved: boolean, approved: string | undefined): void {
  if (approved === undefined || approved === plan.hash) return;
  throw new Refusal(
    'plan.not-approved',
    exitCode.conflict,
    `The approved plan has hash ${approved}, but this plan has ${plan.hash}.`,
    adviceOnHash(plan.hash.startsWith(approved), isSaved),
  );
}

function adviceOnHash(isBeginning: boolean, isSaved: boolean): string {
  if (isBeginning) return 'The approved hash is only the short form that plans display. Pass the full hash.';
  return isSaved
    ? 'This is not the plan file that was approved.'
    : 'The manifests or the state changed since the plan was approved. Have the new plan reviewed.';
}

/** Whether any remaining step issues a token. Steps that are done no longer count. */
function issuesTokens({ steps, warnings }: Plan): boolean {
  if (!warnings.some(({ code }) => code === tokensNote)) return false;
  for (const { sink } of steps) if (sink !== undefined) return true;
  return false;
}

function nowhereForTokens(): Refusal {
  return new Refusal(
    'tokens.nowhere',
    exitCode.refused,
    'The plan issues tokens to users or new bots, but no file for them is set.',
    'Nothing was changed. Add --tokens-out tokens.ndjson, which git must ignore; issued tokens are written to that file and nowhere else.',
  );
}
