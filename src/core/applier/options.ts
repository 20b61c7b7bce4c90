// The inputs and the result of the applier.

import type { InternalError } from '../../lib/errors.ts';
import type { Refusal } from '../model/errors.ts';
import type { LimitsOf } from '../model/limits.ts';
import type { PendingBegin } from '../model/ports.ts';
import type { ApplyReport } from '../model/report.ts';
import type { Stages } from './schedule/stage-gates.ts';
import type { StepOptions } from './step/options.ts';

export interface ApplierOptions extends StepOptions {
  /** Lifts the limits on failures (semantics §4.7). */
  readonly keepGoing?: boolean;
  /**
   * Writes to state what must be durable before the first step. Called in the turn in which the first steps are begun, so that
   * both share one flush: a begin is durable only when everything written before it is.
   */
  readonly prepare?: () => Promise<unknown>;
  /** After an abort no new step starts, and running steps finish. */
  readonly signal?: AbortSignal;
  /** No new step starts after this time. */
  readonly maxDurationMs?: number;
  /** The rate limits. With them, a step whose buckets are full does not delay steps with other buckets. */
  readonly limits?: LimitsOf;
  /** Absent: the plan is applied as a whole. */
  readonly stages?: Stages | undefined;
  /** The maximum number of steps in flight. Default: 512. */
  readonly maxInFlight?: number;
  /** The maximum number of failures in the report, which counts all of them. Default: 1,000. */
  readonly maxFailuresListed?: number;
}

export interface ApplyResult {
  readonly report: ApplyReport;
  /** A refusal by state or a bug that ended the run. The caller throws it after writing the report. */
  readonly refusal?: Refusal | InternalError;
  /** Begins of earlier runs that match no step of this plan and stay in the journal. */
  readonly leftPending: readonly PendingBegin[];
}
