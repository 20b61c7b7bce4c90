// The report of a run, written to the file of --report, also after a failure.
import type { Address } from './address.ts';
import type { RunOutcome, StepFailure } from './event.ts';
import type { ExitCode } from './exit-code.ts';
import type { Method } from './request.ts';

export const reportFormatVersion = '1.0';

export interface StepCounts {
  readonly planned: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly unknown: number;
  readonly skipped: number;
}

/** Calls that were sent, by route: `retried` are repeats after an unknown outcome, `limited` were answered with 429. */
export interface SentCount {
  readonly method: Method;
  readonly route: string;
  readonly sent: number;
  readonly retried: number;
  readonly limited: number;
}

export interface ApplyReport {
  readonly format_version: typeof reportFormatVersion;
  readonly outcome: RunOutcome;
  readonly exit_code: ExitCode;
  readonly steps: StepCounts;
  readonly requests: readonly SentCount[];
  readonly started_at: string;
  readonly finished_at: string;
  readonly duration_s: number;
  readonly lower_bound_s: number;
  readonly failures: readonly StepFailure[];
  /** Objects that the run reopened for work and could not close again; the next run closes them (semantics §3). */
  readonly left_open?: readonly Address[];
}
