// The lines of a journal: a header, its base, then one entry a line in the order of acknowledgement.
import type { StateHeader } from '../../model/ports.ts';
import { parseEntry } from '../entries.ts';
import { type StateFormats, upgradeFrom } from '../format.ts';
import { checkLineage, readHeader } from '../header.ts';
import type { LockOwner } from '../lease.ts';
import { eachLine, isRecord, parseLine } from '../lines.ts';
import { corrupt } from '../refusals.ts';
import type { StateChange } from '../view.ts';
import type { SourceFile } from './file-system.ts';

/** How much of an earlier journal counts. */
interface CountedJournal {
  readonly epoch: number;
  readonly bytes: number;
}

/** What the entries of a journal are applied to. */
export interface JournalBase {
  /** The snapshot holds all epochs up to this one; 0 when no holder has written a snapshot. */
  readonly covers: number;
  /** The journals to apply after it, in this order, each up to its `bytes`. */
  readonly counts: readonly CountedJournal[];
  /** How far the serial is ahead of the epoch. Absent until contents with a greater serial were pushed. */
  readonly ahead?: number;
  /**
   * SHA-256 of the snapshot once all of its lines were checked: bytes that still have this digest need no second check.
   * Absent when they were not checked, when they were edited, or without a snapshot.
   */
  readonly snapshot?: string;
}

export interface JournalHead {
  readonly header: StateHeader;
  /** Name of the holder's lock file. It is removed when the lock is released. */
  readonly lock: string;
  /** Absent while the holder is starting: its journal says nothing yet, and the one before it still counts. */
  readonly base: JournalBase | undefined;
}

export function headerLine(header: StateHeader, epoch: number, lock: string, owner: LockOwner): string {
  return `${JSON.stringify({ ...header, epoch, lock, owner })}\n`;
}

export function baseLine({ covers, counts, ahead, snapshot }: JournalBase): string {
  return `${JSON.stringify({ type: 'base', covers, counts, ahead, snapshot })}\n`;
}

/** Reads the first two lines. `state` and `name` are for messages. */
export async function readHead(
  file: SourceFile,
  state: string,
  name: string,
  formats: StateFormats,
): Promise<JournalHead> {
  const head: (Readonly<Record<string, unknown>> | undefined)[] = [];
  await eachLine(file, Number.POSITIVE_INFINITY, (text, number) => {
    head.push(parseLine(text));
    return number < 2;
  });
  const [first, second] = head;
  const header = readHeader(first, state, name, formats);
  const lock = first?.lock;
  if (typeof lock !== 'string') throw corrupt(state, `${name} line 1`, 'does not name a lock');
  const base = second === undefined ? undefined : parseBase(second);
  if (head.length === 2 && base === undefined) {
    throw corrupt(state, `${name} line 2`, 'does not name the base of the journal');
  }
  return { header, lock, base };
}

/**
 * Passes on the entries of the first `limit` bytes and returns how many bytes their lines take. A last line without its
 * newline was never acknowledged and is left out; any other line that is not an entry is damage.
 */
export async function readEntries(
  file: SourceFile,
  limit: number,
  expected: StateHeader | undefined,
  state: string,
  name: string,
  formats: StateFormats,
  onEntry: (entry: StateChange) => void,
): Promise<number> {
  let upgrade = upgradeFrom('', formats);
  const { bytes } = await eachLine(file, limit, (text, number) => {
    if (number === 1) {
      const header = readHeader(parseLine(text), state, name, formats);
      if (expected !== undefined) checkLineage(header, expected, state, name);
      upgrade = upgradeFrom(header.format, formats);
    }
    if (number <= 2) return;
    const entry = parseEntry(parseLine(text));
    if (entry === undefined) throw corrupt(state, `${name} line ${number}`, 'is not an entry');
    onEntry(entry.type === 'done' ? { ...entry, entry: upgrade.entry(entry.entry) } : entry);
  });
  return bytes;
}

function parseBase(line: Readonly<Record<string, unknown>>): JournalBase | undefined {
  const { type, covers, counts, ahead, snapshot } = line;
  if (type !== 'base' || typeof covers !== 'number' || !Array.isArray(counts) || !counts.every(isCountedJournal))
    return undefined;
  return {
    covers,
    counts,
    ...(typeof ahead === 'number' ? { ahead } : {}),
    ...(typeof snapshot === 'string' ? { snapshot } : {}),
  };
}

function isCountedJournal(value: unknown): value is CountedJournal {
  return isRecord(value) && typeof value.epoch === 'number' && typeof value.bytes === 'number';
}
