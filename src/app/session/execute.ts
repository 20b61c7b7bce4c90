// Carries a plan out for apply and destroy: under the lock, watched, with a report of every end.

import type { Existing } from '../../applier/options.ts';
import { createProgress } from '../../applier/report/progress.ts';
import type { ApplyEvent } from '../../model/event.ts';
import type { Plan } from '../../model/plan.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { ApplyReport } from '../../model/report.ts';
import type { RunOptions } from '../options.ts';
import type { RunObserver } from '../ports.ts';
import { requestTimeoutMs } from './connect.ts';
import { planOvertaken } from './refusals.ts';
import { runPlan } from './run-plan.ts';
import { type ApplySession, type LockPorts, type Opening, underLock } from './under-lock.ts';

export interface Execution extends Opening, Pick<RunOptions, 'keepGoing'> {
  readonly existing: Existing;
  /** As it was shown and approved. */
  readonly plan: Plan;
  /** Somebody approved the plan as it was shown: another one needs another approval. */
  readonly isExact: boolean;
  /** The plan as it is under the lock. */
  against(state: StateSnapshot): Plan;
}

export function execute(execution: Execution, ports: LockPorts, observer: RunObserver): Promise<ApplyReport> {
  return underLock(execution, ports, (session) => run(execution, ports, observer, session));
}

async function run(
  { existing, plan: shown, isExact, limit, keepGoing, settleMs, against }: Execution,
  { clock, random }: LockPorts,
  observer: RunObserver,
  { state, platform, pacer, limits, recovery, archives, stop }: ApplySession,
): Promise<ApplyReport> {
  const plan = against(state);
  if (isExact && (plan.hash !== shown.hash || plan.steps.length !== shown.steps.length)) throw planOvertaken();
  await observer.begin?.(plan, { clock, progress: () => createProgress(plan, limits) });
  let report: ApplyReport | undefined;
  try {
    await recovery.forgetUnplanned(plan.steps);
    const emit = (event: ApplyEvent): void => observer.event?.(event);
    const result = await runPlan(
      plan,
      { platform, pacer, state, clock, emit },
      {
        random,
        existing,
        lines: (hole) => archives.lines(hole),
        afterMs: settleMs,
        limits,
        signal: stop,
        requestTimeoutMs,
        keepGoing: keepGoing === true,
        ...limit?.left,
      },
    );
    report = result.report;
    if (result.refusal !== undefined) throw result.refusal;
    return report;
  } finally {
    await observer.end?.(report);
  }
}
