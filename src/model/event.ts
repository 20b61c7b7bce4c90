// The events of a run. --events writes one per line, and every progress view is built from them.
import type { Action } from './action.ts';
import type { Address } from './address.ts';

export type StepOutcome = 'succeeded' | 'failed' | 'unknown' | 'skipped';

export type ApplyEvent =
  | {
      readonly type: 'run.started';
      readonly steps: number;
      readonly lower_bound_s: number;
      readonly routes: readonly PlannedRoute[];
    }
  | {
      readonly type: 'step.started';
      readonly step: string;
      readonly address: Address;
      readonly action: Action;
      /** `POST /users`; absent when only state changes. */
      readonly route?: string;
    }
  | {
      readonly type: 'step.retried';
      readonly step: string;
      readonly address: Address;
      readonly attempt: number;
      readonly why: string;
    }
  | {
      readonly type: 'step.ended';
      readonly step: string;
      readonly address: Address;
      readonly action: Action;
      readonly route?: string;
      readonly outcome: StepOutcome;
      readonly failure?: StepFailure;
      /** How the effect was confirmed, if not by the answer itself: `done_on 400202`, `resolved by reading`. */
      readonly note?: string;
    }
  | { readonly type: 'rate.limited'; readonly route: string; readonly retry_after_s: number }
  | { readonly type: 'run.stopping'; readonly why: string }
  | { readonly type: 'run.ended'; readonly outcome: RunOutcome };

/** The calls that a run will make to one route. */
export interface PlannedRoute {
  /** `POST /users` */
  readonly route: string;
  readonly calls: number;
  /** Calls per second under the tightest limit; absent if no limit is known. */
  readonly allowed_per_s?: number;
  /** The same under the other interpretation of the user rules (platform §3), if that allows less. */
  readonly other_allowed_per_s?: number;
}

export type RunOutcome =
  | 'done'
  | 'incomplete'
  | 'interrupted'
  | 'out_of_time'
  | 'authentication'
  | 'conflict'
  | 'refused';

export interface StepFailure {
  readonly address: Address;
  readonly action: Action;
  /** `POST /users`; absent when only state was to change. */
  readonly call?: string;
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** The platform's code; 0 when there is none. */
  readonly code: number;
  readonly message: string;
  /** What to do. Present only in reports, for known codes of the platform. */
  readonly advice?: string;
}

/** The progress of a run at one moment. */
export interface Progress {
  /** In steps, as is `done`. */
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly unknown: number;
  readonly skipped: number;
  readonly running: number;
  /** Steps that ended, a second, over the last ten seconds. */
  readonly ratePerS: number;
  readonly elapsedS: number;
  readonly leftS: number;
  /** Sorted by the time that the remaining calls need, longest first. */
  readonly lanes: readonly LaneProgress[];
}

/** The steps of one route. */
export interface LaneProgress {
  /** `POST /users` */
  readonly route: string;
  readonly total: number;
  readonly remaining: number;
  /** Steps that have started and not ended, including those that wait for another attempt. */
  readonly running: number;
  /** Steps that ended, a second, over the last ten seconds. */
  readonly ratePerS: number;
  /** Calls per second under the tightest limit of the lane; absent if no limit is known. */
  readonly allowedPerS?: number;
}
