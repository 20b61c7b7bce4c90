// A record as text: the one canonical line that it has in snapshots, journals and copies.
import { canonicalJson, type JsonObject } from '../../lib/json.ts';
import { type Address, parseAddress } from '../../model/address.ts';
import type { StateRecord } from '../../model/record.ts';
import { isRecord, parseLine } from './lines.ts';

const lineStart = '{"address":';
const quote = 34;
const backslash = 92;

/** The line of a record, with its newline. */
export function recordLine(record: StateRecord): string {
  return `${recordText(record)}\n`;
}

/** The lines of the records. */
export function* encodeLines(records: Iterable<StateRecord>): Generator<Uint8Array> {
  for (const record of records) yield Buffer.from(recordLine(record));
}

export function recordText(record: StateRecord): string {
  // A record is JSON by construction; the compiler cannot see it, because an interface has no index signature.
  return canonicalJson(record as unknown as JsonObject);
}

/** The record of a line that somebody may have edited; undefined when it is not a record. */
export function parseRecord(text: string): StateRecord | undefined {
  const value = parseLine(text);
  if (value === undefined || typeof value.address !== 'string' || !isRecord(value.attributes)) return undefined;
  return parseAddress(value.address) === undefined ? undefined : (value as unknown as StateRecord);
}

/** The record of bytes that were checked when they were stored. */
export function parseStored(bytes: Buffer): StateRecord {
  return JSON.parse(bytes.toString()) as StateRecord;
}

/** The address at the start of a line, without parsing the rest of it. Of bytes that are not a record it is any text. */
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
