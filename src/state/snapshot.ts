// How do records stand in a snapshot file? A constant first line, one record a line sorted by address, a constant last line.
//
// Nothing in it counts or numbers: two snapshots of one lineage differ only in the lines of the records that differ, so
// that they diff and merge line by line. The constant last line is there to notice a file that was cut between two lines.
import { type Address, parseAddress } from '../model/address.ts';
import { canonicalJson, type JsonObject } from '../model/json.ts';
import type { StateHeader } from '../model/ports.ts';
import type { StateRecord } from '../model/record.ts';
import type { GrowingFile, SourceFile } from './files.ts';
import { type Formats, upgradeFrom } from './format.ts';
import { readHeader } from './header.ts';
import { eachLine, isRecord, parseLine } from './lines.ts';
import { corrupt } from './refusals.ts';

const lastLine = '{"end":"chatform-state"}';
const chunkLength = 1 << 20;

export interface SnapshotRead {
  readonly header: StateHeader;
  readonly records: ReadonlyMap<Address, StateRecord>;
  readonly bytes: number;
}

/** `state` and `name` are for messages. A snapshot is replaced atomically: one that is cut is damage, not a crash. */
export async function readSnapshot(
  file: SourceFile,
  state: string,
  name: string,
  formats: Formats,
): Promise<SnapshotRead> {
  const records = new Map<Address, StateRecord>();
  let header: StateHeader | undefined;
  let upgrade = upgradeFrom('', formats);
  let previous = '';
  let ended = false;
  const { bytes, torn } = await eachLine(file, Number.POSITIVE_INFINITY, (text, number) => {
    if (header === undefined) {
      header = readHeader(parseLine(text), state, name, formats);
      upgrade = upgradeFrom(header.format, formats);
      return;
    }
    const place = `${name} line ${number}`;
    if (ended) throw corrupt(state, place, 'stands behind the last line');
    if (text === lastLine) {
      ended = true;
      return;
    }
    const record = parseRecord(text);
    if (record === undefined) throw corrupt(state, place, 'is not a record');
    if (record.address <= previous) {
      throw corrupt(state, place, record.address === previous ? 'repeats an address' : 'is out of order');
    }
    previous = record.address;
    records.set(record.address, upgrade.record(record));
  });
  if (header === undefined || !ended || torn) throw corrupt(state, name, 'is cut off: its last line is missing');
  return { header, records, bytes };
}

export async function writeSnapshot(
  file: GrowingFile,
  header: StateHeader,
  records: Iterable<StateRecord>,
): Promise<void> {
  let text = `${canonicalJson({ ...header })}\n`;
  for (const record of records) {
    // A record is JSON by construction; the compiler cannot see it, because an interface has no index signature.
    text += `${canonicalJson(record as unknown as JsonObject)}\n`;
    if (text.length < chunkLength) continue;
    await file.write(Buffer.from(text));
    text = '';
  }
  await file.write(Buffer.from(`${text}${lastLine}\n`));
  await file.sync();
}

/** The record that a line spells, or undefined. */
export function parseRecord(text: string): StateRecord | undefined {
  const value = parseLine(text);
  if (value === undefined || typeof value.address !== 'string' || !isRecord(value.attributes)) return undefined;
  return parseAddress(value.address) === undefined ? undefined : (value as unknown as StateRecord);
}
