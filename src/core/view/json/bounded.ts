// A result as one JSON document of at most so many bytes.
import { isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { utf8Length } from '../text/budget.ts';
import { safeJson } from '../text/text.ts';

/** How much of each list and text is kept, from gentle to strict. Keys of the document itself always stay. */
const cuts: readonly (readonly [most: number, characters: number])[] = [
  [10_000, 100_000],
  [1_000, 10_000],
  [100, 2_000],
  [20, 400],
  [5, 100],
  [1, 50],
];

/**
 * The document, indented. If it is larger than `maxBytes`, lists, maps and texts are shortened until it fits: `omitted` has the
 * number of entries that are left out, by the path of their list (`channels[].members`), and `rest` says how to see them all.
 * Texts of more than `longestText` characters are always cut.
 */
export function boundedJson(
  document: object,
  maxBytes: number,
  rest: string,
  longestText = Number.POSITIVE_INFINITY,
): string {
  const whole = `${safeJson(withShortTexts(document, longestText), 2)}\n`;
  if (utf8Length(whole) <= maxBytes) return whole;
  // The strictest cut is used if nothing fits: a document has few keys of its own.
  let text = whole;
  for (const [most, characters] of cuts) {
    // A round trip leaves plain values, as the reader sees them.
    const plain = JSON.parse(JSON.stringify(document)) as JsonObject;
    const before = isObject(plain.omitted) ? Object.entries(plain.omitted) : [];
    const omitted = new Map(before.map(([path, count]) => [path, Number(count)]));
    const fields = Object.entries(plain).map(([name, value]) => [
      name,
      cut(value, name, most, Math.min(characters, longestText), omitted),
    ]);
    text = `${safeJson({ ...Object.fromEntries(fields), omitted: Object.fromEntries(omitted), rest }, 2)}\n`;
    if (utf8Length(text) <= maxBytes) break;
  }
  return text;
}

function withShortTexts(document: object, characters: number): unknown {
  if (!Number.isFinite(characters)) return document;
  return cut(JSON.parse(JSON.stringify(document)) as JsonObject, '', Number.POSITIVE_INFINITY, characters, new Map());
}

function cut(
  value: JsonValue,
  path: string,
  most: number,
  characters: number,
  omitted: Map<string, number>,
): JsonValue {
  const count = (number: number): void => {
    if (number > 0) omitted.set(path, (omitted.get(path) ?? 0) + number);
  };
  if (typeof value === 'string') {
    if (value.length <= characters) return value;
    return `${value.slice(0, characters).toWellFormed()}… (${value.length} characters)`;
  }
  if (Array.isArray(value)) {
    count(value.length - most);
    return value.slice(0, most).map((item) => cut(item, `${path}[]`, most, characters, omitted));
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  // Records have few keys, maps by id any number.
  const kept = entries.slice(0, Math.max(most, 40));
  count(entries.length - kept.length);
  return Object.fromEntries(
    kept.map(([name, item]) => [name, cut(item, `${path}.${name}`, most, characters, omitted)]),
  );
}
