// Compares an answer of the platform with the expectations of a step.

import { equalJson, isList, isObject, type JsonObject, type JsonValue, ownValue, valueAt } from '../../../lib/json.ts';
import { firstOf } from '../../../lib/words.ts';
import { printPath } from '../../model/change.ts';
import type { Expectation } from '../../model/request.ts';

export interface UnmetExpectation {
  readonly path: readonly string[];
  /** The value of the answer, if it is a text. */
  readonly found?: string;
  /** A clause such as `nickname is "Bob" instead of "Alice"`. */
  readonly text: string;
}

/** With `mayBeOurs`, fields that the answer omits count as met. */
export function unmetExpectations(
  answer: JsonObject,
  expectations: readonly Expectation[],
  mayBeOurs = false,
): UnmetExpectation[] {
  const unmet: UnmetExpectation[] = [];
  for (const expectation of expectations) {
    const isOpen = mayBeOurs && 'includes' in expectation && expectation.ifShown === true;
    if (isOpen && valueAt(answer, expectation.path) === undefined) continue;
    const value = valueAt(answer, expectation.path);
    const text = difference(value, expectation);
    if (text === undefined) continue;
    unmet.push({
      path: expectation.path,
      text: `${printPath(expectation.path)} ${text}`,
      ...(typeof value === 'string' ? { found: value } : {}),
    });
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
    const id = isObject(item) ? ownValue(item, expectation.by) : item;
    if (typeof id === 'string') there.add(id);
  }
  const missing = expectation.includes.filter((id) => !there.has(id));
  return missing.length === 0 ? undefined : `lacks ${firstOf(missing.map(short), 3)}`;
}

/** Longer than every id: readers need an id as a whole, but a text only to recognise it. */
const maxShown = 120;

/** Shortens long values. */
function short(value: JsonValue): string {
  const text = JSON.stringify(value);
  const characters = [...text];
  if (characters.length <= maxShown) return text;
  const start = characters.slice(0, maxShown - 3).join('');
  // Close an open quote, because --redact hides quoted text and must not hide the rest.
  return start.replace(/\\./gu, '').split('"').length % 2 === 0 ? `${start}..."` : `${start}...`;
}
