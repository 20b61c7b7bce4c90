// Writes snapshots and segments, and removes the objects that they make superfluous.
import { createHash } from 'node:crypto';
import type { PendingBegin, StateHeader } from '../../model/ports.ts';
import { entryLine } from '../entries.ts';
import { pack } from './content.ts';
import type { Base } from './head.ts';
import { epochOfKey, journalKey, segmentKey, snapshotKey } from './layout.ts';
import { bindingOf, isNewest, type StatePlace } from './place.ts';

/** Of the lines in one object of a snapshot. Compressing as many takes less than a call. */
const partBytes = 2 << 20;
/** Objects that are written at the same time. */
const atOnce = 4;
/** Stores remove at most so many objects in one call. */
const removedAtOnce = 1_000;

/** `id`: of an epoch of the caller's, and never used before. */
export async function writeSnapshot(
  place: StatePlace,
  header: StateHeader,
  id: string,
  lines: Iterable<Uint8Array>,
): Promise<NonNullable<Base['snapshot']>> {
  const hash = createHash('sha256');
  const writing = new Set<Promise<void>>();
  let parts = 0;
  let bytes = 0;
  for (const part of partsOf(lines)) {
    hash.update(part);
    bytes += part.length;
    const written = writeObject(place, header, snapshotKey(id, parts), part);
    parts += 1;
    const counted = written.finally(() => writing.delete(counted));
    // A failure is thrown below, where it is awaited.
    counted.catch(() => undefined);
    writing.add(counted);
    if (writing.size >= atOnce) await Promise.race(writing);
  }
  await Promise.all(writing);
  return { id, parts, bytes, digest: hash.digest('hex') };
}

/** Gives the bytes of its lines. */
export async function writeSegment(
  place: StatePlace,
  header: StateHeader,
  epoch: number,
  number: number,
  lines: readonly Uint8Array[],
): Promise<number> {
  const bytes = Buffer.concat(lines);
  await writeObject(place, header, segmentKey(epoch, number), bytes);
  return bytes.length;
}

export function beginLines(pending: readonly PendingBegin[]): Buffer[] {
  return pending.map((begin) => Buffer.from(entryLine({ type: 'begin', ...begin })));
}

/**
 * Removes the objects that `before` counts and `after` does not. The head of this epoch must hold `after` by now. When it
 * is not the newest any more, another process may have read it before, and nothing is removed.
 */
export async function removeSuperseded(
  place: StatePlace,
  epoch: number,
  before: Base,
  after: Base,
  written: number,
): Promise<void> {
  if (!(await isNewest(place, epoch))) return;
  const kept = new Set(keysOf(after, written));
  await remove(
    place,
    [...keysOf(before, written)].filter((key) => !kept.has(key)),
  );
}

/** Removes what holders before this epoch have left behind. The head of this epoch must hold `base` by now. */
export async function sweep(place: StatePlace, base: Base, epoch: number): Promise<void> {
  if (!(await isNewest(place, epoch))) return;
  const kept = new Set(keysOf(base, 0));
  const listed = await place.store.list('');
  await remove(
    place,
    listed.filter((key) => (epochOfKey(key) ?? epoch) < epoch && !kept.has(key)),
  );
}

/** All objects that count, up to batch `written` of the open journal, and the fences. */
function* keysOf({ snapshot, segments, tails, open, fences }: Base, written: number): Generator<string> {
  for (let part = 0; part < (snapshot?.parts ?? 0); part += 1) yield snapshotKey(snapshot?.id ?? '', part);
  for (const { epoch, count } of segments)
    for (let number = 1; number <= count; number += 1) yield segmentKey(epoch, number);
  for (const { epoch, from, to } of tails)
    for (let number = from; number <= to; number += 1) yield journalKey(epoch, number);
  for (let number = open?.from ?? 1; open !== undefined && number <= written; number += 1)
    yield journalKey(open.epoch, number);
  for (const { epoch, number } of fences) yield journalKey(epoch, number);
}

async function remove({ store }: StatePlace, keys: readonly string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += removedAtOnce)
    await store.remove(keys.slice(from, from + removedAtOnce));
}

async function writeObject(place: StatePlace, header: StateHeader, key: string, bytes: Buffer): Promise<void> {
  const { store, context } = place;
  await store.create(key, pack(bytes, bindingOf(header, key), context.sealer));
}

/** Each ends with a line. */
function* partsOf(lines: Iterable<Uint8Array>): Generator<Buffer> {
  let part: Uint8Array[] = [];
  let length = 0;
  for (const line of lines) {
    part.push(line);
    length += line.length;
    if (length < partBytes) continue;
    // A text and its newline may come in two pieces.
    if (line.at(-1) !== newline) continue;
    yield Buffer.concat(part);
    part = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(part);
}

const newline = 10;
