// The events of a run, and the notices of a use case. --events writes the events, one per line, and every progress
// view is built from them.

import type { Amount, Count, PositiveCount } from '../../lib/json.ts';
import type { Action } from './action.ts';
import type { Address } from './address.ts';
import type { StoredValue } from './change.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Answer } from './ports.ts';
import type { GateOutcome } from './stages/stages.ts';

export type StepOutcome = 'succeeded' | 'failed' | 'unknown' | 'skipped';

export type ApplyEvent = RunStarted | LaterEvent;

/** One attempt to send a request. Contains no ids of objects, bodies or tokens. */
export interface Attempt {
  readonly route: string;
  /** Counts from 1 per request. */
  readonly attempt: number;
  readonly type: Answer['type'];
  /** Absent without an answer. */
  readonly status?: number;
  /** The platform's error code. */
  readonly code?: number;
  /** Why there is no answer. It never quotes the platform. */
  readonly reason?: string;
  /** The id that the platform or a proxy gave this request. Support asks for it. */
  readonly requestId?: string;
  /** The address of the proxy, without its user name and password. */
  readonly proxy?: string;
  readonly durationMs: number;
}

export interface RunStarted {
  readonly type: 'run.started';
  /** The events of a rehearsal on a simulated platform. Absent in a real run. */
  readonly rehearsal?: true;
  readonly steps: Count;
  readonly lower_bound_s: Amount;
  /** The calls that the run is to make. */
  readonly routes: readonly PlannedRoute[];
}

export type LaterEvent =
  | {
      readonly type: 'step.started';
      /** The id of the step, unique in the plan. */
      readonly step: string;
      readonly address: Address;
      readonly action: Action;
      /** The method and route of its call: `POST /users`. Absent if only state changes. */
      readonly route?: string;
      /** The stage of the step. Absent without --stage. */
      readonly stage?: PositiveCount;
    }
  | {
      readonly type: 'step.retried';
      /** The id of the step, unique in the plan. */
      readonly step: string;
      readonly address: Address;
      readonly attempt: Count;
      readonly why: string;
    }
  | {
      readonly type: 'step.ended';
      /** The id of the step, unique in the plan. */
      readonly step: string;
      readonly address: Address;
      readonly action: Action;
      /** The method and route of its call: `POST /users`. Absent if only state changes. */
      readonly route?: string;
      /** The stage of the step. Absent without --stage. */
      readonly stage?: PositiveCount;
      readonly outcome: StepOutcome;
      readonly failure?: StepFailure;
      /** How the effect was confirmed, if not by the plain answer. */
      readonly note?: string;
    }
  /** The platform stored a value in another form than it was sent. */
  | ({
      readonly type: 'value.stored';
      /** The id of the step, unique in the plan. */
      readonly step: string;
    } & StoredValue)
  | {
      readonly type: 'rate.limited';
      readonly route: string;
      readonly retry_after_s: Amount;
      /** How long every call has been refused with 429. */
      readonly refused_for_s: Amount;
    }
  /** All steps of the stage have ended, and its gate is asked whether the next one may begin. */
  | {
      readonly type: 'gate.started';
      readonly stage: PositiveCount;
      /** As in --stage. */
      readonly select: string;
    }
  | {
      readonly type: 'gate.ended';
      readonly stage: PositiveCount;
      readonly outcome: GateOutcome;
      readonly took_s: Amount;
      /** Absent if it passed. */
      readonly why?: string;
    }
  | { readonly type: 'run.stopping'; readonly why: string }
  | { readonly type: 'run.ended'; readonly outcome: RunOutcome };

export type StepEnded = Extract<LaterEvent, { readonly type: 'step.ended' }>;

/** Whether the platform answered the call of the step. */
export function isAnswered({ outcome, failure }: StepEnded): boolean {
  return outcome === 'succeeded' || (failure?.status ?? 0) > 0;
}

/** The calls that a run will make to one route. */
export interface PlannedRoute {
  /** `POST /users`. */
  readonly route: string;
  readonly calls: PositiveCount;
  /** Calls a second that the tightest limit allows; absent if no limit is known. */
  readonly allowed_per_s?: Amount;
  /** The same by the other reading of the user rules, where that allows less. */
  readonly other_allowed_per_s?: Amount;
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
  /** POST /users. Absent if only state was to change. */
  readonly call?: string;
  /** The call may have taken effect. Absent: the step failed. */
  readonly outcome?: 'unknown';
  /** HTTP status; 0 when there was no answer. */
  readonly status: Count;
  /** The platform's code; 0 when there is none. */
  readonly code: Count;
  readonly message: string;
  /** Ids in the call that do not exist on the platform. The call was made without them, if it could be. Absent: none. */
  readonly missing_ids?: readonly string[];
  /** What to do about it, if the platform's code is known. */
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
  /** Ended steps per second, over the last ten seconds. */
  readonly ratePerS: number;
  readonly elapsedS: number;
  readonly leftS: number;
  /** How long every call has been refused (429). 0 once one is accepted. */
  readonly refusedS: number;
  /** Sorted by the time that the remaining calls need, longest first. */
  readonly lanes: readonly LaneProgress[];
}

