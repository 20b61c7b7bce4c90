// The applier's inputs and its result.

import type { InternalError } from '../lib/errors.ts';
import type { Refusal } from '../model/errors.ts';
import type { LimitsOf } from '../model/limits.ts';
import type { PendingBegin } from '../model/ports.ts';
import type { ApplyReport } from '../model/report.ts';
import type { StepOptions } from './step/options.ts';

export interface ApplyOptions extends StepOptions {
  /** Lifts the limits on failures (semantics §4.7). */
  readonly keepGoing?: boolean;
  /** When aborted, no new step starts and running steps finish. */
  readonly signal?: AbortSignal;
  /** No new step starts after this time. */
  readonly maxDurationMs?: number;
  /** The buckets of a request. With them a step whose buckets are full does not hold up steps with other buckets. */
  readonly limits?: LimitsOf;
  /** How many steps may be under way at once. Default: 512. */
  readonly maxInFlight?: number;
  /** How many failures the report lists. It counts all of them. Default: 1,000. */
  readonly maxFailuresListed?: number;
}

export interface ApplyResult {
  readonly report: ApplyReport;
  /** An error of our own that ended the run. The caller throws it again once the report is written. */
  readonly refusal?: Refusal | InternalError;
  /** Begins of earlier runs that no step of this plan answers for; they stay in the journal. */
  readonly leftPending: readonly PendingBegin[];
}
