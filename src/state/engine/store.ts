// What the engine needs of a place that keeps state: a port of six calls, so that all but transport is shared.
import type { ExitCode } from '../../model/exit-code.ts';

export interface StoredObject {
  readonly bytes: Buffer;
  /** Identifies this version of the object: an ETag, a generation or a number. */
  readonly tag: string;
  /** Milliseconds since the object was written, by the clock of the store; rather too few than too many. */
  readonly ageMs: number;
  /** Reads a part of the bytes once more, so that a caller need not keep them. Present where that takes next to no time. */
  readonly readAgain?: (offset: number, length: number) => Buffer;
}

/**
 * One attempt a call, without retries. Keys are relative to the address. Every method rejects with a StoreFailure when the
 * store cannot be reached, is busy, or refuses; whether a write took effect is then unknown. What was written survives a
 * power failure.
 */
export interface ObjectStore {
  get(key: string): Promise<StoredObject | undefined>;
  /**
   * Writes a new object and gives its tag; undefined when the key is taken. `after`: an object that has to be there, if the
   * store can make that a condition of the write.
   */
  create(key: string, bytes: Uint8Array, after?: string): Promise<string | undefined>;
  /** Writes over the version with this tag and gives the new tag; undefined when that version is not there any more. */
  replace(key: string, bytes: Uint8Array, tag: string): Promise<string | undefined>;
  /** All keys that begin with the prefix, sorted. */
  list(prefix: string): Promise<readonly string[]>;
  /** Does nothing for a key without an object. */
  remove(keys: readonly string[]): Promise<void>;
  close(): Promise<void>;

  /**
   * Only of a store that people look into: there objects are plain lines, and calls take next to no time. Called with the
   * parts of the snapshot once the head names them; a snapshot of one part gets a name that stays.
   */
  showSnapshot?(keys: readonly string[]): Promise<void>;
  /** Only of a store that finds its objects by application: the store in which the next creation moves all of them to another. */
  movedTo?(application: string): ObjectStore;
  /** A state of chatform 0.2 in the same place. Absent where the format is the same. */
  readonly older?: OlderState;
}

export interface OlderState {
  isThere(): Promise<boolean>;
  /** Makes it unusable once its copy is in this store. */
  retire(): Promise<void>;
}

/** What `--state` names. */
export interface StoreAddress {
  /** For messages; without credentials. */
  readonly name: string;
  /** Makes a store for one use of the state of an application. Nothing is sent before it is used. */
  connect(application: string): Promise<ObjectStore>;
  /** Present where the address keeps a state for each application. */
  applications?(): Promise<readonly string[]>;
  /** What counts here, whatever `--state-patience` says. */
  readonly terms?: { readonly patienceMs: number; readonly leaseMs: number; readonly heartbeatMs?: number };
}

/** What a store did instead of what it was asked for. */
export interface FailedCall {
  /** After "The state NAME cannot be used: ". */
  readonly what: string;
  readonly advice: string;
  /** `busy`: it answered that it cannot now; `away`: no answer; `denied`: its credentials; `refused`: anything else. */
  readonly kind: 'busy' | 'away' | 'denied' | 'refused';
  /** It is waited for only after a write has succeeded: before that, the address is wrong. */
  readonly isStandby?: boolean;
  /** Instead of the usual ones. */
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

  /** May end by itself. */
  get isTransient(): boolean {
    return this.call.kind === 'busy' || this.call.kind === 'away';
  }
}
