// Reads files of lines, each of which is a JSON object: snapshots, journals, locks and copies.
import { parseAddress } from '../model/address.ts';
import type { PendingBegin } from '../model/ports.ts';
import type { SourceFile } from './file/file-system.ts';

const chunkBytes = 1 << 18;
export const newline = 10;

export interface LinesRead {
  /** Up to and including the last newline. */
  readonly bytes: number;
  /** There are bytes behind the last newline: a line that was cut while it was written. */
  readonly torn: boolean;
}

/** A line without its newline. The chunk is used again after the call. */
export interface LineSpan {
  readonly chunk: Buffer;
  readonly start: number;
  readonly end: number;
  /** Counts from 1. */
  readonly number: number;
  /** Of the start of the line in the file. */
  readonly offset: number;
}

/** Calls `onLine` for each whole line in the first `limit` bytes, until it returns false, and `onBytes` for all bytes. */
export async function eachSpan(
  file: Pick<SourceFile, 'read'>,
  limit: number,
  onLine: (span: LineSpan) => boolean | undefined,
  onBytes: (bytes: Buffer) => void = () => {},
): Promise<LinesRead> {
  let buffer = Buffer.allocUnsafe(chunkBytes);
  let filled = 0;
  let bytes = 0;
  // One object for all lines: there may be millions of them.
  const span = { chunk: buffer, start: 0, end: 0, number: 0, offset: 0 };
  for (;;) {
    if (filled === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
    const wanted = Math.min(buffer.length - filled, limit - bytes - filled);
    const got = wanted > 0 ? await file.read(buffer, filled, wanted, bytes + filled) : 0;
    if (got === 0) return { bytes, torn: filled > 0 };
    const known = filled;
    filled += got;
    onBytes(buffer.subarray(known, filled));
    const chunk = buffer.subarray(0, filled);
    span.chunk = chunk;
    let start = 0;
    for (let end = chunk.indexOf(newline, known); end !== -1; end = chunk.indexOf(newline, start)) {
      span.start = start;
      span.end = end;
      span.number += 1;
      span.offset = bytes;
      bytes += end + 1 - start;
      if (onLine(span) === false) return { bytes, torn: false };
      start = end + 1;
    }
    buffer.copyWithin(0, start, filled);
    filled -= start;
  }
}

/**
 * Like `eachSpan`, with the text of each line. The text is a copy: a slice of the chunk would keep the whole chunk in
 * memory for as long as the text lives.
 */
export function eachLine(
  file: Pick<SourceFile, 'read'>,
  limit: number,
  onLine: (text: string, number: number) => boolean | undefined,
): Promise<LinesRead> {
  return eachSpan(file, limit, ({ chunk, start, end, number }) => onLine(chunk.toString('utf8', start, end), number));
}

/** Undefined when the line is not a JSON object. */
export function parseLine(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps members that this version does not know. Undefined when the line is not a begin. */
export function parseBegin(line: unknown): PendingBegin | undefined {
  if (!isRecord(line) || !isAddress(line.address)) return undefined;
  const isWhole = [line.step, line.request, line.at].every((value) => typeof value === 'string');
  return isWhole ? (line as unknown as PendingBegin) : undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isAddress(value: unknown): boolean {
  return typeof value === 'string' && parseAddress(value) !== undefined;
}
