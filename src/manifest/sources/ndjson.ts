// Reads objects from NDJSON, one on each line.
import { isList, type JsonValue } from '../../lib/json.ts';
import { readLines } from '../../lib/line-reader.ts';
import { reservedKeys } from '../../lib/unusable.ts';
import type { Problems } from '../checks/problems.ts';
import type { OpenFile } from '../files.ts';
import type { Source } from '../yaml/source-text.ts';
import type { Tree } from '../yaml/tree.ts';
import { readJsonTree } from './json-tree.ts';
import { type RawRow, type RowFormat, reportUnusable } from './row.ts';

export const ndjson: RowFormat = { rows, value, valueAgain: parsed, keysIn, tree };

function* rows(file: OpenFile, name: string, problems: Problems): Generator<readonly RawRow[]> {
  for (const lines of readLines((into, position) => file.read(into, position))) {
    const batch: RawRow[] = [];
    for (const line of lines) {
      const { start, bytes, text } = line;
      if (text === undefined) reportUnusable(name, line, problems);
      else if (text.length > 1 || text.trim() !== '') batch.push({ start, bytes, line: line.line, text });
    }
    yield batch;
  }
}

/** Undefined when the row is not JSON, or has a problem that `tree` reports. */
function value({ text }: RawRow): JsonValue | undefined {
  const found = parsed(text);
  if (found === undefined) return undefined;
  // JSON.parse keeps one of two equal keys; then the row has more quotes than the keys and texts that were read.
  return !text.includes('\\') && countQuotes(text) === 2 * textsIn(found, 0) ? found : closely(text, found);
}

function countQuotes(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) count += 1;
  return count;
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function closely(text: string, found: JsonValue): JsonValue | undefined {
  let isRight = true;
  readJsonTree(text, () => {
    isRight = false;
  });
  return isRight ? found : undefined;
}

/** Number of texts in a value, keys included. NaN when it nests deeply or has a reserved key. */
function textsIn(found: JsonValue, depth: number): number {
  if (typeof found === 'string') return 1;
  if (typeof found !== 'object' || found === null) return 0;
  if (depth > 20) return Number.NaN;
  let count = 0;
  if (isList(found)) for (const item of found) count += textsIn(item, depth + 1);
  else {
    for (const key in found) {
      if (reservedKeys.has(key)) return Number.NaN;
      count += 1 + textsIn(found[key] ?? null, depth + 1);
    }
  }
  return count;
}

/** Also finds a number, which is not a valid key but was meant as one. */
function keysIn(text: string, keyName: string): readonly string[] {
  const found = text.matchAll(/"(\w+)"\s*:\s*("(?:[^"\\]|\\.)*"|[\w.+-]+)/gu);
  return [...found].flatMap(([, name, value = '']) => {
    if (name !== keyName) return [];
    const key = value.startsWith('"') ? parsed(value) : value;
    return typeof key === 'string' ? [key] : [];
  });
}

function tree(row: RawRow, source: Source, problems: Problems): Tree | undefined {
  return readJsonTree(row.text, ({ code, detail, offset }) => problems.add(code, detail, { source, offset }));
}
