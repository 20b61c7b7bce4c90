// Lines of JSON objects, as snapshots, journals, heads and copies contain them.
import { parseAddress } from '../../model/address.ts';
import type { PendingBegin } from '../../model/ports.ts';

export const newline = 10;

/** Yields the lines in the bytes. A last line without a newline is left out. */
export function* linesIn(bytes: Buffer): Generator<string> {
  for (let start = 0, end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    yield bytes.toString('utf8', start, end);
    start = end + 1;
  }
}

/** Returns undefined if the line is not a JSON object. */
export function parseLine(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns undefined if the line is not a begin. Keeps members that this version does not know. */
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
