// Heads: the only objects that are replaced. Each belongs to one holder, contains its lock, and names the objects in use.
import { canonicalJson, type JsonValue } from '../../../lib/json.ts';
import type { StateHeader } from '../../model/ports.ts';
import { readHeader } from '../records/header.ts';
import { isRecord, parseLine } from '../records/lines.ts';
import { corrupt } from '../records/refusals.ts';
import { journalKey, segmentKey, snapshotKey } from './layout.ts';
import { isOwner, type LockOwner } from './lease.ts';

/** The lock. It expires `leaseMs` after the head was written, by the clock of the store. */
export interface HeadLock {
  readonly owner: LockOwner;
  /** By the holder's wall clock, for messages, as is `heartbeat`. */
  readonly since: string;
  readonly heartbeat: string;
  readonly leaseMs: number;
}

/** The journal objects of one epoch with these numbers, `to` included. */
interface JournalRange {
  readonly epoch: number;
  readonly from: number;
  readonly to: number;
}

/** The objects in use: a snapshot, then segments, then journal objects. */
export interface ObjectsInUse {
  readonly snapshot?: {
    readonly id: string;
    readonly parts: number;
    /** The size of its lines. */
    readonly bytes: number;
    /** The SHA-256 of its lines. */
    readonly digest: string;
  };
  /** By epoch, the segments from number `from` (default 1) to `count`. Earlier ones are in the snapshot. */
  readonly segments: readonly {
    readonly epoch: number;
    readonly from?: number;
    readonly count: number;
  }[];
  /** The size of the lines in the segments. */
  readonly segmentBytes: number;
  /** The journal objects of former holders that count. */
  readonly tails: readonly JournalRange[];
  /** The journal that may still grow. It counts up to the first missing number. Absent after a release. */
  readonly open?: {
    readonly epoch: number;
    readonly from: number;
    /** The last number that the holder had written when it wrote the head. */
    readonly least?: number;
  };
  /** The last fences. They outlive their journals, because a write of a former holder may arrive late. */
  readonly fences: readonly {
    readonly epoch: number;
    readonly number: number;
  }[];
  /** The serial minus the epoch. */
  readonly ahead: number;
}

export interface StateHead {
  readonly header: StateHeader;
  /** The fencing token, which grows with every holder. */
  readonly epoch: number;
  /** Absent after a release. */
  readonly lock?: HeadLock;
  /** Absent while the holder is starting. Until then the base of the previous head counts. */
  readonly base?: ObjectsInUse;
  /** The name of the store that passed the test (lock.ts). A copied state is in a store of another name. */
  readonly tested: string;
}

export interface BasedHead extends StateHead {
  readonly base: ObjectsInUse;
}

export const emptyBase: ObjectsInUse = { segments: [], segmentBytes: 0, tails: [], fences: [], ahead: 0 };

/** Returns the keys of the objects that contain the snapshot, in order. */
export function snapshotKeys({ snapshot }: ObjectsInUse): string[] {
  return Array.from({ length: snapshot?.parts ?? 0 }, (_, part) => snapshotKey(snapshot?.id ?? '', part));
}

export function* segmentKeys({ segments }: ObjectsInUse): Generator<string> {
  for (const { epoch, from = 1, count } of segments)
    for (let number = from; number <= count; number += 1) yield segmentKey(epoch, number);
}

export function* tailKeys({ tails }: ObjectsInUse): Generator<string> {
  for (const { epoch, from, to } of tails)
    for (let number = from; number <= to; number += 1) yield journalKey(epoch, number);
}

export function printHead({ header, ...rest }: StateHead): Buffer {
  // A head is plain JSON, which the compiler cannot infer for an interface.
  return Buffer.from(`${canonicalJson({ ...header, ...rest } as unknown as JsonValue)}\n`);
}

/** Throws `state.corrupt` or `state.newer-format`. */
export function parseHead(lines: Buffer, state: string, key: string): StateHead {
  const line = parseLine(lines.toString());
  const header = readHeader(line, state, key);
  const { epoch, lock, base, tested } = line ?? {};
  const isWhole = typeof epoch === 'number' && typeof tested === 'string';
  if (!isWhole || (base !== undefined && !isBase(base)) || (lock !== undefined && !isLock(lock)))
    throw corrupt(state, `the object ${key}`, 'is not whole');
  return {
    header,
    epoch,
    tested,
    ...(lock === undefined ? {} : { lock }),
    ...(base === undefined ? {} : { base }),
  };
}

function isLock(value: unknown): value is HeadLock {
  return isRecord(value) && isOwner(value.owner) && typeof value.leaseMs === 'number';
}

function isBase(value: unknown): value is ObjectsInUse {
  if (!isRecord(value)) return false;
  const { segments, tails, fences, ahead } = value;
  return [segments, tails, fences].every(Array.isArray) && typeof ahead === 'number';
}
