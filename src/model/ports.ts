// The ports: interfaces to clock, platform and state, of which the applier is given implementations.

import type { JsonObject } from '../lib/json.ts';
import type { Series } from '../lib/series.ts';
import type { Address } from './address.ts';
import type { StateEntry, StateRecord } from './record.ts';
import type { ApiRequest } from './request.ts';
import type { Step, TokenField } from './step.ts';

/** Time in milliseconds; `now` is monotonic, `date` is the wall clock. */
export interface Clock {
  now(): number;
  date(): Date;
  /** Resolves after `ms`, at most 24 days, or at once when the signal is aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
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
 * `refused`: a 4xx other than 429, final. `limited`: 429, nothing happened. `unknown`: nobody can say whether it took
 * effect (reset, time-out, any 5xx, a cut or unparsable answer). `unsent`: it surely never reached the platform
 * (connection refused, name not found), so that it may be sent again.
 */
export type Answer = (
  | { readonly type: 'ok'; readonly body: JsonObject }
  | { readonly type: 'refused'; readonly status: number; readonly code: number; readonly message: string }
  | { readonly type: 'limited'; readonly retryAfterS: number | undefined }
  | {
      readonly type: 'unknown';
      readonly status?: number;
      readonly message: string;
      /** Something came that no answer of the platform is, too large or nested too deep: another attempt would be as good as this. */
      readonly isUnusable?: true;
      /** It began and did not end in time. That is worth a few more attempts, not many, because each takes as long. */
      readonly isUnfinished?: true;
    }
  | { readonly type: 'unsent'; readonly message: string }
) & {
  readonly rate?: RateHeaders;
  /** The time by the clock at which the request left; later than `send` was called when a connection had to be made first. */
  readonly leftAt?: number;
};

/** The longest that one attempt lasts, in milliseconds, from the call of `send` to the last byte. The lease on state must outlast it. */
export const requestTimeoutMs = 30_000;

/**
 * Sends requests: one attempt, no retry, no pacing. Fills placeholders. Never rejects for anything that the network or the
 * platform does; rejects with a Refusal when a placeholder cannot be filled (a changed file, a missing variable).
 * A token field is taken out of the answer for the sink before anybody sees the rest; `access_token` and `bot_token` are always dropped.
 */
export interface Platform {
  send(request: ApiRequest, options?: Sending): Promise<Answer>;
}

export interface Sending {
  readonly sink?: TokenField;
  /** Asked at the moment when the bytes leave; if false they stay here, and the answer is `unsent`. Default: they may. */
  readonly mayLeave?: () => boolean;
}

/** Takes issued tokens: the file of --tokens-out. A token is durable when `write` resolves. */
export interface TokenSink {
  write(token: { readonly user_id: string; readonly field: string; readonly value: string }): Promise<void>;
}

/** The rate limiter: decides when a request may leave, and learns from every answer. */
export interface Pacer {
  /** Takes a slot in all buckets of the request, or in none: 0 when taken, else the milliseconds after which to ask again. */
  take(request: ApiRequest): number;
  /** To be called with the answer to every request that took a slot; `takenAt` is the clock at that time. */
  learn(request: ApiRequest, answer: Answer, takenAt: number): void;
}

/** A request that was begun and whose end is not in the journal. */
export interface PendingBegin {
  readonly step: string;
  readonly address: Address;
  /** Digest of the request, so that a changed plan is not mistaken for the interrupted one. */
  readonly request: string;
  /** Wall clock, ISO 8601. */
  readonly at: string;
  /**
   * The step as it was planned, without its needs: with it a later run settles the call before it plans, whatever the
   * manifests declare by then.
   */
  readonly planned?: Step;
}

/** Identifies a state. */
export interface StateHeader {
  readonly format: string;
  /** Made at the first write, never changed: two states with one lineage are versions of one. */
  readonly lineage: string;
  readonly application: string;
}

/** State opened for reading: a consistent view, without a lock. */
export interface StateSnapshot {
  /** Absent for a state that was never written. */
  readonly header: StateHeader | undefined;
  get(address: Address): StateRecord | undefined;
  /**
   * Sorted by address, by code unit. They may lie on disk, and each access parses a record anew. Entries that are written
   * during an iteration may or may not be seen.
   */
  records(): Series<StateRecord>;
  readonly size: number;
  readonly pending: readonly PendingBegin[];
}

/** State opened for writing, under a lock. Every promise resolves when the entry is durable; calls may overlap. */
export interface StateWriter extends StateSnapshot {
  readonly header: StateHeader;
  /** Before a request that changes something. */
  begin(begin: PendingBegin): Promise<void>;
  /** The step has succeeded: its entry counts from now on, and its begin is settled. */
  done(step: string, entry: StateEntry): Promise<void>;
  /** The begun request surely had no effect. */
  undone(step: string): Promise<void>;
  /** Milliseconds for which the lock is surely still held; a request must not leave with less than its time-out. */
  leaseLeft(): number;
  /** Compacts when it is worth it, releases the lock. */
  close(): Promise<void>;
}

/** A place where state lives. */
export interface StateBackend {
  /** For messages: `file:.chatform/state`. */
  readonly name: string;
  /** Refused (exit code 6) when the state belongs to another application. */
  read(application: string): Promise<StateSnapshot>;
  open(options: OpenState): Promise<StateWriter>;
}

export interface OpenState {
  readonly application: string;
  /** How long to wait for another run's lock before refusing (exit code 7). */
  readonly lockTimeoutMs: number;
}
