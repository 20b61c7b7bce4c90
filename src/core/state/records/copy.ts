// A copy of a state as one file, which `chatform state pull` writes and `push` reads, for any store.
//
// The first line is the header with the serial. Then follow one record a line sorted by address, and one begin a line
// sorted by step. The last line has their numbers and the SHA-256 of the lines between.
import { createHash } from 'node:crypto';
import { canonicalJson, compareText, type JsonValue } from '../../../lib/json.ts';
import { readStreamLines } from '../../../lib/line-reader.ts';
import { foreignFormOf } from '../../../lib/tools/foreign-form.ts';
import type { Address } from '../../model/address.ts';
import type { PendingBegin, StateHeader } from '../../model/ports.ts';
import { readHeader } from './header.ts';
import { parseBegin, parseLine } from './lines.ts';
import { RecordLinesBuilder } from './record-lines.ts';
import { parseRecord, recordLine, recordText } from './record-text.ts';
import { badCopy } from './refusals.ts';
import { type NumberedSnapshot, type StateContents, StateView } from './view.ts';

const end = 'chatform-state-copy';
const chunkLength = 1 << 20;

type CopiedContents = Pick<StateContents, 'records' | 'pending'>;

export interface StateCopy extends NumberedSnapshot {
  readonly header: StateHeader;
  readonly digest: string;
}

/** Yields the text of a copy in pieces of about a megabyte. */
export function* copyText(snapshot: NumberedSnapshot, header: StateHeader): Generator<string> {
  const hash = createHash('sha256');
  let text = lineOf({ ...header, serial: snapshot.serial });
  for (const line of bodyOf(snapshot)) {
    hash.update(line);
    text += line;
    if (text.length < chunkLength) continue;
    yield text;
    text = '';
  }
  const counts = { begins: snapshot.pending.length, records: snapshot.size };
  yield text + lineOf({ ...counts, digest: hash.digest('hex'), end });
}

/** Returns the SHA-256 of records and begins, which is the same for equal contents in any backend. */
export function digestOfContents(contents: CopiedContents): string {
  const hash = createHash('sha256');
  for (const line of bodyOf(contents)) hash.update(line);
  return hash.digest('hex');
}

/** `name` is for messages. Rejects with `state.bad-copy` unless the bytes are a complete, unchanged copy. */
export async function readCopy(bytes: AsyncIterable<Uint8Array>, name: string): Promise<StateCopy> {
  const hash = createHash('sha256');
  const copies = new RecordLinesBuilder();
  let previous = '';
  const pending: PendingBegin[] = [];
  let header: (StateHeader & { readonly serial: number }) | undefined;
  let isEnded = false;
  const onLine = (text: string, number: number): void => {
    if (header === undefined) {
      header = headOf(text, name);
      return;
    }
    const line = parseLine(text);
    if (isEnded || line === undefined) throw badCopy(name, `line ${number} does not belong there`);
    if (line.end === end) {
      isEnded = true;
      if (line.digest !== hash.digest('hex')) throw badCopy(name, 'its lines do not match its digest');
      return;
    }
    hash.update(`${text}\n`);
    const begin = parseBegin(line.begin);
    const record = begin === undefined ? parseRecord(text) : undefined;
    if (begin !== undefined) pending.push(begin);
    else if (record === undefined) throw badCopy(name, `line ${number} is not a record`);
    else if (record.address <= previous) throw badCopy(name, `line ${number} is out of order`);
    else {
      previous = record.address;
      copies.add(recordText(record));
    }
  };
  for await (const lines of readStreamLines(bytes, Number.POSITIVE_INFINITY))
    for (const { text = '', line } of lines) onLine(text, line);
  if (header === undefined || !isEnded) throw badCopy(name, 'its end is missing');
  const { serial, ...found } = header;
  const records = copies.end();
  const view = new StateView(found, records);
  const all = { records: () => records, get: (address: Address) => view.get(address), pending };
  return { ...all, header: found, serial, size: records.length, digest: digestOfContents(all) };
}

function* bodyOf(contents: CopiedContents): Generator<string> {
  for (const record of contents.records()) yield recordLine(record);
  const sorted = [...contents.pending].sort((left, right) => compareText(left.step, right.step));
  // A begin is plain JSON, which the compiler cannot infer for an interface.
  for (const begin of sorted) yield lineOf({ begin: begin as unknown as JsonValue });
}

function lineOf(value: JsonValue): string {
  return `${canonicalJson(value)}\n`;
}

function headOf(text: string, name: string): StateHeader & { readonly serial: number } {
  const line = parseLine(text);
  if (typeof line?.serial !== 'number') {
    const form = foreignFormOf(Buffer.from(text));
    throw badCopy(name, form?.inWords ?? 'its first line is not the header of a copy');
  }
  return { ...readHeader(line, name, name), serial: line.serial };
}
