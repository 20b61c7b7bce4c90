// Reads a state from a store as one consistent view, without a lock, even while a holder is writing.
//
// The objects that a head names never change. A holder removes objects only after it has written a head without them. So a
// reader whose objects are missing reads the newer head and starts again.
import { createHash } from 'node:crypto';
import { Refusal } from '../../model/errors.ts';
import { textChangeIn } from '../records/converted-text.ts';
import { parseEntry } from '../records/entries.ts';
import { linesIn, parseLine } from '../records/lines.ts';
import { RecordLinesBuilder } from '../records/record-lines.ts';
import { converted, corrupt } from '../records/refusals.ts';
import { StateView } from '../records/view.ts';
import { type BasedHead, type ObjectsInUse, type StateHead, segmentKeys, snapshotKeys, tailKeys } from './head.ts';
import { bindingOf, openObject, readHeads, type StatePlace } from './heads.ts';
import { isSnapshotKey, journalKey, journalPrefix, numberOfKey, unpack } from './layout.ts';
import { isFence } from './lock.ts';
import { unsettled } from './refusals.ts';
import type { StoredObject } from './store.ts';

export interface LoadedState {
  readonly view: StateView;
  /** The lines of the journal objects that are in no segment yet. */
  readonly loose: readonly Buffer[];
}

const attempts = 20;
/** The number of objects that are read at the same time. */
const atOnce = 16;
/** The same for a folder, where calls are fast and objects are large. */
const atOnceNear = 1;

/** An object that a head names is missing or different: the head was replaced since, or somebody else changed the store. */
class StaleHead extends Error {
  readonly place: string;
  readonly what: string;

  constructor(place: string, what: string) {
    super(`${place} ${what}`);
    this.place = place;
    this.what = what;
  }
}

/** Reads the state of this head, or of a newer one. */
export async function loadState(place: StatePlace, head: BasedHead): Promise<StateView> {
  let truth: BasedHead | undefined = head;
  for (let attempt = 0; attempt < attempts && truth !== undefined; attempt += 1) {
    try {
      return (await loadBase(place, truth)).view;
    } catch (error) {
      if (!(error instanceof StaleHead)) throw error;
      const now: BasedHead | undefined = (await readHeads(place)).truth;
      if (now !== undefined && sameBase(now.base, truth.base)) throw corrupt(place.name, error.place, error.what);
      truth = now;
    }
  }
  throw unsettled(place.name);
}

/** For the holder of the lock. Nobody else replaces the objects that its head names. */
export async function loadHeld(place: StatePlace, head: BasedHead): Promise<LoadedState> {
  try {
    return await loadBase(place, head);
  } catch (error) {
    throw error instanceof StaleHead ? corrupt(place.name, error.place, error.what) : error;
  }
}

/**
 * Returns the refusal to show for a failure: if people or tools have changed a file of a damaged state as a text, one that
 * says so. Reads the files of a folder again. Other stores have nothing that converts texts.
 */
export async function explained({ name, store }: StatePlace, failure: unknown): Promise<unknown> {
  const isDamage = failure instanceof Refusal && failure.code === 'state.corrupt';
  if (!isDamage || store.showSnapshot === undefined) return failure;
  for (const key of await store.list('')) {
    const found = await store.get(key);
    const change = found && textChangeIn(found.bytes);
    if (change !== undefined) return converted(name, isSnapshotKey(key) ? 'the snapshot' : `the object ${key}`, change);
  }
  return failure;
}

/** Throws `StaleHead` if an object is missing or the snapshot is another one. */
async function loadBase(place: StatePlace, head: BasedHead): Promise<LoadedState> {
  const { name } = place;
  const { base, header } = head;
  const open = await openKeys(place, base);
  const records = await readSnapshot(place, head);
  // Entries that a holder may still write belong to the next serial.
  const serial = head.epoch + base.ahead - Number(head.lock !== undefined);
  const view = new StateView(header, records, serial);
  const apply = (bytes: Buffer, key: string): void => eachEntry(bytes, name, key, view);
  for await (const { bytes, key } of readAll(place, head, segmentKeys(base))) apply(bytes, key);
  const loose: Buffer[] = [];
  for await (const { bytes, key } of readAll(place, head, [...tailKeys(base), ...open])) {
    // A fence is the last object of its journal. It is never in a tail.
    if (isFence(bytes)) break;
    apply(bytes, key);
    loose.push(bytes);
  }
  return { view, loose };
}

