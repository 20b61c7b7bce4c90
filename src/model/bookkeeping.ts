// What does state remember that is no object? Two records of chatform's own, under addresses that nobody can declare.
import { type Address, kindOf } from './address.ts';
import type { StateRecord } from './record.ts';

const ownKind = 'chatform';

/** How many objects which file declared at the last apply (semantics §4.3). */
export const loadedAddress: Address = `${ownKind}.loaded`;
/** Which acknowledgements are in use, and for what (semantics §4.2). */
export const acknowledgedAddress: Address = `${ownKind}.acknowledged`;

/** Such a record is listed by no command, is part of no plan and of no count. */
export function isBookkeeping(address: Address): boolean {
  return kindOf(address) === ownKind;
}

/** The records that stand for objects of the platform. */
export function* objectRecords(records: Iterable<StateRecord>): Generator<StateRecord> {
  for (const record of records) if (!isBookkeeping(record.address)) yield record;
}

/** What one file declared. */
export interface FileCounts {
  /** As shown: relative to the working folder, with `/`. */
  readonly file: string;
  /** Objects by kind; kinds with none are left out. */
  readonly counts: Readonly<Record<string, number>>;
}
