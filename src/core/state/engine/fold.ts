// Writes snapshots and segments, and removes the objects that they replace.
import { createHash } from 'node:crypto';
import { exitCode } from '../../model/exit-code.ts';
import type { PendingBegin, StateHeader } from '../../model/ports.ts';
import { entryLine } from '../records/entries.ts';
import { newline } from '../records/lines.ts';
import { type ObjectsInUse, segmentKeys, snapshotKeys, tailKeys } from './head.ts';
import { bindingOf, isNewest, packLines, type StatePlace } from './heads.ts';
import { isBefore, isProbe, journalKey, pack, segmentKey, snapshotKey } from './layout.ts';
import { StoreFailure } from './store.ts';

/** The size of the lines in one object of a snapshot. Compressing them is faster than a call. */
const partBytes = 2 << 20;
/** The same for a store whose files people read. They compare snapshots, so the first file is usually the whole snapshot. */
const shownBytes = { first: 16 << 20, others: 4 << 20 };
/** The first size of the buffer of a part. Most states are small. */
const firstBytes = 1 << 16;
/** The number of objects that are written at the same time. */
const atOnce = 4;
/** The maximum number of objects that stores remove in one call. */
const removedAtOnce = 1_000;
/**
 * The age at which an object of a test is a leftover of a killed process, in milliseconds. A test takes seconds, or minutes with a
 * slow store. A younger object may belong to a process that is about to wait for the lock.
 */
const abandonedMs = 24 * 3_600_000;

/** `id` begins with the caller's epoch and must never have been used before. */
export async function writeSnapshot(
  place: StatePlace,
  header: StateHeader,
  id: string,
  lines: Iterable<Uint8Array>,
): Promise<NonNullable<ObjectsInUse['snapshot']>> {
  const { store, context } = place;
  const isShown = store.showSnapshot !== undefined;
  const hash = createHash('sha256');
  const writing = new Set<Promise<unknown>>();
  let parts = 0;
  let bytes = 0;
  for (const part of partsOf(lines, isShown ? shownBytes : { first: partBytes, others: partBytes })) {
    hash.update(part);
    bytes += part.length;
    const key = snapshotKey(id, parts);
    const written = createNew(place, key, pack(part, bindingOf(header, key), context.sealer, isShown));
    parts += 1;
    const counted = written.finally(() => writing.delete(counted));
    // The failure is thrown below, by the call that awaits all writes.
    counted.catch(() => undefined);
    writing.add(counted);
    if (writing.size >= (isShown ? 1 : atOnce)) await Promise.race(writing);
  }
  await Promise.all(writing);
  return { id, parts, bytes, digest: hash.digest('hex') };
}

/** Returns the size of the lines in bytes. */
export async function writeSegment(
  place: StatePlace,
  header: StateHeader,
  epoch: number,
  number: number,
  lines: readonly Uint8Array[],
): Promise<number> {
  const key = segmentKey(epoch, number);
  await createNew(place, key, packLines(place, bindingOf(header, key), lines));
  return lines.reduce((sum, { length }) => sum + length, 0);
}

async function createNew({ store }: StatePlace, key: string, bytes: Buffer): Promise<void> {
  if ((await store.create(key, bytes)) !== undefined) return;
  const advice = `Remove the object ${key}, which chatform has not written.`;
  throw new StoreFailure({
    kind: 'refused',
    what: `there is an object ${key} already`,
    advice,
    exit: exitCode.unexpected,
  });
}

/** Returns the journal lines that repeat pending begins. */
export function beginLines(pending: readonly PendingBegin[]): Buffer[] {
  return pending.map((begin) => Buffer.from(entryLine({ type: 'begin', ...begin })));
}

/**
 * Removes the objects that `before` names and `after` does not. The head of this epoch must already contain `after`. If a
 * newer head exists, another process may have read this one before, and nothing is removed.
 */
export async function removeSuperseded(
  place: StatePlace,
  epoch: number,
  before: ObjectsInUse,
  after: ObjectsInUse,
  written: number,
): Promise<void> {
  if (!(await isNewest(place, epoch))) return;
  await showSnapshot(place, after);
  const kept = new Set(keysOf(after, written));
  await remove(
    place,
    [...keysOf(before, written)].filter((key) => !kept.has(key)),
  );
}

/** Removes the remains of holders before this epoch. The head of this epoch must already contain `base`. */
export async function sweep(place: StatePlace, base: ObjectsInUse, epoch: number): Promise<void> {
  if (!(await isNewest(place, epoch))) return;
  await showSnapshot(place, base);
  const kept = new Set(keysOf(base, 0));
  const listed = await place.store.list('');
  const superseded = listed.filter((key) => isBefore(key, epoch) && !kept.has(key));
  await remove(place, [...superseded, ...(await abandoned(place, listed.filter(isProbe)))]);
}

/** Returns the keys of the objects that no running process can own. */
async function abandoned({ store }: StatePlace, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const aheadMs = (await store.clockAheadMs?.()) ?? 0;
  const old: string[] = [];
  for (const key of keys) if (((await store.get(key))?.ageMs ?? 0) - aheadMs > abandonedMs) old.push(key);
  return old;
}

/** Yields all objects in use, up to object `written` of the open journal, and the fences. */
function* keysOf(base: ObjectsInUse, written: number): Generator<string> {
  yield* snapshotKeys(base);
  yield* segmentKeys(base);
  yield* tailKeys(base);
  const { open, fences } = base;
  for (let number = open?.from ?? 1; open !== undefined && number <= written; number += 1)
    yield journalKey(open.epoch, number);
  for (const { epoch, number } of fences) yield journalKey(epoch, number);
}

async function showSnapshot({ store }: StatePlace, base: ObjectsInUse): Promise<void> {
  if (base.snapshot !== undefined) await store.showSnapshot?.(snapshotKeys(base));
}

async function remove({ store }: StatePlace, keys: readonly string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += removedAtOnce)
    await store.remove(keys.slice(from, from + removedAtOnce));
}

/**
 * Every part ends at the end of a line. Pieces are copied as they come, because each may be a small part of a larger buffer, and because
 * a part may have a hundred thousand of them.
 */
function* partsOf(lines: Iterable<Uint8Array>, most: typeof shownBytes): Generator<Buffer> {
  let part = Buffer.alloc(0);
  let length = 0;
  let mostBytes = most.first;
  for (const line of lines) {
    if (length + line.length > part.length) {
      const room = part.length === 0 ? firstBytes : mostBytes + firstBytes;
      const larger = Buffer.allocUnsafe(Math.max(room, length + line.length));
      part.copy(larger, 0, 0, length);
      part = larger;
    }
    part.set(line, length);
    length += line.length;
    if (length < mostBytes) continue;
    // A line and its newline may be separate pieces.
    if (line.at(-1) !== newline) continue;
    yield part.subarray(0, length);
    part = Buffer.alloc(0);
    length = 0;
    mostBytes = most.others;
  }
  if (length > 0) yield part.subarray(0, length);
}
