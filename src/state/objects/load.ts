// Reads a state from a store as one consistent view, even while a holder is writing to it. No lock is taken.
//
// The objects that a head names never change. A holder removes objects only after it has written a head without them. So a
// reader whose objects are missing reads the newer head and begins again.
import { createHash } from 'node:crypto';
import { parseEntry } from '../entries.ts';
import { type FormatUpgrade, stateFormatName, upgradeFrom } from '../format.ts';
import { newline, parseLine } from '../lines.ts';
import { RecordLinesBuilder } from '../records/record-lines.ts';
import { parseRecord, recordText } from '../records/record-text.ts';
import { corrupt, unsettled } from '../refusals.ts';
import { StateView } from '../view.ts';
import { unpack } from './content.ts';
import type { Base, BasedHead, Head } from './head.ts';
import { journalKey, journalPrefix, segmentKey, snapshotKey } from './layout.ts';
import { isFence } from './lock.ts';
import { bindingOf, readHeads, type StatePlace } from './place.ts';

export interface LoadedState {
  readonly view: StateView;
  /** The lines of the batches that are in no segment yet. */
  readonly loose: readonly Buffer[];
}

const attempts = 20;
/** Objects that are read at the same time. */
const atOnce = 16;

/** A key whose object is gone: the head was replaced since. */
class Gone extends Error {}

/** A state that was never written is empty. */
export async function loadState(place: StatePlace, check: (head: Head | undefined) => void): Promise<LoadedState> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const { newest, truth } = await readHeads(place);
    check(newest);
    if (truth === undefined) return { view: new StateView(newest?.header), loose: [] };
    try {
      return await loadBase(place, truth);
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
      const now = (await readHeads(place)).truth;
      if (now !== undefined && sameBase(now.base, truth.base))
        throw corrupt(place.name, `the object ${error.message}`, 'is missing');
    }
  }
  throw unsettled(place.name);
}

/** What a head names. Throws `Gone` when an object is missing. */
export async function loadBase(place: StatePlace, head: BasedHead): Promise<LoadedState> {
  const { name, context } = place;
  const { base, header } = head;
  const upgrade = upgradeFrom(header.format, context.formats);
  const open = await openKeys(place, base);
  const records = await readSnapshot(place, head, upgrade);
  // What a holder may still write belongs to the next serial.
  const serial = head.epoch + base.ahead - Number(head.lock !== undefined);
  const view = new StateView(header, records, serial);
  const apply = (bytes: Buffer, key: string): void => eachEntry(bytes, name, key, upgrade, view);
  for await (const { bytes, key } of readAll(place, head, segmentKeys(base))) apply(bytes, key);
  const loose: Buffer[] = [];
  for await (const { bytes, key } of readAll(place, head, [...tailKeys(base), ...open])) {
    // A fence is the last object of its journal, and no tail reaches it.
    if (isFence(bytes)) break;
    apply(bytes, key);
    loose.push(bytes);
  }
  return { view, loose };
}

/** The objects in the journal that may still grow, one behind the other. */
async function openKeys(place: StatePlace, { open }: Base): Promise<string[]> {
  if (open === undefined) return [];
  const listed = new Set(await place.store.list(journalPrefix(open.epoch)));
  const keys: string[] = [];
  for (let number = open.from; listed.has(journalKey(open.epoch, number)); number += 1)
    keys.push(journalKey(open.epoch, number));
  // Had the holder moved entries elsewhere in between, they would be in neither list.
  const now = (await readHeads(place)).truth?.base.open;
  if (now?.epoch !== open.epoch || now.from !== open.from) throw new Gone(journalKey(open.epoch, open.from));
  return keys;
}

async function readSnapshot(place: StatePlace, head: BasedHead, upgrade: FormatUpgrade) {
  const { snapshot } = head.base;
  if (snapshot === undefined) return undefined;
  const { id, parts, digest } = snapshot;
  const isCurrent = head.header.format === stateFormatName(place.context.formats.current);
  const hash = createHash('sha256');
  const records = new RecordLinesBuilder();
  const keys = Array.from({ length: parts }, (_, part) => snapshotKey(id, part));
  for await (const { bytes, key } of readAll(place, head, keys)) {
    hash.update(bytes);
    for (const line of linesIn(bytes)) {
      if (isCurrent) {
        records.add(line);
        continue;
      }
      const record = parseRecord(line);
      if (record === undefined) throw corrupt(place.name, `the object ${key}`, 'has a line that is not a record');
      records.add(recordText(upgrade.record(record)));
    }
  }
  if (hash.digest('hex') !== digest) throw corrupt(place.name, `the snapshot ${id}`, 'was changed');
  return records.end();
}

function eachEntry(bytes: Buffer, name: string, key: string, upgrade: FormatUpgrade, view: StateView): void {
  for (const line of linesIn(bytes)) {
    const entry = parseEntry(parseLine(line));
    if (entry === undefined) throw corrupt(name, `the object ${key}`, 'has a line that is not an entry');
    view.apply(entry.type === 'done' ? { ...entry, entry: upgrade.entry(entry.entry) } : entry);
  }
}

function* linesIn(bytes: Buffer): Generator<string> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(newline, start);
    if (end === -1) return;
    yield bytes.toString('utf8', start, end);
    start = end + 1;
  }
}

function* segmentKeys({ segments }: Base): Generator<string> {
  for (const { epoch, count } of segments)
    for (let number = 1; number <= count; number += 1) yield segmentKey(epoch, number);
}

function* tailKeys({ tails }: Base): Generator<string> {
  for (const { epoch, from, to } of tails)
    for (let number = from; number <= to; number += 1) yield journalKey(epoch, number);
}

/** In the order of the keys; the next ones are requested while one is used. */
async function* readAll(
  { name, store, context }: StatePlace,
  { header }: Head,
  keys: Iterable<string>,
): AsyncGenerator<{ readonly key: string; readonly bytes: Buffer }> {
  const coming: { readonly key: string; readonly read: Promise<Buffer | undefined> }[] = [];
  const rest = keys[Symbol.iterator]();
  const request = (): void => {
    const next = rest.next();
    if (next.done === true) return;
    const read = store.read(next.value);
    // It may fail before its turn has come.
    read.catch(() => undefined);
    coming.push({ key: next.value, read });
  };
  for (let count = 0; count < atOnce; count += 1) request();
  for (let next = coming.shift(); next !== undefined; next = coming.shift()) {
    const { key, read } = next;
    const bytes = await read;
    if (bytes === undefined) throw new Gone(key);
    request();
    yield { key, bytes: unpack(bytes, bindingOf(header, key), context.sealer, name, key) };
  }
}

function sameBase(left: Base, right: Base): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
