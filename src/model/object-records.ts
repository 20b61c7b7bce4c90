// The records of objects in a state, without run metadata.

import type { Series } from '../lib/series.ts';
import { type Address, kindOf } from './address.ts';
import { withoutKind } from './addressed-series.ts';
import type { StateRecord } from './record.ts';
import { metadataKind } from './run-metadata.ts';

/** Whether the record is run metadata, which lists, plans and counts leave out. */
export function isRunMetadata(address: Address): boolean {
  return kindOf(address) === metadataKind;
}

/** Yields the records of platform objects, without run metadata. */
export function* objectRecords(records: Iterable<StateRecord>): Generator<StateRecord> {
  for (const record of records) if (!isRunMetadata(record.address)) yield record;
}

/** The same as a series. `records` is sorted by address. */
export function objectSeries(records: Series<StateRecord>): Series<StateRecord> {
  return withoutKind(records, metadataKind);
}

/** `records` is sorted by address. */
export function countObjects(records: Series<StateRecord>): number {
  return objectSeries(records).length;
}
