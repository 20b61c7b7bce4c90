// Run metadata: records that state keeps about runs instead of objects, under addresses that nobody can declare.
import { type Address, kindOf } from './address.ts';
import type { StateRecord } from './record.ts';

const ownKind = 'chatform';

/** How many objects which file declared at the last apply (semantics §4.3). */
export const loadedAddress: Address = `${ownKind}.loaded`;
/** Which acknowledgements are in use, and for what (semantics §4.2). */
export const acknowledgedAddress: Address = `${ownKind}.acknowledged`;

/** The end of the audit trail, and the version of chatform that wrote it. */
export const trailAddress: Address = `${ownKind}.trail`;
/** The run that has begun and has no entry in the trail yet. */
export const openRunAddress: Address = `${ownKind}.run`;
const trailEntries = `${ownKind}.trail-`;

/** `number`: from 1. */
export function trailEntryAddress(number: number): Address {
  return `${trailEntries}${String(number).padStart(8, '0')}` as Address;
}

export function isTrailEntry(address: Address): boolean {
  return address.startsWith(trailEntries);
}

/** No command lists such a record, and no plan or count includes it. */
export function isRunMetadata(address: Address): boolean {
  return kindOf(address) === ownKind;
}

/** All records but those of the audit trail. */
export function* withoutTrail(records: Iterable<StateRecord>): Generator<StateRecord> {
  for (const record of records) if (record.address !== trailAddress && !isTrailEntry(record.address)) yield record;
}

/** The records that stand for objects of the platform. */
export function* objectRecords(records: Iterable<StateRecord>): Generator<StateRecord> {
  for (const record of records) if (!isRunMetadata(record.address)) yield record;
}

export function countObjects(records: Iterable<StateRecord>): number {
  let count = 0;
  for (const _ of objectRecords(records)) count += 1;
  return count;
}

/** What one file declared. */
export interface FileCounts {
  /** As shown: relative to the working folder, with `/`. */
  readonly file: string;
  /** Objects by kind; kinds with none are left out. */
  readonly counts: Readonly<Record<string, number>>;
}
