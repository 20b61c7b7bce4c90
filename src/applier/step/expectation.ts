// Does an answer of the platform show what a step expects? And if not, where does it differ?

import { equalJson, isList, isObject, type JsonObject, type JsonValue, own } from '../../lib/json.ts';
import { printPath } from '../../model/change.ts';
import type { Expectation } from '../../model/request.ts';

/** One expectation that is not met. */
export interface Difference {
  readonly path: readonly string[];
  /** One clause for people: `nickname is "Bob" instead of "Alice"`. */
  readonly text: string;
}

export function differences(answer: JsonObject, expectations: readonly Expectation[]): Difference[] {
  const found: Difference[] = [];
  for (const expectation of expectations) {
    const text = difference(valueAt(answer, expectation.path), expectation);
    if (text !== undefined) found.push({ path: expectation.path, text: `${printPath(expectation.path)} ${text}` });
  }
  return found;
}

function difference(value: JsonValue | undefined, expectation: Expectation): string | undefined {
  if ('is' in expectation) {
    if (equalJson(value, expectation.is)) return undefined;
    return `is ${value === undefined ? 'absent' : short(value)} instead of ${short(expectation.is)}`;
  }
  if (!isList(value)) return 'is not a list';
  const there = new Set<string>();
  for (const item of value) {
    const id = isObject(item) ? own(item, expectation.by) : item;
    if (typeof id === 'string') there.add(id);
  }
  const missing = expectation.includes.filter((id) => !there.has(id));
  if (missing.length === 0) return undefined;
  const others = missing.length > 3 ? ` and ${missing.length - 3} more` : '';
  return `lacks ${missing.slice(0, 3).map(short).join(', ')}${others}`;
}

function valueAt(answer: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = answer;
  for (const part of path) value = isObject(value) ? own(value, part) : undefined;
  return value;
}

/** Long values are cut: the reader needs to recognise them, not to read them. */
function short(value: JsonValue): string {
  const text = JSON.stringify(value);
  const characters = [...text];
  if (characters.length <= 60) return text;
  const start = characters.slice(0, 57).join('');
  // A quote that is open is closed: whoever hides what is quoted must not take the rest for it.
  return start.replace(/\\./gu, '').split('"').length % 2 === 0 ? `${start}..."` : `${start}...`;
}
