// Heads: the objects that are replaced. Each is of one holder, holds its lock, and names the objects that count.
import { canonicalJson, type JsonValue } from '../../lib/json.ts';
import type { StateHeader } from '../../model/ports.ts';
import { readHeader, type StateFormats } from '../records/header.ts';
import { isRecord, parseLine } from '../records/lines.ts';
import { corrupt } from '../records/refusals.ts';
import { journalKey, segmentKey, snapshotKey } from './layout.ts';
import { isOwner, type LockOwner } from './lease.ts';

/** Who holds the lock. It is over `leaseMs` after the head was written, by the clock of the store. */
export interface HeadLock {
  readonly owner: LockOwner;
  /** The holder's wall clock, for messages. */
  readonly since: string;
  readonly heartbeat: string;
  readonly leaseMs: number;
}

/** Batches of one epoch, both ends included. */
interface Batches {
  readonly epoch: number;
  readonly from: number;
  readonly to: number;
}

/** The objects that count: a snapshot, then segments, then batches. */
export interface Base {
  readonly snapshot?: {
    readonly id: string;
    readonly parts: number;
    /** Of its lines. */
    readonly bytes: number;
    /** SHA-256 of its lines. */
    readonly digest: string;
  };
  /** The segments of these epochs, from `from` to `count`: those before are in the snapshot. Absent: 1. */
  readonly segments: readonly {
    readonly epoch: number;
    readonly from?: number;
    readonly count: number;
  }[];
  /** Of the lines in the segments. */
  readonly segmentBytes: number;
  /** Journals of former holders, as far as they count. */
  readonly tails: readonly Batches[];
  /** The journal that may still grow: it counts up to the first number without a batch. Absent after a release. */
  readonly open?: {
    readonly epoch: number;
    readonly from: number;
    /** The last number that the holder knew to be there when it wrote the head. */
    readonly least?: number;
  };
  /** The last fences: they outlive their journals, for a write that arrives late. */
  readonly fences: readonly {
    readonly epoch: number;
    readonly number: number;
  }[];
  /** How far the serial is ahead of the epoch. */
  readonly ahead: number;
}

export interface Head {
  readonly header: StateHeader;
  /** The fencing token. Grows with every holder. */
  readonly epoch: number;
  /** Absent when it was released. */
  readonly lock?: HeadLock;
  /** Absent while the holder is starting: its head says nothing yet, and the one before it still counts. */
  readonly base?: Base;
  /** The name of the store that was tested before it was trusted. A copied state is in another store. */
  readonly tested: string;
}

/** A head that counts. */
export interface BasedHead extends Head {
  readonly base: Base;
}

export const emptyBase: Base = { segments: [], segmentBytes: 0, tails: [], fences: [], ahead: 0 };

export function snapshotKeys({ snapshot }: Base): string[] {
  return Array.from({ length: snapshot?.parts ?? 0 }, (_, part) => snapshotKey(snapshot?.id ?? '', part));
}

export function* segmentKeys({ segments }: Base): Generator<string> {
  for (const { epoch, from = 1, count } of segments)
    for (let number = from; number <= count; number += 1) yield segmentKey(epoch, number);
}

export function* tailKeys({ tails }: Base): Generator<string> {
  for (const { epoch, from, to } of tails)
    for (let number = from; number <= to; number += 1) yield journalKey(epoch, number);
}

export function printHead({ header, ...rest }: Head): Buffer {
  // A head is JSON by construction; the compiler cannot see it, as an interface has no index signature.
  return Buffer.from(`${canonicalJson({ ...header, ...rest } as unknown as JsonValue)}\n`);
}

/** Throws `state.corrupt` or `state.newer-format`. */
export function parseHead(bytes: Buffer, state: string, key: string, formats: StateFormats): Head {
  const line = parseLine(bytes.toString());
  const header = readHeader(line, state, key, formats);
  const { epoch, lock, base, tested } = line ?? {};
  const isWhole = typeof epoch === 'number' && typeof tested === 'string';
  if (!isWhole || (base !== undefined && !isBase(base)) || (lock !== undefined && !isLock(lock)))
    throw corrupt(state, `the object ${key}`, 'is not whole');
  return { header, epoch, tested, ...(lock === undefined ? {} : { lock }), ...(base === undefined ? {} : { base }) };
}

function isLock(value: unknown): value is HeadLock {
  return isRecord(value) && isOwner(value.owner) && typeof value.leaseMs === 'number';
}

function isBase(value: unknown): value is Base {
  if (!isRecord(value)) return false;
  const { segments, tails, fences, ahead } = value;
  return [segments, tails, fences].every(Array.isArray) && typeof ahead === 'number';
}
