// What stands in a journal? A header, on what it stands (its base), then one entry a line in the order of acknowledgement.

import { jsonString } from '../../lib/json.ts';
import { parseAddress } from '../../model/address.ts';
import type { PendingBegin, StateHeader } from '../../model/ports.ts';
import { type Formats, upgradeFrom } from '../format.ts';
import type { Owner } from '../lease.ts';
import { corrupt } from '../refusals.ts';
import type { StateChange } from '../view.ts';
import type { SourceFile } from './file-system.ts';
import { readHeader } from './header.ts';
import { eachLine, isRecord, parseLine } from './lines.ts';

/** How much of an earlier journal counts. */
interface Count {
  readonly epoch: number;
  readonly bytes: number;
}

/** What a journal's entries are applied to. */
export interface Base {
  /** The snapshot holds all epochs up to this one; 0 when none was written by a holder. */
  readonly covers: number;
  /** Then these journals, in this order, and of each no more than these bytes. */
  readonly counts: readonly Count[];
  /** By how much the serial is ahead of the epoch: absent until contents with a greater serial were put in place. */
  readonly ahead?: number;
  /**
   * SHA-256 of the snapshot, all of whose lines have been checked and found to be as they are written: bytes that it is
   * still of need no second check. Absent when they have not been, or when there is no snapshot.
   */
  readonly snapshot?: string;
}

export interface JournalHead {
  readonly header: StateHeader;
  /** Name of the holder's lock file; when it is gone, the lock was released. */
  readonly lock: string;
  /** Absent when the holder has not come so far: then its journal says nothing yet, and the one before it is the truth. */
  readonly base: Base | undefined;
}

export function headerLine(header: StateHeader, epoch: number, lock: string, owner: Owner): string {
  return `${JSON.stringify({ ...header, epoch, lock, owner })}\n`;
}

export function baseLine({ covers, counts, ahead, snapshot }: Base): string {
  return `${JSON.stringify({ type: 'base', covers, counts, ahead, snapshot })}\n`;
}

export function entryLine(entry: StateChange): string {
  return `${JSON.stringify(entry)}\n`;
}

/** The line of a step that puts a record, of which the text is at hand. */
export function putLine(step: string, text: string): string {
  return `{"type":"done","step":${jsonString(step)},"entry":{"type":"put","record":${text}}}\n`;
}

/** The first two lines. `state` and `name` are for messages. */
export async function readHead(file: SourceFile, state: string, name: string, formats: Formats): Promise<JournalHead> {
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
    throw corrupt(state, `${name} line 2`, 'does not say on what the journal stands');
  }
  return { header, lock, base };
}

/**
 * Hands over the entries of the first `limit` bytes and returns how many bytes those lines take. A last line without
 * its newline was never acknowledged and is left out; any other line that is no entry is damage.
 */
export async function readEntries(
  file: SourceFile,
  limit: number,
  state: string,
  name: string,
  formats: Formats,
  onEntry: (entry: StateChange) => void,
): Promise<number> {
  let upgrade = upgradeFrom('', formats);
  const { bytes } = await eachLine(file, limit, (text, number) => {
    if (number === 1) upgrade = upgradeFrom(readHeader(parseLine(text), state, name, formats).format, formats);
    if (number <= 2) return;
    const entry = parseEntry(parseLine(text));
    if (entry === undefined) throw corrupt(state, `${name} line ${number}`, 'is not an entry');
    onEntry(entry.type === 'done' ? { ...entry, entry: upgrade.entry(entry.entry) } : entry);
  });
  return bytes;
}

/** The begin that a parsed line spells, with all that stands in it; undefined when it is none. */
export function parseBegin(line: unknown): PendingBegin | undefined {
  if (!isRecord(line) || !isAddress(line.address)) return undefined;
  const isWhole = [line.step, line.request, line.at].every((value) => typeof value === 'string');
  return isWhole ? (line as unknown as PendingBegin) : undefined;
}

function parseBase(line: Readonly<Record<string, unknown>>): Base | undefined {
  const { type, covers, counts, ahead, snapshot } = line;
  if (type !== 'base' || typeof covers !== 'number' || !Array.isArray(counts) || !counts.every(isCount))
    return undefined;
  return {
    covers,
    counts,
    ...(typeof ahead === 'number' ? { ahead } : {}),
    ...(typeof snapshot === 'string' ? { snapshot } : {}),
  };
}

function isCount(value: unknown): value is Count {
  return isRecord(value) && typeof value.epoch === 'number' && typeof value.bytes === 'number';
}

function parseEntry(line: Readonly<Record<string, unknown>> | undefined): StateChange | undefined {
  if (typeof line?.step !== 'string') return undefined;
  const known =
    line.type === 'undone' ||
    (line.type === 'begin' && isAddress(line.address)) ||
    (line.type === 'done' && isStateEntry(line.entry));
  return known ? (line as unknown as StateChange) : undefined;
}

function isStateEntry(value: unknown): boolean {
  if (!isRecord(value)) return false;
  switch (value.type) {
    case 'put':
      return isRecord(value.record) && isAddress(value.record.address) && isRecord(value.record.attributes);
    case 'patch':
      return isAddress(value.address) && Array.isArray(value.edits);
    case 'delete':
      return isAddress(value.address);
    default:
      return false;
  }
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && parseAddress(value) !== undefined;
}
