// How is a plan carried out: lock, connection, progress, signals, and a report in every case?
import { applyPlan } from '../applier/apply.ts';
import type { ApplyResult, Existing } from '../applier/options.ts';
import { viewOptions } from '../cli/flags/view-options.ts';
import { openEventFile } from '../cli/output/event-file.ts';
import type { RunReport } from '../cli/output/run-report.ts';
import { showProgress } from '../cli/output/show-progress.ts';
import type { ApplyEvent } from '../model/event.ts';
import type { ExitCode } from '../model/exit-code.ts';
import type { Plan } from '../model/plan.ts';
import type { StateSnapshot } from '../model/ports.ts';
import { redactEvent, redactReport } from '../view/redact.ts';
import { applySummary } from '../view/terminal/run-summary.ts';
import { recordRunMetadata } from './record-run-metadata.ts';
import { planOvertaken } from './refusals.ts';
import { requestTimeoutMs } from './session/connect.ts';
import { settlingOf } from './session/settling.ts';
import { type ApplySession, type Opening, underLock } from './session/under-lock.ts';
import { takeOver } from './take-over.ts';

export interface Execution extends Opening {
  readonly report: RunReport;
  readonly existing: Existing;
  /** A person said yes to the plan as it was shown: another one needs another yes. */
  readonly isPersonally: boolean;
  /** As it was shown and approved. */
  readonly plan: Plan;
  /** Told of every event as it happens. */
  readonly watch?: ((event: ApplyEvent) => void) | undefined;
  /** As it is under the lock. */
  against(state: StateSnapshot): Plan;
}

export function execute(execution: Execution): Promise<ExitCode> {
  return underLock(execution, (session) => run(execution, session));
}

async function run(
  { input, world, report, existing, plan: shown, isPersonally, limit, watch, against }: Execution,
  { state, platform, pacer, limits, recovery, archives, stop }: ApplySession,
): Promise<ExitCode> {
  const plan = against(state);
  if (isPersonally && (plan.hash !== shown.hash || plan.steps.length !== shown.steps.length)) {
    throw planOvertaken();
  }
  await report.begin(plan);
  await recovery.forget(plan.steps);
  const shownHow = viewOptions(input, world, world.stderr);
  const progress = await showProgress(plan, limits, input, world);
  const events = await openEventFile(input.text('events'), world);
  const emit = (event: ApplyEvent): void => {
    progress.take(event);
    events.take(redactEvent(event, shownHow));
    watch?.(event);
  };
  let result: ApplyResult;
  try {
    await recordRunMetadata(plan, state);
    result = await applyPlan(
      plan,
      { platform, pacer, state, clock: world.clock, emit },
      {
        random: world.random,
        existing,
        adopt: takeOver,
        settling: settlingOf({
          lines: (hole) => archives.lines(hole),
          trustDedup: plan.settings.trust_dedup === true,
          afterMs: input.duration('settle-time'),
        }),
        limits,
        signal: stop,
        requestTimeoutMs,
        keepGoing: input.flag('keep-going'),
        ...limit?.left,
      },
    );
  } finally {
    progress.end();
    await events.close();
  }
  const told = redactReport(result.report, shownHow);
  for (const line of applySummary(told, shownHow)) world.stderr.write(line);
  await report.write(told);
  if (result.refusal !== undefined) throw result.refusal;
  return result.report.exit_code;
}
