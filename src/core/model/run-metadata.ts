// Run metadata: state records about runs instead of objects, under addresses that manifests cannot declare.
import type { Series } from '../../lib/series.ts';
import { type Address, metadataKind } from './address.ts';
import { addressAt, firstPlace } from './addressed-series.ts';
import type { StateRecord } from './record.ts';

/** The number of objects that each file declared at the last apply (semantics §4.3). */
export const loadedAddress: Address = `${metadataKind}.loaded`;
/** The acknowledgements in use, and the effects done under them (semantics §4.2). */
export const acknowledgedAddress: Address = `${metadataKind}.acknowledged`;

/** The apply in stages that is under way: its bounds, its runs and the gates that passed (core/app/run/stages.ts). */
export const stagesAddress: Address = `${metadataKind}.stages`;

/** The end of the audit trail, and the version of chatform that wrote it. */
export const trailAddress: Address = `${metadataKind}.trail`;
/** The run that has begun but has no entry in the audit trail yet. */
export const openRunAddress: Address = `${metadataKind}.run`;
const trailEntries = `${metadataKind}.trail-`;

/** `number` counts from 1. */
export function trailEntryAddress(number: number): Address {
  return `${trailEntries}${String(number).padStart(8, '0')}` as Address;
}

function isTrailEntry(address: Address): boolean {
  return address.startsWith(trailEntries);
}

/** Yields the entries of the audit trail. `records` is sorted by address, and no other is read if it has an index. */
export function trailRecords(records: Series<StateRecord>): Generator<StateRecord> {
  return recordsFrom(records, trailEntries);
}

/** Yields the before-values of all runs, in the same way. */
export function beforeRecords(records: Series<StateRecord>): Generator<StateRecord> {
  return recordsFrom(records, beforeValues);
}

function* recordsFrom(records: Series<StateRecord>, start: string): Generator<StateRecord> {
  for (let place = firstPlace(records, start); addressAt(records, place)?.startsWith(start) === true; place += 1) {
    const record = records.at(place);
    if (record !== undefined) yield record;
  }
}

/** The values that objects had before a run, in parts (core/app/context/before-values.ts). `run` is `Begun.keeps`. */
const beforeValues = `${metadataKind}.before-`;

export function beforeValuesAddress(run: number, part: string): Address {
  return `${beforeValues}${String(run).padStart(8, '0')}-${part}` as Address;
}

export function isBeforeValues(address: Address): boolean {
  return address.startsWith(beforeValues);
}

/** Yields all records except those of the audit trail and the before-values of its runs. */
export function* withoutTrail(records: Iterable<StateRecord>): Generator<StateRecord> {
  const isTrail = (address: Address) => address === trailAddress || isTrailEntry(address) || isBeforeValues(address);
  for (const record of records) if (!isTrail(record.address)) yield record;
}

/** The number of objects that one file declares. */
export interface FileCounts {
  /** Relative to the working folder, with `/`. */
  readonly file: string;
  /** By kind, without zeros. */
  readonly counts: Readonly<Record<string, number>>;
}
