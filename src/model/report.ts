// The results of commands. --report writes that of a run, even after a failure.

import type { Series } from '../lib/series.ts';
import type { Action } from './action.ts';
import type { Address } from './address.ts';
import type { StoredValue } from './change.ts';
import type { Actor } from './ci-systems.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { ExportPrice, RunOutcome, StepFailure } from './event.ts';
import type { ExitCode } from './exit-code.ts';
import type { AnnouncedLimits } from './limits.ts';
import type { NotCompared } from './people/comparison.ts';
import type { Method } from './request.ts';
import type { Signature } from './signing/signature.ts';
import type { SourcePosition } from './source.ts';
import type { ReportedStage } from './stages/stages.ts';

export const reportFormatVersion = '1.0';

export interface StepCounts {
  readonly planned: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly unknown: number;
  readonly skipped: number;
}

/** Calls sent to one route. `retried` counts repeats after an unknown outcome, `limited` counts 429 answers. */
export interface SentCount {
  readonly method: Method;
  readonly route: string;
  readonly sent: number;
  readonly retried: number;
  readonly limited: number;
}

/** The activity of a run over time. Its size does not grow with the run. */
export interface RunSeries {
  /** The length of one time slot in seconds. */
  readonly slot_s: number;
  /** Sorted by route. */
  readonly lanes: readonly LaneSeries[];
  /** The longest wait for a write to state in each slot, in milliseconds. */
  readonly state_ms: readonly number[];
  /** The first calls that succeeded and the first that did not, sorted by time. */
  readonly calls: readonly CallRecord[];
  readonly calls_left_out: number;
}

/** The calls of one route by time slot: sent, answered with 429, and repeated. */
export interface LaneSeries {
  readonly method: Method;
  readonly route: string;
  /** The tightest limit in calls per second; absent if none is known. */
  readonly allowed_per_s?: number;
  readonly sent: readonly number[];
  readonly limited: readonly number[];
  readonly retried: readonly number[];
  /** Percentiles of the response time (50, 95 and 99) in milliseconds, accurate to 5 %. */
  readonly median_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
}

/** One call. `at_s` counts from the start of the run. */
export interface CallRecord {
  readonly address: Address;
  readonly action: Action;
  /** `POST /users` */
  readonly call: string;
  readonly at_s: number;
  readonly took_ms: number;
  readonly answer: string;
}

/** The application and the plan of a run, and who ran it. Each is absent as long as it is not known. */
export interface RunOrigin {
  /** Host and path of the application, or `emulator:` and its path. */
  readonly application?: string;
  /** The hash of the plan that ran. */
  readonly plan_hash?: string;
  readonly by?: Actor;
  /** Who signed the plan. Absent unless it needed a signature. */
  readonly signature?: Signature;
}

/**
 * Why a run stopped early, if what to do next depends on it: all new objects exist already, and state has none of them; or the gate
 * after a stage did not pass.
 */
export type StopCause = 'not_in_state' | 'gate';

export interface ApplyReport extends RunOrigin {
  readonly format_version: typeof reportFormatVersion;
  readonly outcome: RunOutcome;
  readonly stop_cause?: StopCause;
  readonly exit_code: ExitCode;
  readonly steps: StepCounts;
  readonly requests: readonly SentCount[];
  readonly started_at: string;
  readonly finished_at: string;
  readonly duration_s: number;
  readonly lower_bound_s: number;
  readonly failures: readonly StepFailure[];
  /** Values that the platform stored in another form than they were sent. `values` are the first of them. Absent: none. */
  readonly stored_otherwise?: { readonly count: number; readonly values: readonly StoredValue[] };
  /** The longest time in which calls were refused (429) and none was accepted. Absent below a minute. */
  readonly refused_s?: number;
  /** Limits in rate-limit headers that differ from the declared ones. Absent: none, or no answer had such headers. */
  readonly announced?: AnnouncedLimits;
  /** Objects that the run reopened and could not disable again. The next run disables them (semantics §3). */
  readonly left_open?: readonly Address[];
  /** Members whose status was to be changed but who are not in the channel: they left, or declined the invitation. */
  readonly not_members?: readonly NotMember[];
  /** With --stage, the parts of the plan that ran, and what their gates said. */
  readonly stages?: readonly ReportedStage[];
  /** If a gate stopped the run, the runs of this apply that `chatform undo` can take back, the last one first. Absent: none. */
  readonly to_undo?: readonly number[];
  /** Warnings and notes on the plan that ran, or why no run began: problems and refusals. Absent: there are none. */
  readonly diagnostics?: readonly Diagnostic[];
  /** Absent if nothing was run. */
  readonly series?: RunSeries;
}

