// Reads objects from NDJSON, one per line.
import { isList, type JsonValue, parsedJson, reservedKeys } from '../../../lib/json.ts';
import type { FileLine } from '../../../lib/line-reader.ts';
import type { RawRow } from '../../../lib/tables/csv-records.ts';
import type { Tree } from '../files/tree.ts';
import type { ProblemSource, Problems } from '../problems/problems.ts';
import { readJsonTree } from './json-tree.ts';
import { type RowFormat, reportUnusable } from './row.ts';

export const ndjson: RowFormat = { rows, value, keysIn, tree };

async function* rows(
  batches: AsyncIterable<readonly FileLine[]>,
  name: string,
  problems: Problems,
): AsyncGenerator<readonly RawRow[]> {
  for await (const lines of batches) {
    const batch: RawRow[] = [];
    for (const line of lines) {
      const { text } = line;
      if (text === undefined) reportUnusable(name, line, problems);
      else if (text.length > 1 || text.trim() !== '') batch.push({ line: line.line, text });
    }
    yield batch;
  }
}

/** Returns undefined if the row is not JSON or has a problem, which `tree` reports. */
function value({ text }: RawRow): JsonValue | undefined {
  const json = parsedJson(text);
  if (json === undefined) return undefined;
  // JSON.parse keeps one of two equal keys. Then the row has more quotes than the keys and texts that were read.
  return !text.includes('\\') && countQuotes(text) === 2 * textsIn(json, 0) ? json : closely(text, json);
}

function countQuotes(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) count += 1;
  return count;
}

function closely(text: string, json: JsonValue): JsonValue | undefined {
  let isRight = true;
  readJsonTree(text, () => {
    isRight = false;
  });
  return isRight ? json : undefined;
}

/** Counts the texts in a value, including keys. Returns NaN if it nests deeply or has a reserved key. */
function textsIn(json: JsonValue, depth: number): number {
  if (typeof json === 'string') return 1;
  if (typeof json !== 'object' || json === null) return 0;
  if (depth > 20) return Number.NaN;
  let count = 0;
  if (isList(json)) for (const item of json) count += textsIn(item, depth + 1);
  else {
    for (const key in json) {
      if (reservedKeys.has(key)) return Number.NaN;
      count += 1 + textsIn(json[key] ?? null, depth + 1);
    }
  }
  return count;
}

/** Also finds a number, which is not valid but was meant as a key. */
function keysIn(text: string, keyName: string): readonly string[] {
  const pairs = text.matchAll(/"(\w+)"\s*:\s*("(?:[^"\\]|\\.)*"|[\w.+-]+)/gu);
  return [...pairs].flatMap(([, name, value = '']) => {
    if (name !== keyName) return [];
    const key = value.startsWith('"') ? parsedJson(value) : value;
    return typeof key === 'string' ? [key] : [];
  });
}

function tree(row: RawRow, source: ProblemSource, problems: Problems): Tree | undefined {
  return readJsonTree(row.text, ({ code, detail, offset }) => problems.add(code, detail, { source, offset }));
}
