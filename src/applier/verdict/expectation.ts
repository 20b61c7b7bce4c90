// Compares an answer of the platform with what a step expects.

import { equalJson, isList, isObject, type JsonObject, type JsonValue, own } from '../../lib/json.ts';
import { printPath } from '../../model/change.ts';
import type { Expectation } from '../../model/request.ts';

/** One expectation that the answer does not meet. */
export interface UnmetExpectation {
  readonly path: readonly string[];
  /** One clause for people: `nickname is "Bob" instead of "Alice"`. */
  readonly text: string;
}

/** `mayBeOurs`: what the answer leaves out is not held against the object. */
export function unmetExpectations(
  answer: JsonObject,
  expectations: readonly Expectation[],
  mayBeOurs = false,
): UnmetExpectation[] {
  const unmet: UnmetExpectation[] = [];
  for (const expectation of expectations) {
    const isOpen = mayBeOurs && 'includes' in expectation && expectation.ifShown === true;
    if (isOpen && valueAt(answer, expectation.path) === undefined) continue;
    const text = difference(valueAt(answer, expectation.path), expectation);
    if (text !== undefined) unmet.push({ path: expectation.path, text: `${printPath(expectation.path)} ${text}` });
  }
  return unmet;
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

/** Cuts long values: the reader needs to recognise them, not to read them. */
function short(value: JsonValue): string {
  const text = JSON.stringify(value);
  const characters = [...text];
  if (characters.length <= 60) return text;
  const start = characters.slice(0, 57).join('');
  // An open quote is closed, since --redact hides what stands in quotes and must not hide the rest.
  return start.replace(/\\./gu, '').split('"').length % 2 === 0 ? `${start}..."` : `${start}...`;
}
