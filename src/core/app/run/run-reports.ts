// The report of a command whose run never began, or whose outcome differs from that of the command.
import type { RunOutcome } from '../../model/event.ts';
import { type ExitCode, exitCode } from '../../model/exit-code.ts';
import { type ApplyReport, type RunOrigin, reportFormatVersion } from '../../model/report.ts';

const outcomes: Readonly<Partial<Record<ExitCode, RunOutcome>>> = {
  [exitCode.done]: 'done',
  [exitCode.authentication]: 'authentication',
  [exitCode.incomplete]: 'incomplete',
  [exitCode.conflict]: 'conflict',
  [exitCode.interrupted]: 'interrupted',
  [exitCode.outOfTime]: 'out_of_time',
};

/** A report without steps that ends now. */
export function reportWithoutRun(exit: ExitCode, startedAt: Date, now: Date, origin: RunOrigin = {}): ApplyReport {
  return {
    format_version: reportFormatVersion,
    ...origin,
    outcome: outcomes[exit] ?? 'refused',
    exit_code: exit,
    steps: { planned: 0, succeeded: 0, failed: 0, unknown: 0, skipped: 0 },
    requests: [],
    started_at: startedAt.toISOString(),
    finished_at: now.toISOString(),
    duration_s: (now.getTime() - startedAt.getTime()) / 1000,
    lower_bound_s: 0,
    failures: [],
  };
}

/** Work after a run, such as --verify, can have another outcome than the run. */
export function withExit(report: ApplyReport, exit: ExitCode): ApplyReport {
  if (report.exit_code === exit) return report;
  return { ...report, outcome: outcomes[exit] ?? report.outcome, exit_code: exit };
}
