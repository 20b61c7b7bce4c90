// Reads rows of a file again from their places. Rows that lie close together are read at once.
import { Buffer, isAscii } from 'node:buffer';
import type { OpenFile } from '../files.ts';
import type { RawRow } from './row.ts';
import type { RowPlace } from './row-places.ts';

/** Undefined when the file ends too early. */
export function readAgain(file: OpenFile, places: readonly RowPlace[]): readonly RawRow[] | undefined {
  if (isDense(places)) return readTogether(file, places);
  const rows: RawRow[] = [];
  for (const place of places) {
    const [row] = readTogether(file, [place]) ?? [];
    if (row === undefined) return undefined;
    rows.push(row);
  }
  return rows;
}

/** Most bytes to read at once. */
const maxTogether = 16_000_000;

/** Whether reading all rows at once reads little besides them. */
function isDense(places: readonly RowPlace[]): boolean {
  const [start, end] = spanOf(places);
  const wanted = places.reduce((sum, { bytes }) => sum + bytes, 0);
  return end - start <= Math.min(maxTogether, 65_536 + 2 * wanted);
}

function spanOf(places: readonly RowPlace[]): readonly [number, number] {
  let start = Number.POSITIVE_INFINITY;
  let end = 0;
  for (const place of places) {
    start = Math.min(start, place.start);
    end = Math.max(end, place.start + place.bytes);
  }
  return [Math.min(start, end), end];
}

function readTogether(file: OpenFile, places: readonly RowPlace[]): readonly RawRow[] | undefined {
  const [first, end] = spanOf(places);
  const buffer = readRange(file, first, end);
  if (buffer === undefined) return undefined;
  const ascii = isAscii(buffer) ? buffer.toString('latin1') : undefined;
  return places.map(({ start, bytes, line }) => {
    const [from, to] = [start - first, start - first + bytes];
    return { start, bytes, line, text: ascii?.slice(from, to) ?? buffer.toString('utf8', from, to) };
  });
}

function readRange(file: OpenFile, start: number, end: number): Buffer | undefined {
  const buffer = Buffer.allocUnsafe(end - start);
  for (let filled = 0; filled < buffer.length; ) {
    const count = file.read(buffer.subarray(filled), start + filled);
    if (count === 0) return undefined;
    filled += count;
  }
  return buffer;
}
