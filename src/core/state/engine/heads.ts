// Reads the heads of one state in a store, and packs and opens the objects of the state.
import type { StateHeader, StateSnapshot } from '../../model/ports.ts';
import { corrupt } from '../records/refusals.ts';
import type { NumberedSnapshot, StateContents } from '../records/view.ts';
import type { Sealer } from '../seal/sealer.ts';
import { type BasedHead, parseHead, printHead, type StateHead } from './head.ts';
import { checkDigest, epochOfKey, headKey, headPrefix, isPart, pack, unpack, withDigest } from './layout.ts';
import type { LeaseTerms, LockContext } from './lease.ts';
import type { ObjectStore } from './store.ts';

export interface EngineContext extends LockContext {
  readonly terms: LeaseTerms;
  readonly sealer: Sealer;
  /** How long a call is retried while the store is busy or unreachable, in milliseconds. */
  readonly patienceMs: number;
  /** Whether the new contents may replace the remains of a state. */
  readonly replacesRemains?: boolean | undefined;
  /** Throws for contents that the reader may not understand. Called whenever they are read, and before a lock is kept or broken. */
  readonly accepts?: ((contents: StateSnapshot, name: string) => void) | undefined;
  /**
   * What a state of another application becomes if this application takes it over. Undefined if it may not. Without it, no state
   * is taken over.
   */
  readonly boundTo?: ((application: string, state: NumberedSnapshot) => StateContents | undefined) | undefined;
  /** Called when a lock is held. The result is called when it is released. */
  readonly held?: (() => () => void) | undefined;
}

/** `name` is for messages. */
export interface StatePlace {
  readonly name: string;
  readonly store: ObjectStore;
  readonly context: EngineContext;
}

export interface ReadHead extends StateHead {
  readonly tag: string;
  /** The time since it was written, by the clock of the store. */
  readonly ageMs: number;
}

/** The heads that matter, often the same one. Both are undefined if the state was never written. */
export interface Heads {
  /** The holder of this head has the lock. */
  readonly newest: ReadHead | undefined;
  /** The newest head with a base, which names the objects in use. */
  readonly truth: (ReadHead & BasedHead) | undefined;
}

/** `below`: reads only the heads of earlier epochs. Refuses a store with remains of a state. */
export async function readHeads(place: StatePlace, below = Number.POSITIVE_INFINITY): Promise<Heads> {
  for (;;) {
    const epochs = (await headEpochs(place)).filter((epoch) => epoch < below);
    const heads = await readUntilBased(place, epochs);
    if (heads === undefined) continue;
    if (epochs.length === 0) await demandNoRemains(place);
    return heads;
  }
}

/** Returns the epochs, newest first. */
async function headEpochs({ store }: StatePlace): Promise<readonly number[]> {
  const keys = await store.list(headPrefix);
  return keys.flatMap((key) => epochOfKey(key) ?? []).sort((left, right) => right - left);
}

/** Objects without a head are the remains of a state, which must not be taken for an empty one. */
async function demandNoRemains({ name, store, context }: StatePlace): Promise<void> {
  if (context.replacesRemains === true) return;
  const parts = (await store.list('')).filter(isPart);
  // If there is a head now, another process has just written it.
  if (parts.length > 0 && !parts.some((key) => key.startsWith(headPrefix)))
    throw corrupt(name, 'the object head', `is missing, and there are others, such as ${parts[0]}`);
}

/** Whether the holder of this epoch has the lock. The newest head decides, because each is created exclusively with the highest epoch. */
export async function isNewest(place: StatePlace, epoch: number): Promise<boolean> {
  return (await headEpochs(place))[0] === epoch;
}

/** Returns undefined if a head was removed meanwhile, because a newer one has a base. */
async function readUntilBased(place: StatePlace, epochs: readonly number[]): Promise<Heads | undefined> {
  let newest: ReadHead | undefined;
  for (const epoch of epochs) {
    const head = await readHead(place, epoch);
    if (head === undefined) return undefined;
    newest ??= head;
    const { base } = head;
    if (base !== undefined) return { newest, truth: { ...head, base } };
  }
  return { newest, truth: undefined };
}

/** Returns undefined if the head no longer exists. */
export async function readHead(place: StatePlace, epoch: number): Promise<ReadHead | undefined> {
  const { name, store } = place;
  const key = headKey(epoch);
  const found = await store.get(key);
  if (found === undefined) return undefined;
  const head = parseHead(checked(place, key, key, found.bytes), name, key);
  return { ...head, tag: found.tag, ageMs: found.ageMs };
}

export function packHead(place: StatePlace, head: StateHead): Buffer {
  const key = headKey(head.epoch);
  return packLines(place, key, [printHead(head)]);
}

/** Returns the text that an object other than a head is bound to: its state and its key. */
export function bindingOf({ application, lineage }: StateHeader, key: string): string {
  return `${application}\n${lineage}\n${key}`;
}

/** Packs the lines of an object whose digest is in no head. */
export function packLines({ store, context }: StatePlace, binding: string, lines: readonly Uint8Array[]): Buffer {
  return pack(withDigest(lines, binding), binding, context.sealer, store.showSnapshot !== undefined);
}

/** Returns the lines of a journal object or a segment that `packLines` was given. Throws `state.corrupt`, and the refusals of keys. */
export function openObject(place: StatePlace, head: StateHead, key: string, bytes: Buffer): Buffer {
  return checked(place, key, bindingOf(head.header, key), bytes);
}

function checked({ name, context }: StatePlace, key: string, binding: string, bytes: Buffer): Buffer {
  return checkDigest(unpack(bytes, binding, context.sealer, name, key), binding, name, key);
}
