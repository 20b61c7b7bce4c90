// How is a file of lines read fast, and where does its last whole line end?
import type { SourceFile } from './file-system.ts';

const chunkBytes = 1 << 18;
export const newline = 10;

export interface LinesRead {
  /** Up to and with the last newline. */
  readonly bytes: number;
  /** There is something behind the last newline: a line whose writing was cut off. */
  readonly torn: boolean;
}

/** A line without its newline: bytes of a buffer that is used again afterwards. */
export interface LineSpan {
  readonly chunk: Buffer;
  readonly start: number;
  readonly end: number;
  /** Counts from 1. */
  readonly number: number;
  /** Where the line begins in the file. */
  readonly offset: number;
}

/** Calls `onLine` for each whole line among the first `limit` bytes, until it returns false; `onBytes` for all bytes. */
export async function eachSpan(
  file: Pick<SourceFile, 'read'>,
  limit: number,
  onLine: (span: LineSpan) => boolean | undefined,
  onBytes: (bytes: Buffer) => void = () => {},
): Promise<LinesRead> {
  let buffer = Buffer.allocUnsafe(chunkBytes);
  let filled = 0;
  let bytes = 0;
  // One for all lines: there may be millions of them.
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
 * The same, with the text of each line. It is a copy of the line alone: a slice of the chunk would keep the whole chunk
 * in memory for as long as one string of it lives.
 */
export function eachLine(
  file: Pick<SourceFile, 'read'>,
  limit: number,
  onLine: (text: string, number: number) => boolean | undefined,
): Promise<LinesRead> {
  return eachSpan(file, limit, ({ chunk, start, end, number }) => onLine(chunk.toString('utf8', start, end), number));
}

/** The JSON object that a line spells, or undefined. */
export function parseLine(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
