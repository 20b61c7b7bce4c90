// How is a file of lines read fast, and where does its last whole line end?
import type { SourceFile } from './files.ts';

const chunkBytes = 1 << 18;
const newline = 10;

export interface LinesRead {
  /** Up to and with the last newline. */
  readonly bytes: number;
  /** There is something behind the last newline: a line whose writing was cut off. */
  readonly torn: boolean;
}

/**
 * Calls `onLine` for each whole line among the first `limit` bytes, until it returns false. The text is a copy of the
 * line alone: a slice of the chunk would keep the whole chunk in memory for as long as one string of it lives.
 */
export async function eachLine(
  file: SourceFile,
  limit: number,
  onLine: (text: string, number: number) => boolean | undefined,
): Promise<LinesRead> {
  let buffer = Buffer.allocUnsafe(chunkBytes);
  let filled = 0;
  let bytes = 0;
  let number = 0;
  for (;;) {
    if (filled === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
    const wanted = Math.min(buffer.length - filled, limit - bytes - filled);
    const got = wanted > 0 ? await file.read(buffer, filled, wanted) : 0;
    if (got === 0) return { bytes, torn: filled > 0 };
    const known = filled;
    filled += got;
    const chunk = buffer.subarray(0, filled);
    let start = 0;
    for (let end = chunk.indexOf(newline, known); end !== -1; end = chunk.indexOf(newline, start)) {
      number += 1;
      bytes += end + 1 - start;
      if (onLine(chunk.toString('utf8', start, end), number) === false) return { bytes, torn: false };
      start = end + 1;
    }
    buffer.copyWithin(0, start, filled);
    filled -= start;
  }
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