export interface NotMember {
  readonly address: Address;
  readonly user_id: string;
}

/** The result of a rehearsal. */
export interface Rehearsed {
  readonly report: ApplyReport;
  /** The number of steps in a plan made after the rehearsal. */
  readonly nextSteps: number;
  /** Objects of state that could not be created on the simulated platform, each with the reason. */
  readonly missing: readonly string[];
  /** Why the run stopped early, if it did. */
  readonly stopped: string | undefined;
  /** The schedule of calls, by route. */
  readonly lanes: readonly LaneSchedule[];
  /** The objects in state at the end. */
  readonly kinds: readonly KindCount[];
}

/** The calls of one route. Times are seconds from the start of the run. */
export interface LaneSchedule {
  readonly route: string;
  readonly from_s: number;
  readonly to_s: number;
  readonly steps: number;
}

/** The number of objects of one kind. `closed` counts deactivated users and frozen channels. */
export interface KindCount {
  readonly kind: string;
  readonly objects: number;
  readonly closed: number;
}

/** One failed expectation of a test. The texts may have several lines. */
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
  /** Wall-clock time. */
  readonly durationMs: number;
}

export interface TestReport {
  readonly format_version: string;
  readonly tests: readonly TestResult[];
}

export interface Exported {
  /** Relative to the folder. */
  readonly files: readonly string[];
  /** Declared objects of each kind; `title` and `section` name the kind. */
  readonly counts: readonly { readonly title: string; readonly section: string; readonly count: number }[];
  readonly messages: number;
  /** One sentence for each part that could not be declared. */
  readonly leftOut: readonly string[];
  /** Hosts of callbacks and webhooks, which CHATFORM_ALLOWED_HOSTS must contain for later plans. */
  readonly hosts: readonly string[];
  readonly requests: number;
  /** What was said before the histories, marks and hidden channels were read. Absent: none of them was to be read. */
  readonly price?: ExportPrice;
  /** Whether it continued an export that was interrupted. */
  readonly continued: boolean;
  /** The name of the state that now contains the exported objects. */
  readonly state?: string;
  /** Absent: everything was exported. */
  readonly selected?: {
    /** Objects that were declared already, equal to the platform, and are taken into state. */
    readonly adopted: number;
    /** Objects that were declared and in state already. */
    readonly managed: number;
  };
}

/** The result of taking objects into state. */
export interface Adopted {
  readonly objects: Series<AdoptedObject>;
  /** Addresses that a pattern matched but that are not on the platform. */
  readonly missing: readonly Address[];
}

export interface AdoptedObject {
  readonly address: Address;
  /** Names of the attributes whose live value differs from the declared one. */
  readonly differs: readonly string[];
  /** Declared values that were not compared. They count as declared. */
  readonly not_compared: readonly NotCompared[];
}

/** The result of checking manifests. */
export interface Validated {
  /** No diagnostic is an error. */
  readonly isValid: boolean;
  /** Errors first, then by place. */
  readonly diagnostics: readonly Diagnostic[];
  /** How many objects are declared, as far as they could be read. */
  readonly objects: number;
  /** Relative to the working folder, with `/`. */
  readonly files: readonly string[];
  /** The place of the state that the manifests declare. */
  readonly state?: string;
}

/** The result of copying the files of a converted export. */
export interface CopiedFiles {
  readonly copied: number;
  /** The size of these files. */
  readonly bytes: number;
  /** Files whose copies were there already. */
  readonly present: number;
  /** Files that could not be copied, with the reason as part of a sentence. */
  readonly failed: readonly { readonly from: string; readonly reason: string }[];
  /** Files of hosts that were not named. */
  readonly unfetched: readonly { readonly host: string; readonly files: number }[];
  /** Files that only another export of the series contains, by its name. */
  readonly elsewhere: readonly { readonly export: string; readonly files: number }[];
  readonly exit_code: ExitCode;
}
