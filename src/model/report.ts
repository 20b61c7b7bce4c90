// The reports of runs, rehearsals and tests of manifests. That of a run is written to the file of --report, also after a
// failure.
import type { Action } from './action.ts';
import type { Address } from './address.ts';
import type { RunOutcome, StepFailure } from './event.ts';
import type { ExitCode } from './exit-code.ts';
import type { Method } from './request.ts';
import type { SourcePosition } from './source.ts';

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

/** What a run did over time. Its size does not grow with the run. */
export interface RunSeries {
  /** Seconds of one slot of time. */
  readonly slot_s: number;
  /** Sorted by route. */
  readonly lanes: readonly LaneSeries[];
  /** By slot, the longest wait for a write to state, in milliseconds. */
  readonly state_ms: readonly number[];
  /** Calls in the order of time: the first that were answered well, and the first that were not. */
  readonly calls: readonly CallRecord[];
  readonly calls_left_out: number;
}

/** The calls of one route, by slot of time: those sent, those answered with 429, and repeats. */
export interface LaneSeries {
  readonly method: Method;
  readonly route: string;
  /** What the tightest limit of its calls allows; absent if none is known. */
  readonly allowed_per_s?: number;
  readonly sent: readonly number[];
  readonly limited: readonly number[];
  readonly retried: readonly number[];
  /** Response times in milliseconds, known to 5 %: of half of the calls at most, of 95 and of 99 in a hundred. */
  readonly median_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
}

/** One call: when it was sent, in seconds from the beginning, how long it took, and what came back in short. */
export interface CallRecord {
  readonly address: Address;
  readonly action: Action;
  /** `POST /users` */
  readonly call: string;
  readonly at_s: number;
  readonly took_ms: number;
  readonly answer: string;
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
  /** Absent when nothing was run. */
  readonly series?: RunSeries;
}

/** The result of a rehearsal. */
export interface Rehearsed {
  readonly report: ApplyReport;
  /** Steps that a plan made afterwards would have. */
  readonly nextSteps: number;
  /** Objects of state that the simulated platform could not be given, each with the reason. */
  readonly missing: readonly string[];
  /** Why no more steps were started before all were done. */
  readonly stopped: string | undefined;
  /** When calls were made, by route. */
  readonly lanes: readonly LaneSchedule[];
  /** What state held at the end. */
  readonly kinds: readonly KindCount[];
}

/** The calls of one route. Times are seconds from the beginning of the run. */
export interface LaneSchedule {
  readonly route: string;
  readonly from_s: number;
  readonly to_s: number;
  readonly steps: number;
}

/** Objects of one kind; `closed`: deactivated users, frozen channels. */
export interface KindCount {
  readonly kind: string;
  readonly objects: number;
  readonly closed: number;
}

/** What was not as a test expects. Texts of one or more lines. */
export interface TestFailure {
  /** `expect.counts`. */
  readonly what: string;
  readonly expected: string;
  readonly actual: string;
}

/** The result of one test of the manifests. */
export interface TestResult {
  readonly name: string;
  readonly source: SourcePosition;
  readonly failures: readonly TestFailure[];
  /** Of the wall clock. */
  readonly durationMs: number;
}

export interface TestReport {
  readonly format_version: string;
  readonly tests: readonly TestResult[];
}
