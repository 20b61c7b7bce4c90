// Interfaces to the clock, the platform and state. The applier receives their implementations.

import type { JsonObject } from '../../lib/json.ts';
import type { Series } from '../../lib/series.ts';
import type { SleepSignal } from '../../lib/sleep-signal.ts';
import type { Address } from './address.ts';
import type { AnnouncedLimits } from './limits.ts';
import type { StateEntry, StateRecord } from './record.ts';
import type { ApiRequest } from './request.ts';
import type { Step, TokenField } from './step.ts';

/** Time in milliseconds; `now` is monotonic, `date` is the wall clock. */
export interface Clock {
  now(): number;
  date(): Date;
  /** Resolves after `ms` (at most 24 days), or at once when the signal is aborted. Never rejects. */
  sleep(ms: number, signal?: SleepSignal): Promise<void>;
}

/** Random numbers in [0, 1). */
export type Random = () => number;

/** The answer's rate-limit headers (base, Rate-limit response headers). */
export interface RateHeaders {
  readonly calls: number;
  readonly windowS: number;
  readonly remaining: number;
  readonly resetS: number;
  readonly retryAfterS: number;
}

/**
 * The outcome of one attempt.
 * `refused`: a final 4xx other than 429. `limited`: 429, without effect. `unknown`: the call may have taken effect (reset,
 * time-out, any 5xx, a truncated or unparsable answer). `unsent`: the call never reached the platform (connection refused,
 * name not found) and can be sent again.
 */
export type Answer = (
  | { readonly type: 'ok'; readonly body: JsonObject }
  | { readonly type: 'refused'; readonly status: number; readonly code: number; readonly message: string }
  | { readonly type: 'limited'; readonly retryAfterS: number | undefined }
  | {
      readonly type: 'unknown';
      readonly status?: number;
      readonly message: string;
      /** The time in seconds that a server error (5xx) asks to wait. */
      readonly retryAfterS?: number;
      /** The answer is too large or nested too deeply, so another attempt would fail the same way. */
      readonly isUnusable?: true;
      /** The platform answered, but the answer shows neither success nor refusal, so a read can tell at once. */
      readonly isUnclear?: true;
      /** The answer began but did not end in time. Such a call gets only a few more attempts, because each may take as long. */
      readonly isUnfinished?: true;
    }
  | { readonly type: 'unsent'; readonly message: string }
) & {
  readonly rate?: RateHeaders;
  /** When the request left, in clock time. It is later than the call of `send` if a connection had to be opened first. */
  readonly leftAt?: number;
  /** The length of the text that arrived. Absent on platforms that send no text. */
  readonly characters?: number;
};

/** The maximum duration of one attempt in milliseconds, from the call of `send` to the last byte. The lease must outlast it. */
export const requestTimeoutMs = 30_000;

/**
 * Sends a request once, without retry or pacing, after filling its placeholders. Rejects only with a Refusal, when a
 * placeholder cannot be filled (a changed file, a missing variable). The token field is written to the sink and removed
 * from the answer; `access_token` and `bot_token` are always removed. A digest replaces the access token of a user.
 */
export interface Platform {
  send(request: ApiRequest, options?: Sending): Promise<Answer>;
}

export interface Sending {
  readonly sink?: TokenField;
  /** Asked when the bytes are about to leave. If it returns false they are not sent, and the answer is `unsent`. Default: true. */
  readonly mayLeave?: () => boolean;
}

/** Stores issued tokens (--tokens-out). A token is durable when `write` resolves. */
export interface TokenSink {
  write(token: { readonly user_id: string; readonly field: string; readonly value: string }): Promise<void>;
}

/** The rate limiter. It decides when a request may leave and learns from every answer. */
export interface Pacer {
  /** Takes a slot in all buckets of the request and returns 0, or takes none and returns the milliseconds to wait. */
  take(request: ApiRequest): number;
  /** Must be called with the answer to every request that took a slot. `takenAt` is the clock time of `take`. */
  learn(request: ApiRequest, answer: Answer, takenAt: number): void;
  /** Announced limits that differ from the declared ones. Undefined: none. Absent: the pacer does not compare them. */
  announced?(): AnnouncedLimits | undefined;
}

/** A request whose begin is in the journal but whose end is not. */
export interface PendingBegin {
  readonly step: string;
  readonly address: Address;
  /** The digest of the request, which tells a changed plan from the interrupted one. */
  readonly request: string;
  /** Wall clock, ISO 8601. */
  readonly at: string;
  /**
   * The step as planned, without its needs, so that a later run can resolve the call before it plans, whatever the manifests
   * declare by then.
   */
  readonly planned: Step;
}

export interface StateHeader {
  readonly format: string;
  /** Created at the first write and never changed. Two states with the same lineage are versions of one state. */
  readonly lineage: string;
  readonly application: string;
}

/** State opened for reading: a consistent view, without a lock. */
export interface StateSnapshot {
  /** Absent for a state that was never written. */
  readonly header: StateHeader | undefined;
  get(address: Address): StateRecord | undefined;
  /**
   * Sorted by address, by code unit. The records may be on disk, where each access parses a record again. An iteration may
   * or may not see entries that are written meanwhile.
   */
  records(): Series<StateRecord>;
  readonly size: number;
  readonly pending: readonly PendingBegin[];
}

/** A state that was never written. */
export const emptyState: StateSnapshot = {
  header: undefined,
  get: () => undefined,
  records: () => [],
  size: 0,
  pending: [],
};

/** State opened for writing, under a lock. A promise resolves when all entries so far are durable. A turn is one flush. */
export interface StateWriter extends StateSnapshot {
  readonly header: StateHeader;
  /** Must resolve before the request is sent. */
  begin(begin: PendingBegin): Promise<void>;
  /** Records that the step succeeded. Applies its entry and ends its begin. */
  done(step: string, entry: StateEntry): Promise<void>;
  /** Records that the begun request had no effect. */
  undone(step: string): Promise<void>;
  /** Milliseconds for which the lock is guaranteed. A request must not leave if its time-out is longer. */
  leaseLeft(): number;
  /** Compacts if that is worthwhile, and releases the lock. */
  close(): Promise<void>;
}

/** A place where state is stored. */
export interface StateBackend {
  /** As shown in messages: `file:.chatform/state`. */
  readonly name: string;
  /** Refuses (exit code 6) a state of another application. */
  read(application: string): Promise<StateSnapshot>;
  open(options: OpenState): Promise<StateWriter>;
}

export interface OpenState {
  readonly application: string;
  /** How long to wait for the lock of another run before refusing (exit code 7). */
  readonly lockTimeoutMs: number;
}
