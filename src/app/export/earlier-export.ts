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

/** The earlier export may have been killed: an incomplete last line of an archive is read again. */
export class EarlierExport {
  readonly #folder: string;
  readonly #overlapMs: number;

  /** Edits and deletions are read from `overlapMs` before the last line of an archive. */
  constructor(folder: string, overlapMs: number) {
    this.#folder = folder;
    this.#overlapMs = overlapMs;
  }

  /** Returns undefined for an archive that the earlier export does not have. */
  async lines(name: string): Promise<EarlierLines | undefined> {
    const path = join(this.#folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() !== true) return undefined;
    let last = 0;
    for await (const lines of objectsIn(path)) last = timeOf(lines.at(-1)) ?? last;
    const until = Math.max(0, last - this.#overlapMs);
    return { until, before: linesBefore(path, until) };
  }
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
