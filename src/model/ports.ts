// What does the core ask of the world? The interfaces that the applier is given.

import type { JsonObject } from '../lib/json.ts';
import type { Series } from '../lib/series.ts';
import type { Address } from './address.ts';
import type { StateEntry, StateRecord } from './record.ts';
import type { ApiRequest } from './request.ts';
import type { Step, TokenField } from './step.ts';

/** Time as an argument. Milliseconds; `now` is monotonic, `date` is the wall clock. */
export interface Clock {
  now(): number;
  date(): Date;
  /** Resolves after `ms` (of more than 24 days, after those), or at once when the signal is aborted (it never rejects). */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Random numbers in [0, 1). */
export type Random = () => number;

/** Figures of the answer's rate-limit headers (base, Rate-limit response headers). */
export interface RateHeaders {
  readonly calls: number;
  readonly windowS: number;
  readonly remaining: number;
  readonly resetS: number;
  readonly retryAfterS: number;
}

/**
 * The end of one attempt.
 * `refused`: a 4xx other than 429, final. `limited`: 429, nothing happened. `unknown`: nobody can say whether it took
 * effect (reset, time-out, any 5xx, a cut or unparsable answer). `unsent`: it surely never reached the platform
 * (connection refused, name not found), so that it may be sent again.
 */
export type Answer = (
  | { readonly type: 'ok'; readonly body: JsonObject }
  | { readonly type: 'refused'; readonly status: number; readonly code: number; readonly message: string }
  | { readonly type: 'limited'; readonly retryAfterS: number | undefined }
  | { readonly type: 'unknown'; readonly status?: number; readonly message: string }
  | { readonly type: 'unsent'; readonly message: string }
) & {
  readonly rate?: RateHeaders;
  /** The clock at which the request left, once it had a connection: later than it was handed over when one was made. */
  readonly leftAt?: number;
};

/**
 * The platform's edge: one attempt, no retry, no pacing. Fills holes. Never rejects for anything that the network or
 * the platform does; rejects with a Refusal when a hole cannot be filled (a file that changed, a variable that is gone).
 * A token field is taken out of the answer for the sink before anybody sees the rest; `access_token` is always dropped.
 */
export interface Platform {
  send(request: ApiRequest, options?: { readonly sink?: TokenField }): Promise<Answer>;
}

/** Where issued tokens go: the file of --tokens-out. Durable before it resolves. */
export interface TokenSink {
  write(token: { readonly user_id: string; readonly field: string; readonly value: string }): Promise<void>;
}

/** The rate limiter: says when a request may leave, and learns from every answer. */
export interface Pacer {
  /** Takes a slot in all buckets of the request, or in none: 0 when taken, else the milliseconds after which to ask again. */
  take(request: ApiRequest): number;
  /** To be told of every answer to a request that took a slot, at `takenAt` by the clock; `leftAt` says when it left. */
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
   * The step as it was planned, without what it waited for: with it a later run brings the call to a known end before it
   * plans, whatever is declared by then.
   */
  readonly planned?: Step;
}

/** What a state is about. */
export interface StateHeader {
  readonly format: string;
  /** Made at the first write, never changed: two states with one lineage are versions of one. */
  readonly lineage: string;
  readonly application: string;
}

/** State opened for reading: a consistent picture that takes no lock. */
export interface StateSnapshot {
  /** Absent for a state that was never written. */
  readonly header: StateHeader | undefined;
  get(address: Address): StateRecord | undefined;
  /**
   * Sorted by address, by code unit. They may lie on a disk: each one that is asked for is parsed anew. What is recorded
   * while they are gone through may or may not be seen.
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
  /** The step has succeeded: its entry counts from now on, and its begin is over. */
  done(step: string, entry: StateEntry): Promise<void>;
  /** The begun request surely had no effect. */
  undone(step: string): Promise<void>;
  /** Milliseconds for which the lock is surely still ours; a request must not leave with less than its time-out. */
  leaseLeft(): number;
  /** Compacts when it is worth it, releases the lock. */
  close(): Promise<void>;
}

/** A place where state lives. */
export interface StateBackend {
  /** For messages: `file:.chatform/state`. */
  readonly name: string;
  /** Refused (6) when the state is of another application than the one given. */
  read(application: string): Promise<StateSnapshot>;
  open(options: OpenState): Promise<StateWriter>;
}

export interface OpenState {
  readonly application: string;
  /** How long to wait for somebody else's lock before refusing (7). */
  readonly lockTimeoutMs: number;
}
