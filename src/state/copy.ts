// How is a state carried from one place to another, whole and verified? As one file, with a digest in its last line.
//
// The first line is the header with the serial; then one record a line sorted by address, and one begin a line sorted by
// step; the last line counts them and holds the SHA-256 of the lines between. It is read by any backend of any place.
import { createHash } from 'node:crypto';
import { canonicalJson, compareText, type JsonValue } from '../lib/json.ts';
import type { PendingBegin, StateHeader } from '../model/ports.ts';
import type { SourceFile } from './file/file-system.ts';
import { readHeader } from './file/header.ts';
import { parseBegin } from './file/journal.ts';
import { eachLine, parseLine } from './file/lines.ts';
import { parseRecord } from './file/snapshot.ts';
import { formats, upgradeFrom } from './format.ts';
import { RecordLinesBuilder, recordLine, recordText } from './records/record-lines.ts';
import { badCopy } from './refusals.ts';
import type { NumberedSnapshot, StateContents } from './upkeep.ts';

const end = 'chatform-state-copy';
const chunkLength = 1 << 20;

type Body = Pick<StateContents, 'records' | 'pending'>;

export interface StateCopy extends StateContents {
  readonly digest: string;
  readonly size: number;
}

/** The text of a copy in pieces of about a megabyte. */
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

/** Of records and begins: equal for equal contents, wherever they are kept. */
export function digestOfContents(contents: Body): string {
  const hash = createHash('sha256');
  for (const line of bodyOf(contents)) hash.update(line);
  return hash.digest('hex');
}

/** `name` is for messages. Refused when it is no copy, or not the whole one that was written. */
export async function readCopy(file: SourceFile, name: string): Promise<StateCopy> {
  const hash = createHash('sha256');
  const copies = new RecordLinesBuilder();
  let previous = '';
  const pending: PendingBegin[] = [];
  let header: (StateHeader & { readonly serial: number }) | undefined;
  let upgrade = upgradeFrom('', formats);
  let isEnded = false;
  await eachLine(file, Number.POSITIVE_INFINITY, (text, number) => {
    if (header === undefined) {
      header = headOf(text, name);
      upgrade = upgradeFrom(header.format, formats);
      return;
    }
    const line = parseLine(text);
    if (isEnded || line === undefined) throw badCopy(name, `line ${number} does not belong to it`);
    if (line.end === end) {
      isEnded = true;
      if (line.digest !== hash.digest('hex')) throw badCopy(name, 'its lines are not those that its digest is of');
      return;
    }
    hash.update(`${text}\n`);
    const begin = parseBegin(line.begin);
    const record = begin === undefined ? parseRecord(text) : undefined;
    if (begin !== undefined) pending.push(begin);
    else if (record === undefined) throw badCopy(name, `line ${number} is no record`);
    else if (record.address <= previous) throw badCopy(name, `line ${number} is out of order`);
    else {
      previous = record.address;
      copies.add(recordText(upgrade.record(record)));
    }
  });
  if (header === undefined || !isEnded) throw badCopy(name, 'its end is missing');
  const { serial, ...found } = header;
  const records = copies.end();
  const all = { records: () => records, lines: () => records.lines(), pending };
  return { ...all, header: found, serial, size: records.length, digest: digestOfContents(all) };
}

function* bodyOf(contents: Body): Generator<string> {
  for (const record of contents.records()) yield recordLine(record);
  const sorted = [...contents.pending].sort((left, right) => compareText(left.step, right.step));
  // A begin is JSON by construction; the compiler cannot see it, as an interface has no index signature.
  for (const begin of sorted) yield lineOf({ begin: begin as unknown as JsonValue });
}

function lineOf(value: JsonValue): string {
  return `${canonicalJson(value)}\n`;
}

function headOf(text: string, name: string): StateHeader & { readonly serial: number } {
  const line = parseLine(text);
  if (typeof line?.serial !== 'number') throw badCopy(name, 'its first line is not the header of a copy');
  return { ...readHeader(line, name, name, formats), serial: line.serial };
}
