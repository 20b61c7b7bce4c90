// The applier's inputs and its result.

import type { InternalError } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Refusal } from '../model/errors.ts';
import type { ApplyEvent } from '../model/event.ts';
import type { LimitsOf } from '../model/limits.ts';
import type { Plan } from '../model/plan.ts';
import type { Clock, Pacer, PendingBegin, Platform, Random, StateWriter } from '../model/ports.ts';
import type { StateEntry } from '../model/record.ts';
import type { ApplyReport } from '../model/report.ts';
import type { Step } from '../model/step.ts';
import type { Settling } from './step/settle.ts';

/** The part of a plan that is applied. The caller leaves out the steps that an earlier run has done. */
export interface PlannedWork {
  readonly steps: Plan['steps'];
  readonly duration: Pick<Plan['duration'], 'lower_bound_s' | 'user_rules' | 'chain'>;
}

export interface ApplyPorts {
  readonly platform: Platform;
  readonly pacer: Pacer;
  readonly state: StateWriter;
  readonly clock: Clock;
  /** Called synchronously and in order; must not throw. */
  readonly emit: (event: ApplyEvent) => void;
}

/** What a create does when the object exists and is not in state (semantics §4.5). */
export type Existing = 'refuse' | 'adopt_equal' | 'adopt';

export interface ApplyOptions {
  /** For the jitter of back-offs. */
  readonly random: Random;
  /** Default: `refuse`. */
  readonly existing?: Existing;
  /**
   * For `adopt`: the steps that replace the create and adopt the live object. They run one after the other. The first has
   * no request and puts the record into state; the object's later steps follow as planned. Undefined if the object cannot
   * be adopted.
   */
  readonly adopt?: (step: Step, live: JsonObject) => readonly Step[] | undefined;
  /** For an object that was found equal: what state remembers of it, or a sentence that says why it cannot be adopted. */
  readonly enter?: (step: Step, live: JsonObject) => StateEntry | string;
  /** For batches of messages that may have arrived in part. Without it such a batch stays unknown once it is in doubt. */
  readonly settling?: Settling;
  /** Lifts the limits on failures (semantics §4.7). */
  readonly keepGoing?: boolean;
  /** When aborted, no new step starts and running steps finish. */
  readonly signal?: AbortSignal;
  /** No new step starts after this time. */
  readonly maxDurationMs?: number;
  /** The buckets of a request. With them a step whose buckets are full does not hold up steps with other buckets. */
  readonly limits?: LimitsOf;
  /** The client's time-out, which the lease must outlast. Default: 30 s. */
  readonly requestTimeoutMs?: number;
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
