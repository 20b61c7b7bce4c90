// Converts records to and from their one canonical line in snapshots, journals and copies.
import { canonicalJson, type JsonObject } from '../../../lib/json.ts';
import { type Address, parseAddress } from '../../model/address.ts';
import type { StateRecord } from '../../model/record.ts';
import { isRecord, parseLine } from './lines.ts';

const lineStart = '{"address":';
const quote = 34;
const backslash = 92;

/** Returns the line of a record, with its newline. */
export function recordLine(record: StateRecord): string {
  return `${recordText(record)}\n`;
}

export function* encodeLines(records: Iterable<StateRecord>): Generator<Uint8Array> {
  for (const record of records) yield Buffer.from(recordLine(record));
}

export function recordText(record: StateRecord): string {
  // A record is plain JSON, which the compiler cannot infer for an interface.
  return canonicalJson(record as unknown as JsonObject);
}

/** Parses a line that somebody may have edited. Returns undefined if it is not a record. */
export function parseRecord(text: string): StateRecord | undefined {
  const value = parseLine(text);
  if (value === undefined || typeof value.address !== 'string' || !isRecord(value.attributes)) return undefined;
  return parseAddress(value.address) === undefined ? undefined : (value as unknown as StateRecord);
}

/** Parses the record in bytes that were checked when they were stored. */
export function parseStored(bytes: Buffer): StateRecord {
  return JSON.parse(bytes.toString()) as StateRecord;
}

/** Returns the address at the start of a line, without parsing the rest. For bytes that are not a record, returns any text. */
export function addressInLine(chunk: Buffer, start: number): Address {
  const text = start + lineStart.length;
  let end = text + 1;
  let isPlain = true;
  for (; end < chunk.length && chunk[end] !== quote; end += 1) {
    if (chunk[end] !== backslash) continue;
    isPlain = false;
    end += 1;
  }
  if (isPlain) return chunk.toString('utf8', text + 1, end) as Address;
  return JSON.parse(chunk.toString('utf8', text, end + 1)) as Address;
}
