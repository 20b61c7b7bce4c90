// Reads the history files of an earlier export, so that only what may have changed since is read from the platform.
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { channelOfHistoryFile } from '../../../core/model/migration/history-names.ts';
import { errorCode } from '../../../lib/errors.ts';
import { type JsonObject, parsedObject } from '../../../lib/json.ts';
import { readStreamLines } from '../../../lib/line-reader.ts';

interface EarlierLines {
  /** The platform is read from this time on, in Unix milliseconds. */
  readonly until: number;
  /** The lines before it. */
  readonly before: AsyncIterable<readonly JsonObject[]>;
}

export interface EarlierExport {
  /** Relative to the folder, sorted. */
  readonly historyFiles: readonly string[];
  /** Undefined for a channel whose history file the earlier export does not have. */
  linesOf(channelUrl: string): Promise<EarlierLines | undefined>;
}

/**
 * Edits and deletions are read from `overlapMs` before the last line of a history file. The earlier export may have been killed: an
 * incomplete last line of a history file is read again.
 */
export async function earlierExport(folder: string, overlapMs: number): Promise<EarlierExport> {
  // Names are listed, because a file system that ignores case finds the history file of another channel.
  const historyFiles = await historyFilesIn(folder);
  const files = new Map(historyFiles.map((file) => [channelOfHistoryFile(file), file]));
  return {
    historyFiles,
    linesOf: async (channelUrl) => {
      const file = files.get(channelUrl);
      if (file === undefined) return undefined;
      const path = join(folder, file);
      let last = 0;
      for await (const lines of objectsIn(path)) last = timeOf(lines.at(-1)) ?? last;
      const until = Math.max(0, last - overlapMs);
      return { until, before: linesBefore(path, until) };
    },
  };
}

async function historyFilesIn(folder: string): Promise<readonly string[]> {
  const home = join(folder, 'history');
  const entries = await readdir(home, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/'))
    .filter((file) => channelOfHistoryFile(file) !== undefined)
    .sort();
}

async function* linesBefore(path: string, until: number): AsyncGenerator<readonly JsonObject[]> {
  for await (const lines of objectsIn(path)) {
    const before = lines.filter((line) => (timeOf(line) ?? until) < until);
    if (before.length > 0) yield before;
    if (before.length < lines.length) return;
  }
}

/** Yields the lines of a history file as objects, some at a time. */
export async function* objectsIn(path: string): AsyncGenerator<readonly JsonObject[]> {
  for await (const lines of readStreamLines(createReadStream(path, { highWaterMark: 1 << 20 }))) {
    yield lines.map(({ text = '' }) => parsedObject(text)).filter((line) => line !== undefined);
  }
}

function timeOf(line: JsonObject | undefined): number | undefined {
  return typeof line?.timestamp === 'number' ? line.timestamp : undefined;
}
