// One state in a store: where it is, what its calls need, and its heads as they are now.
import type { StateHeader } from '../../model/ports.ts';
import type { StateFormats } from '../format.ts';
import type { LeaseTerms } from '../lease.ts';
import type { LockContext } from '../lock-wait.ts';
import type { Sealer } from '../seal/sealer.ts';
import { unpack } from './content.ts';
import { type BasedHead, type Head, parseHead } from './head.ts';
import { epochOfKey, headKey, headPrefix } from './layout.ts';
import type { PatientStore } from './patient.ts';

export interface ObjectContext extends LockContext {
  readonly terms: LeaseTerms;
  readonly formats: StateFormats;
  readonly sealer: Sealer;
  /** How long a write is tried while the store is busy or away, in milliseconds. */
  readonly patienceMs: number;
}

/** One state in a store. `name` is for messages. */
export interface StatePlace {
  readonly name: string;
  readonly store: PatientStore;
  readonly context: ObjectContext;
}

export interface ReadHead extends Head {
  readonly tag: string;
  /** Since it was written, by the clock of the store. */
  readonly ageMs: number;
}

/** The heads that matter. Both are undefined when the state was never written, and often they are the same. */
export interface Heads {
  /** Its holder has the lock. */
  readonly newest: ReadHead | undefined;
  /** The newest with a base: what counts. */
  readonly truth: (ReadHead & BasedHead) | undefined;
}

/** `below`: only heads of earlier epochs. */
export async function readHeads(place: StatePlace, below = Number.POSITIVE_INFINITY): Promise<Heads> {
  for (;;) {
    const epochs = (await headEpochs(place)).filter((epoch) => epoch < below);
    const heads = await readUntilBased(place, epochs);
    if (heads !== undefined) return heads;
  }
}

/** Newest first. */
async function headEpochs({ store }: StatePlace): Promise<readonly number[]> {
  const keys = await store.list(headPrefix);
  return keys.flatMap((key) => epochOfKey(key) ?? []).sort((left, right) => right - left);
}

/** The owner of the newest head holds the lock: each is created exclusively, with the highest epoch. */
export async function isNewest(place: StatePlace, epoch: number): Promise<boolean> {
  return (await headEpochs(place))[0] === epoch;
}

/** Undefined when a head was removed in between, because a newer one has a base by now. */
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

/** Undefined when it does not exist any more. */
export async function readHead({ name, store, context }: StatePlace, epoch: number): Promise<ReadHead | undefined> {
  const key = headKey(epoch);
  const found = await store.get(key);
  if (found === undefined) return undefined;
  const bytes = unpack(found.bytes, key, context.sealer, name, key);
  return { ...parseHead(bytes, name, key, context.formats), tag: found.tag, ageMs: found.ageMs };
}

/** What the bytes of an object are bound to, besides a head: its state, and where it lies. */
export function bindingOf({ application, lineage }: StateHeader, key: string): string {
  return `${application}\n${lineage}\n${key}`;
}
