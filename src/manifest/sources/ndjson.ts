// How are objects read from NDJSON, one a line?
import { isList, type JsonValue } from '../../lib/json.ts';
import { isText, readLines } from '../../lib/line-reader.ts';
import type { Problems } from '../checks/problems.ts';
import type { OpenFile } from '../files.ts';
import type { Source } from '../yaml/source-text.ts';
import type { Tree } from '../yaml/tree.ts';
import { readJsonTree } from './json-tree.ts';
import { type RawRow, type RowFormat, tellUnusable } from './row.ts';

export const ndjson: RowFormat = { rows, value, valueAgain: parsed, keysIn, tree };

function* rows(file: OpenFile, name: string, problems: Problems): Generator<readonly RawRow[]> {
  for (const lines of readLines((into, position) => file.read(into, position))) {
    const batch: RawRow[] = [];
    for (const line of lines) {
      if (!isText(line)) tellUnusable(name, line, problems);
      else if (line.text.length > 1 || line.text.trim() !== '') batch.push(line);
    }
    yield batch;
  }
}

/** Undefined when it is no JSON, or when it has to be told what is in it. */
function value({ text, quotes }: RawRow): JsonValue | undefined {
  const found = parsed(text);
  if (found === undefined) return undefined;
  // Of a key that stands twice the parser keeps one, so that there are more quotes than texts to account for them.
  return quotes === 2 * textsIn(found, 0) ? found : closely(text, found);
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

/** How many texts has a value, those of its keys among them? Not a number when it nests deeply or has a reserved key. */
function textsIn(found: JsonValue, depth: number): number {
  if (typeof found === 'string') return 1;
  if (typeof found !== 'object' || found === null) return 0;
  if (depth > 20) return Number.NaN;
  let count = 0;
  if (isList(found)) for (const item of found) count += textsIn(item, depth + 1);
  else {
    for (const key in found) {
      if (key === '__proto__' || key === 'constructor' || key === 'prototype') return Number.NaN;
      count += 1 + textsIn(found[key] ?? null, depth + 1);
    }
  }
  return count;
}

/** Also of a number, which is no key but was meant as one. */
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