/** The steps of one route. */
export interface LaneProgress {
  /** `POST /users`. */
  readonly route: string;
  readonly total: number;
  readonly remaining: number;
  /** Steps that have started and not ended, including those that wait for another attempt. */
  readonly running: number;
  /** Ended steps per second, over the last ten seconds. */
  readonly ratePerS: number;
  /** Calls per second under the tightest limit of the lane; absent if no limit is known. */
  readonly allowedPerS?: number;
}

/** A notice of a use case while it works. Commands print it. Programs receive it through `onNotice`. */
export type Notice =
  /** Warnings and notes on manifests that are valid. */
  | { readonly type: 'remarks'; readonly diagnostics: readonly Diagnostic[] }
  | ({
      readonly type: 'refresh-cost';
      /** Requests that read one attribute of one object. */
      readonly each: number;
    } & CostOfReading)
  /** The cost of a refresh that was not requested. */
  | ({ readonly type: 'refresh-offer' } & CostOfReading)
  /** Too many objects to count the requests of a refresh quickly. */
  | { readonly type: 'refresh-offer-large'; readonly objects: number }
  /** The platform has not responded yet and is retried. `host` comes from the base URL. */
  | { readonly type: 'host-silent'; readonly host: string; readonly why: string }
  /** The clock of the platform is ahead of ours, or behind it (negative), by more than a minute. */
  | { readonly type: 'clock-differs'; readonly aheadMs: number }
  | { readonly type: 'lock-waiting'; readonly holder: string; readonly atMostMs: number }
  | { readonly type: 'read-stopping' }
  | { readonly type: 'run-stopping' }
  /** The number of calls of an interrupted run whose outcome is now known. */
  | { readonly type: 'run-recovered'; readonly calls: number }
  /** Told before a plan that finishes what another run left. `steps` are those of that run; absent if it was killed. */
  | {
      readonly type: 'run-continues';
      readonly run: number;
      /** ISO 8601. */
      readonly startedAt: string;
      readonly steps?: { readonly succeeded: number; readonly planned: number };
    }
  /** Calls of an interrupted run may still take effect, so the run waits for them. */
  | { readonly type: 'run-settling'; readonly calls: number; readonly ms: number }
  /** The before-values of the run exceed their limit, so none are kept. */
  | { readonly type: 'undo-impossible'; readonly megabytes: number }
  /** The objects that --skip-conflicts skips. */
  | { readonly type: 'plan-left-out'; readonly addresses: readonly string[]; readonly steps: number }
  /** Told before everything is listed. The platform does not say how many objects it has. */
  | ({ readonly type: 'unmanaged-price' } & ListPrice)
  | { readonly type: 'export-reading'; readonly application: string; readonly isContinued: boolean }
  /** Told while an export or `drift --unmanaged` lists objects. */
  | { readonly type: 'export-progress'; readonly title: string; readonly objects: number }
  /** Told before histories, marks and hidden channels are read. `isAtMost`: an earlier export has some of the messages. */
  | {
      readonly type: 'export-price';
      readonly price: ExportPrice;
      readonly isAtMost: boolean;
    }
  /** Messages that the platform counts, and that no comparison with history files read. */
  | { readonly type: 'messages-unlisted'; readonly messages: number; readonly channels: number }
  | { readonly type: 'rebuild-comparing'; readonly historyFiles: number };

interface CostOfReading {
  readonly kinds: readonly { readonly title: string; readonly objects: number; readonly requests: number }[];
  readonly atLeastS: number;
  readonly unlisted?: UnlistedCost | undefined;
}

/** Reads of parts that lists may leave out. */
export interface UnlistedCost {
  /** The part that causes the most reads, such as `operators`. */
  readonly part: string;
  readonly requests: number;
  readonly lower_bound_s: number;
}

/** What it costs to list every object of the kinds with these titles. */
export interface ListPrice {
  readonly titles: readonly string[];
  /** The number of objects that are declared or in state. */
  readonly known: number;
  /** The fewest requests that list the known objects. */
  readonly requests: number;
  /** The shortest time for those requests in seconds. */
  readonly atLeastS: number;
  /** The price of this many objects more, of the kind whose list is slowest. */
  readonly more: { readonly objects: number; readonly requests: number; readonly atLeastS: number };
}

/** What an export costs, without the lists of objects. */
export interface ExportPrice {
  /** Objects are messages, the channels whose pins are read, and the users whose hidden channels are read. */
  readonly kinds: readonly {
    readonly what: 'messages' | 'pins' | 'hidden_channels';
    /** Messages, the channels whose pins are read, or the users whose hidden channels are read. */
    readonly objects: Count;
    readonly requests: Count;
  }[];
  readonly requests: Count;
  /** The shortest time in seconds under the limits of the rate plan. */
  readonly lower_bound_s: Amount;
  /** Only some channels were counted. */
  readonly is_estimate: boolean;
}
