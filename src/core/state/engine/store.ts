// The port to a place that keeps state. It has six calls, so that the engine shares everything but transport.
import type { ExitCode } from '../../model/exit-code.ts';

export interface StoredObject {
  readonly bytes: Buffer;
  /** Identifies this version of the object: an ETag, a generation or a number. */
  readonly tag: string;
  /** Milliseconds since the object was written, by the clock of the store, plus `clockAheadMs`. Never too many. */
  readonly ageMs: number;
  /** Reads a part of the bytes again, so that a caller need not keep them. Present if that is fast. */
  readonly readAgain?: (offset: number, length: number) => Buffer;
}

/**
 * Each call makes one attempt. Keys are relative to the address. Every method rejects with a StoreFailure if the store cannot
 * be reached, is busy, or refuses. Whether a write took effect is then unknown. An acknowledged write survives a power
 * failure.
 */
export interface ObjectStore {
  get(key: string): Promise<StoredObject | undefined>;
  /**
   * Writes a new object and returns its tag, or undefined if the key is taken. `after` is an object that must exist, if the
   * store can make that a condition of the write.
   */
  create(key: string, bytes: Uint8Array, after?: string): Promise<string | undefined>;
  /** Replaces the version with this tag and returns the new tag, or undefined if that version no longer exists. */
  replace(key: string, bytes: Uint8Array, tag: string): Promise<string | undefined>;
  /** Returns all keys that begin with the prefix, sorted. */
  list(prefix: string): Promise<readonly string[]>;
  /** Ignores keys without an object. */
  remove(keys: readonly string[]): Promise<void>;
  close(): Promise<void>;

  /**
   * Present for a store that measures ages by the clock of this machine. Writes an object, removes it, and returns how many
   * milliseconds that clock is ahead of the clock of the store.
   */
  clockAheadMs?(): Promise<number>;
  /**
   * Present for a store whose files people read: its objects are plain lines, and its calls are fast. Called with the parts of
   * the snapshot once the head names them. A snapshot of one part gets a permanent name.
   */
  showSnapshot?(keys: readonly string[]): Promise<void>;
  /** Present for a store that finds its objects by application. Returns the store in which the next creation moves them to another. */
  movedTo?(application: string): ObjectStore;
}

/** A parsed `--state`. */
export interface StoreAddress {
  /** For messages, without credentials. */
  readonly name: string;
  /** Makes a store for one use of an application's state. Sends nothing before the first call. */
  connect(application: string): Promise<ObjectStore>;
  /** Present if the address keeps a state for each application. */
  applications?(): Promise<readonly string[]>;
  /** Durations that replace the usual ones and `--state-patience`. */
  readonly terms?: { readonly patienceMs: number; readonly leaseMs: number; readonly heartbeatMs?: number };
}

export interface FailedCall {
  /** Continues the sentence "The state NAME cannot be used: ". */
  readonly what: string;
  readonly advice: string;
  /** `busy`: the store cannot answer now; `away`: no answer; `denied`: the credentials; `refused`: anything else. */
  readonly kind: 'busy' | 'away' | 'denied' | 'refused';
  /** A standby is waited for only after a write has succeeded. Before that, the address is wrong. */
  readonly isStandby?: boolean;
  /** The code and exit code of the refusal, if not the usual ones. */
  readonly code?: string;
  readonly exit?: ExitCode;
}

export class StoreFailure extends Error {
  readonly call: FailedCall;

  constructor(call: FailedCall, options?: { readonly cause?: unknown }) {
    super(call.what, options);
    this.name = 'StoreFailure';
    this.call = call;
  }

  /** Whether the failure may end by itself. */
  get isTransient(): boolean {
    return this.call.kind === 'busy' || this.call.kind === 'away';
  }
}