/** Returns the consecutive keys of the journal that may still grow. Reading a missing one of them fails. */
async function openKeys(place: StatePlace, { open }: ObjectsInUse): Promise<string[]> {
  if (open === undefined) return [];
  const { epoch, from, least = 0 } = open;
  const last = Math.max(from - 1, least, ...(await place.store.list(journalPrefix(epoch))).map(numberOfKey));
  // If the holder had moved entries to a segment meanwhile, they would be in neither list.
  const now = (await readHeads(place)).truth?.base.open;
  if (now?.epoch !== epoch || now.from !== from)
    throw new StaleHead(`the object ${journalKey(epoch, from)}`, 'is missing');
  return Array.from({ length: last - from + 1 }, (_, index) => journalKey(epoch, from + index));
}

async function readSnapshot(place: StatePlace, head: BasedHead) {
  const { snapshot } = head.base;
  if (snapshot === undefined) return undefined;
  const { id, digest } = snapshot;
  const hash = createHash('sha256');
  const records = new RecordLinesBuilder();
  for await (const { bytes, readAgain } of readAll(place, head, snapshotKeys(head.base))) {
    hash.update(bytes);
    records.addLines(bytes, readAgain);
  }
  if (hash.digest('hex') !== digest) throw new StaleHead(`the snapshot ${id}`, 'was changed');
  return records.end();
}

function eachEntry(bytes: Buffer, name: string, key: string, view: StateView): void {
  for (const line of linesIn(bytes)) {
    const entry = parseEntry(parseLine(line));
    if (entry === undefined) throw corrupt(name, `the object ${key}`, 'has a line that is not an entry');
    view.apply(entry);
  }
}

interface ReadObject {
  readonly key: string;
  readonly bytes: Buffer;
  readonly readAgain: StoredObject['readAgain'];
}

/** Yields objects in the order of the keys. The next ones are requested while one is used. */
async function* readAll(place: StatePlace, head: StateHead, keys: Iterable<string>): AsyncGenerator<ReadObject> {
  const { store } = place;
  const coming: { readonly key: string; readonly read: Promise<StoredObject | undefined> }[] = [];
  const rest = keys[Symbol.iterator]();
  const request = (): void => {
    const next = rest.next();
    if (next.done === true) return;
    const read = store.get(next.value);
    // The read may fail before it is awaited.
    read.catch(() => undefined);
    coming.push({ key: next.value, read });
  };
  for (let count = 0; count < (store.showSnapshot === undefined ? atOnce : atOnceNear); count += 1) request();
  for (let next = coming.shift(); next !== undefined; next = coming.shift()) {
    const { key, read } = next;
    const found = await read;
    if (found === undefined) throw new StaleHead(`the object ${key}`, 'is missing');
    request();
    const bytes = openPart(place, head, key, found.bytes);
    // Only the bytes of a plain object are those in the file.
    yield { key, bytes, readAgain: bytes === found.bytes ? found.readAgain : undefined };
  }
}

function openPart(place: StatePlace, head: StateHead, key: string, bytes: Buffer): Buffer {
  const { name, context } = place;
  if (!isSnapshotKey(key)) return openObject(place, head, key, bytes);
  try {
    return unpack(bytes, bindingOf(head.header, key), context.sealer, name, key);
  } catch (error) {
    // In a folder a newer snapshot may have taken the name of this one.
    if (error instanceof Refusal && error.code === 'state.corrupt')
      throw new StaleHead(`the object ${key}`, 'was changed');
    throw error;
  }
}

function sameBase(left: ObjectsInUse, right: ObjectsInUse): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
