// What is the applier given, and what does it hand back?

import type { InternalError } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Refusal } from '../model/errors.ts';
import type { ApplyEvent } from '../model/event.ts';
import type { LimitsOf } from '../model/limits.ts';
import type { Plan } from '../model/plan.ts';
import type { Clock, Pacer, PendingBegin, Platform, Random, StateWriter } from '../model/ports.ts';
import type { ApplyReport } from '../model/report.ts';
import type { Step } from '../model/step.ts';
import type { Settling } from './step/settle.ts';

/** The part of a plan that is carried out. Steps that an earlier run has done are taken out by the caller. */
export interface PlannedWork {
  readonly steps: Plan['steps'];
  readonly duration: Pick<Plan['duration'], 'lower_bound_s' | 'chain'>;
}

export interface ApplyPorts {
  readonly platform: Platform;
  readonly pacer: Pacer;
  readonly state: StateWriter;
  readonly clock: Clock;
  /** Called at once and in order; must not throw. */
  readonly emit: (event: ApplyEvent) => void;
}

/** What a create does that meets an object which is not ours (semantics §4.5). */
export type Existing = 'refuse' | 'adopt_equal' | 'adopt';

export interface ApplyOptions {
  /** For the jitter of back-offs. */
  readonly random: Random;
  /** Default: `refuse`. */
  readonly existing?: Existing;
  /**
   * Under `adopt`: the steps that take a live object over, in place of its create. They run one after the other, the
   * first of them without a request (it puts the record into state); the object's later steps follow as planned.
   * Undefined: the object cannot be taken over.
   */
  readonly adopt?: (step: Step, live: JsonObject) => readonly Step[] | undefined;
  /** For calls of which a part may have landed; without it such a call stays unknown once it is in doubt. */
  readonly settling?: Settling;
  /** Lifts the limits on failures (semantics §4.7). */
  readonly keepGoing?: boolean;
  /** Aborted: no new step, running ones finish. */
  readonly signal?: AbortSignal;
  /** After that long no new step is started. */
  readonly maxDurationMs?: number;
  /** The buckets of a request, so that steps with other buckets pass a step whose buckets are full. */
  readonly limits?: LimitsOf;
  /** The client's time-out: the lease must outlast it. Default: 30 s. */
  readonly requestTimeoutMs?: number;
  /** How many steps may be under way at once. Default: 512. */
  readonly maxInFlight?: number;
  /** How many failures the report lists; all are counted. Default: 1,000. */
  readonly maxFailuresListed?: number;
}

export interface ApplyResult {
  readonly report: ApplyReport;
  /** What ended the run when no answer of the platform did: to be thrown again once the report is written. */
  readonly refusal?: Refusal | InternalError;
  /** Begun requests of earlier runs that this plan says nothing about; they stay in the journal. */
  readonly leftPending: readonly PendingBegin[];
}
