// Reads the archives of an earlier export, so that only what may have changed since is read from the platform.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, parsedObject } from '../../lib/json.ts';
import { readStreamLines } from '../../lib/line-reader.ts';

interface EarlierLines {
  /** The platform is read from this time on, in Unix milliseconds. */
  readonly until: number;
  /** The lines before it. */
  readonly before: AsyncIterable<readonly JsonObject[]>;
}

/** Returns undefined for an archive that the earlier export does not have. */
export type EarlierExport = (name: string) => Promise<EarlierLines | undefined>;

/**
 * Edits and deletions are read from `overlapMs` before the last line of an archive. The earlier export may have been killed: an
 * incomplete last line of an archive is read again.
 */
export function earlierExport(folder: string, overlapMs: number): EarlierExport {
  return async (name) => {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() !== true) return undefined;
    let last = 0;
    for await (const lines of objectsIn(path)) last = timeOf(lines.at(-1)) ?? last;
    const until = Math.max(0, last - overlapMs);
    return { until, before: linesBefore(path, until) };
  };
}

async function* linesBefore(path: string, until: number): AsyncGenerator<readonly JsonObject[]> {
  for await (const lines of objectsIn(path)) {
    const before = lines.filter((line) => (timeOf(line) ?? until) < until);
    if (before.length > 0) yield before;
    if (before.length < lines.length) return;
  }
}

async function* objectsIn(path: string): AsyncGenerator<readonly JsonObject[]> {
  for await (const lines of readStreamLines(createReadStream(path, { highWaterMark: 1 << 20 }))) {
    yield lines.map(({ text = '' }) => parsedObject(text)).filter((line) => line !== undefined);
  }
}

function timeOf(line: JsonObject | undefined): number | undefined {
  return typeof line?.timestamp === 'number' ? line.timestamp : undefined;
}
