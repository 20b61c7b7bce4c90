// One state in a store: where it is, what its calls need, and its head as it is now.
import type { Clock, StateHeader } from '../../model/ports.ts';
import type { StateFormats } from '../format.ts';
import type { LeaseTerms, LockOwner } from '../lease.ts';
import type { OnLockWait } from '../lock-wait.ts';
import { type Sealing, unpack } from './content.ts';
import { type Head, parseHead } from './head.ts';
import { headKey } from './layout.ts';
import type { PatientStore } from './patient.ts';

export interface ObjectContext {
  readonly clock: Clock;
  readonly owner: LockOwner;
  /** Never returns the same twice. The result is used in keys. */
  readonly newId: () => string;
  readonly isAlive: (pid: number) => boolean;
  readonly waiting?: OnLockWait | undefined;
  readonly terms: LeaseTerms;
  readonly formats: StateFormats;
  readonly sealing: Sealing;
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

/** Undefined when the state was never written. */
export async function readHeadObject({ name, store, context }: StatePlace): Promise<ReadHead | undefined> {
  const found = await store.get(headKey);
  if (found === undefined) return undefined;
  const bytes = unpack(found.bytes, headKey, context.sealing, name, headKey);
  return { ...parseHead(bytes, name, context.formats), tag: found.tag, ageMs: found.ageMs };
}

/** What the bytes of an object are bound to, besides the head: its state, and where it lies. */
export function bindingOf({ application, lineage }: StateHeader, key: string): string {
  return `${application}\n${lineage}\n${key}`;
}
