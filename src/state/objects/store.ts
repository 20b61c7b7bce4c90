// What the backend in object storage needs of a store: a port of six calls, so that all but transport is shared.

export interface StoredObject {
  readonly bytes: Buffer;
  /** Identifies this version of the object: an ETag or a generation. */
  readonly tag: string;
  /** Milliseconds since the object was written, by the clock of the store, to the second. */
  readonly ageMs: number;
}

/**
 * One attempt a call, without retries. Keys lie under the prefix of the address. Every method rejects with a StoreFailure
 * when the store cannot be reached, is busy, or refuses; whether a write took effect is then unknown.
 */
export interface ObjectStore {
  get(key: string): Promise<StoredObject | undefined>;
  /** Writes a new object and gives its tag; undefined when the key is taken. */
  create(key: string, bytes: Uint8Array): Promise<string | undefined>;
  /** Writes over the version with this tag and gives the new tag; undefined when that version is not there any more. */
  replace(key: string, bytes: Uint8Array, tag: string): Promise<string | undefined>;
  /** All keys that begin with the prefix, sorted. */
  list(prefix: string): Promise<readonly string[]>;
  /** Does nothing for a key without an object. */
  remove(keys: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** What a store did instead of what it was asked for. */
export interface FailedCall {
  /** After "The state NAME cannot be used: ". */
  readonly what: string;
  readonly advice: string;
  /** `busy`: it answered that it cannot now; `away`: no answer; `denied`: its credentials; `refused`: anything else. */
  readonly kind: 'busy' | 'away' | 'denied' | 'refused';
}

export class StoreFailure extends Error {
  readonly call: FailedCall;

  constructor(call: FailedCall, options?: { readonly cause?: unknown }) {
    super(call.what, options);
    this.name = 'StoreFailure';
    this.call = call;
  }

  /** May end by itself. */
  get isTransient(): boolean {
    return this.call.kind === 'busy' || this.call.kind === 'away';
  }
}
