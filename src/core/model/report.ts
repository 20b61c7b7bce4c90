// The results of commands. --report writes that of a run, even after a failure.

import type { Amount, Count, FormatVersion, PositiveCount, Rate, UtcTime } from '../../lib/json.ts';
import type { Series } from '../../lib/series.ts';
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
import type { RegisteredRequest } from './step.ts';

export const reportFormatVersion = '1.0';

export interface StepCounts {
  readonly planned: Count;
  readonly succeeded: Count;
  readonly failed: Count;
  /** Their outcome is unknown. The next run finds out. */
  readonly unknown: Count;
  /** Not tried because a step they need failed. */
  readonly skipped: Count;
}

/** Calls sent to one route. */
export interface SentCount {
  readonly method: Method;
  /** The route template, by which limits count: /users/{user_id}. */
  readonly route: string;
  readonly sent: Count;
  /** Repeats after an unknown outcome. */
  readonly retried: Count;
  /** Answered with 429. */
  readonly limited: Count;
}

/** The activity of a run over time. Its size does not grow with the run. */
export interface RunSeries {
  /** Seconds of one slot of time. At most 120 slots. */
  readonly slot_s: Rate;
  /** Sorted by route. */
  readonly lanes: readonly LaneSeries[];
  /** By slot, the longest wait for a write to state, in milliseconds. */
  readonly state_ms: readonly Amount[];
  /** In the order of time: the first 2,000 that were answered well, and the first 2,000 others. */
  readonly calls: readonly CallRecord[];
  /** Calls that are not listed. --events has all steps. */
  readonly calls_left_out: Count;
}

/** The calls of one route by slot of time. */
export interface LaneSeries {
  readonly method: Method;
  /** The route template, by which limits count: /users/{user_id}. */
  readonly route: string;
  /** Calls a second that the tightest limit of its calls allows. Absent if none is known. */
  readonly allowed_per_s?: Rate;
  /** Calls sent, by slot. */
  readonly sent: readonly Count[];
  /** Of these answered with 429, by slot. */
  readonly limited: readonly Count[];
  /** Of these repeats after an unknown outcome, by slot. */
  readonly retried: readonly Count[];
  /** Response time, known to 5 %. */
  readonly median_ms: Amount;
  readonly p95_ms: Amount;
  readonly p99_ms: Amount;
}

/** One call. */
export interface CallRecord {
  readonly address: Address;
  readonly action: Action;
  /** POST /users. */
  readonly call: string;
  /** When it was sent, in seconds from the beginning. */
  readonly at_s: Amount;
  readonly took_ms: Amount;
  /** In short: ok, refused 400 (400105), no answer. */
  readonly answer: string;
}

/** The application and the plan of a run, and who ran it. Each is absent as long as it is not known. */
export interface RunOrigin {
  /** Host and path, or emulator: and its path. Absent if the run never began. */
  readonly application?: string;
  /** The hash of the plan that ran. Absent if the run never began. */
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
  readonly format_version: FormatVersion;
  /** The run was rehearsed on a simulated platform: it sent and changed nothing. Absent if the run was real. */
  readonly rehearsal?: true;
  readonly outcome: RunOutcome;
  /**
   * not_in_state: the run stopped because all new objects exist already, and state has none of them. gate: the gate after a stage did not
   * pass. Absent otherwise.
   */
  readonly stop_cause?: StopCause;
  readonly exit_code: ExitCode;
  readonly steps: StepCounts;
  readonly requests: readonly SentCount[];
  readonly started_at: UtcTime;
  readonly finished_at: UtcTime;
  readonly duration_s: Amount;
  /** The shortest possible duration, by the plan. */
  readonly lower_bound_s: Amount;
  readonly failures: readonly StepFailure[];
  /** Values that the platform stored in another form than they were sent, such as a trimmed name. Absent if there are none. */
  readonly stored_otherwise?: {
    /** The number of all of them. */
    readonly count: PositiveCount;
    /** The first 1,000. */
    readonly values: readonly StoredValue[];
  };
  /**
   * The longest time in which calls were refused with 429 and none was accepted. Absent below a minute.
   * @minimum 60
   */
  readonly refused_s?: Amount;
  /**
   * Limits that the platform's rate-limit headers announced and that differ from the declared ones. Without such headers, limits that
   * refused calls showed. Absent: none.
   */
  readonly announced?: AnnouncedLimits;
  /** Objects that were temporarily reopened and are still open. The next run closes them. Absent if there are none. */
  readonly left_open?: readonly Address[];
  /**
   * The first members whose invitation or hidden status was to be changed but who are not in the channel, because they left or declined.
   * Their calls count as succeeded. Absent if there are none.
   */
  readonly not_members?: readonly NotMember[];
  /** The first data requests by which the platform erased users. Absent if there are none. */
  readonly data_requests?: readonly UserErasure[];
  /** The parts of the plan that --stage made, in order. Absent without --stage. */
  readonly stages?: readonly ReportedStage[];
  /** If a gate stopped the run: the runs of this apply that chatform undo can take back, the last one first. Absent: none. */
  readonly to_undo?: readonly PositiveCount[];
  /**
   * Warnings and notes on the plan that ran, or, if no run began, the problems and refusals that are why. Absent: there are none.
   * @minItems 1
   */
  readonly diagnostics?: readonly Diagnostic[];
  /** What the run did over time, for a picture of it. Its size does not grow with the run. Absent when nothing was run. */
  readonly series?: RunSeries;
}

export interface NotMember {
  /** The channel, as kind.key. */
  readonly address: Address;
  readonly user_id: string;
}

export interface UserErasure extends RegisteredRequest {
  /** The erased user, as kind.key. */
  readonly address: Address;
}

/** The report of a run that was rehearsed. */
export interface RehearsalReport extends ApplyReport {
  readonly rehearsal: true;
}

/** The result of a rehearsal. */
export interface Rehearsed {
  readonly report: RehearsalReport;
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
  readonly steps: Count;
}

/** The number of objects of one kind. `closed` counts deactivated users and frozen channels. */
export interface KindCount {
  readonly kind: string;
  readonly objects: Count;
  readonly closed: Count;
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
  readonly durationMs: Count;
}

export interface TestReport {
  readonly format_version: FormatVersion;
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
  /** Addresses that a pattern matched but that the platform does not offer to read. */
  readonly unread: readonly Address[];
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
  readonly copied: Count;
  /** The size of these files. */
  readonly bytes: Count;
  /** Files whose copies were there already. */
  readonly present: Count;
  /** Files that could not be copied, with the reason as part of a sentence. */
  readonly failed: readonly { readonly from: string; readonly reason: string }[];
  /** Files of hosts that were not named. */
  readonly unfetched: readonly { readonly host: string; readonly files: Count }[];
  /** Files that only another export of the series contains, by its name. */
  readonly elsewhere: readonly { readonly export: string; readonly files: Count }[];
  readonly exit_code: ExitCode;
}
