// Reads and writes a snapshot file: a header line, one record a line sorted by address, and a constant last line.
//
// No line counts or numbers the others: two snapshots of one lineage differ only in the records that differ, so they diff
// and merge line by line. The constant last line shows a file that was cut between two lines.
//
// Parsing a million lines takes seconds, and hashing them a tenth of that. So a holder that has checked or written all
// lines puts their digest into its journal, and the next one parses no line as long as the digest is the same.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../lib/json.ts';
import type { StateHeader } from '../../model/ports.ts';
import { type StateFormats, stateFormatName, upgradeFrom } from '../format.ts';
import { readHeader } from '../header.ts';
import { eachSpan, type LineSpan, parseLine } from '../lines.ts';
import { LineIndex, RecordLines, RecordLinesBuilder, type StoredRecords } from '../records/record-lines.ts';
import { parseRecord, recordText } from '../records/record-text.ts';
import { corrupt } from '../refusals.ts';
import type { GrowingFile, SourceFile } from './file-system.ts';
import { openSnapshotBytes, type SnapshotBytes } from './snapshot-bytes.ts';

const lastLine = '{"end":"chatform-state"}';
const pageBytes = 1 << 20;

export interface SnapshotRead {
  readonly header: StateHeader;
  readonly records: StoredRecords;
  readonly bytes: number;
  /** SHA-256 of the file, if every line is what would be written today. */
  readonly digest: string | undefined;
  /** Records are read from the file on demand, so the caller must not close it. */
  readonly isKeptOpen: boolean;
}

/**
 * `state` and `name` are for messages. `known`: the digest of lines that were checked before. Throws `state.corrupt` for
 * a snapshot that is cut: it is replaced atomically, so a crash does not cut it.
 */
export async function readSnapshot(
  file: SourceFile,
  state: string,
  name: string,
  formats: StateFormats,
  known: string | undefined,
): Promise<SnapshotRead> {
  const source = await openSnapshotBytes(file);
  const trusted = known === undefined ? undefined : await readTrusted(source, state, name, formats, known);
  if (trusted !== undefined) return trusted;
  // Nobody edits an encrypted snapshot by hand: this one is an old one, put back.
  if (known !== undefined && file.isSealed === true) throw corrupt(state, name, 'is not the one that was written last');
  return readChecked(source, state, name, formats);
}

/** Undefined when the bytes do not have the digest, or are of an older format. */
async function readTrusted(
  source: SnapshotBytes,
  state: string,
  name: string,
  formats: StateFormats,
  known: string,
): Promise<SnapshotRead | undefined> {
  const hash = createHash('sha256');
  const index = new LineIndex();
  let first = '';
  const onLine = ({ chunk, start, end, number, offset }: LineSpan): undefined => {
    if (number === 1) first = chunk.toString('utf8', start, end);
    else if (end - start !== lastLine.length || chunk.toString('latin1', start, end) !== lastLine)
      index.add(offset, chunk, start, end);
  };
  const { bytes } = await eachSpan(source, Number.POSITIVE_INFINITY, onLine, (part) => hash.update(part));
  if (hash.digest('hex') !== known) return undefined;
  const header = readHeader(parseLine(first), state, name, formats);
  if (header.format !== stateFormatName(formats.current)) return undefined;
  const records = new RecordLines(source, index);
  return { header, records, bytes, digest: known, isKeptOpen: source.isFile };
}

/**
 * Parses every line. When a line is not what would be written today (edited by hand, or of an older format), it starts
 * again with `copied`, which rewrites all lines into memory.
 */
async function readChecked(
  source: SnapshotBytes,
  state: string,
  name: string,
  formats: StateFormats,
  copied = false,
): Promise<SnapshotRead> {
  const hash = createHash('sha256');
  const index = new LineIndex();
  const copies = new RecordLinesBuilder();
  let header: StateHeader | undefined;
  let upgrade = upgradeFrom('', formats);
  let previous = '';
  let ended = false;
  let isCanonical = true;
  const onLine = ({ chunk, start, end, number, offset }: LineSpan): boolean => {
    const text = chunk.toString('utf8', start, end);
    if (header === undefined) {
      header = readHeader(parseLine(text), state, name, formats);
      upgrade = upgradeFrom(header.format, formats);
      isCanonical = header.format === stateFormatName(formats.current);
      return isCanonical || copied;
    }
    const place = `${name} line ${number}`;
    if (ended) throw corrupt(state, place, 'is behind the last line');
    if (text === lastLine) {
      ended = true;
      return true;
    }
    const record = parseRecord(text);
    if (record === undefined) throw corrupt(state, place, 'is not a record');
    if (record.address <= previous) {
      throw corrupt(state, place, record.address === previous ? 'repeats an address' : 'is out of order');
    }
    previous = record.address;
    const written = recordText(upgrade.record(record));
    if (copied) copies.add(written);
    else index.add(offset, chunk, start, end);
    isCanonical &&= written === text;
    return isCanonical || copied;
  };
  const { bytes, torn } = await eachSpan(source, Number.POSITIVE_INFINITY, onLine, (part) => hash.update(part));
  if (!isCanonical && !copied) return readChecked(source, state, name, formats, true);
  if (header === undefined || !ended || torn) throw corrupt(state, name, 'is cut off: its last line is missing');
  if (copied) return { header, records: copies.end(), bytes, digest: undefined, isKeptOpen: false };
  const records = new RecordLines(source, index);
  return { header, records, bytes, digest: hash.digest('hex'), isKeptOpen: source.isFile };
}

/** Returns the SHA-256 of the file. `lines`: the canonical lines of the records. */
export async function writeSnapshot(
  file: GrowingFile,
  header: StateHeader,
  lines: Iterable<Uint8Array>,
): Promise<string> {
  const hash = createHash('sha256');
  const page = Buffer.allocUnsafe(pageBytes);
  let filled = 0;
  const flush = async () => {
    const bytes = page.subarray(0, filled);
    filled = 0;
    hash.update(bytes);
    await file.write(bytes);
  };
  for (const line of framed(header, lines)) {
    for (let at = 0; at < line.length; ) {
      if (filled === pageBytes) await flush();
      const part = line.subarray(at, at + pageBytes - filled);
      page.set(part, filled);
      filled += part.length;
      at += part.length;
    }
  }
  await flush();
  await file.sync();
  return hash.digest('hex');
}

function* framed(header: StateHeader, lines: Iterable<Uint8Array>): Generator<Uint8Array> {
  yield Buffer.from(`${canonicalJson({ ...header })}\n`);
  yield* lines;
  yield Buffer.from(`${lastLine}\n`);
}
