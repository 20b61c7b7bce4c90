// Words values in messages.
import { isList, isObject, type JsonValue } from '../../../lib/json.ts';

/** The length of the longest id of the platform, so that ids are never cut. */
const maxShown = 100;

/** Quotes a text with escaped control characters. Long texts are shortened. */
export function quoted(text: string): string {
  const points = Array.from(text.slice(0, 2 * maxShown + 2));
  return JSON.stringify(points.length > maxShown ? `${points.slice(0, maxShown).join('')}…` : text);
}

/** Returns `a, b or c`. */
export function oneOf(names: readonly string[]): string {
  return joined(names, 'or');
}

/** Returns `a, b and c`. */
export function allOf(names: readonly string[]): string {
  return joined(names, 'and');
}

function joined(names: readonly string[], word: string): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${word} ${last}`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  object: 'a map',
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  null: 'nothing',
};

export function typeName(type: string): string {
  return typeNames[type] ?? type;
}

/** Describes a value as a noun. `text` is the source text of a scalar. */
export function describeValue(value: JsonValue | undefined, text: string | undefined): string {
  if (value === null || value === undefined) return 'nothing';
  if (isList(value)) return 'a list';
  if (isObject(value)) return 'a map';
  if (typeof value === 'string') return `the text ${quoted(value)}`;
  return typeof value === 'number' ? `the number ${text ?? value}` : `${text ?? value}`;
}
