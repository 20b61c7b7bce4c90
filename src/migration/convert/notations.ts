// Whether two exports wrote the same values in other notations: a boolean as t, true or 1, a number as 5 or 5.00, in quotes or without.
// What was converted first stays then, because nobody changed anything.
import { equalJson, isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { decodeLines, envelopeOf } from './envelope.ts';
import type { MessageFacts } from './export/items.ts';

/** Whether the lines of one message differ only in how the source wrote facts that no person sees. */
export function differInNotationAlone(fresh: readonly JsonObject[], before: readonly JsonObject[]): boolean {
  if (fresh.length !== before.length) return false;
  const isOtherwiseEqual = fresh.every((line, place) =>
    equalJson(withoutEnvelope(line), withoutEnvelope(before[place] ?? {})),
  );
  if (!isOtherwiseEqual) return false;
  const [facts, factsBefore] = [fresh, before].map((lines) => [...decodeLines(lines)][0]);
  return facts !== undefined && factsBefore !== undefined && areSameFacts(facts, factsBefore);
}

/** Only these have values in the source's own notation. */
const inAnyNotation: readonly (keyof MessageFacts)[] = ['order', 'edited', 'files', 'more'];

function areSameFacts(left: MessageFacts, right: MessageFacts): boolean {
  const names = [...Object.keys(left), ...Object.keys(right)] as (keyof MessageFacts)[];
  return names.every((name) => {
    const [value = null, other = null] = [left[name], right[name]] as (JsonValue | undefined)[];
    return inAnyNotation.includes(name) ? isSameValue(value, other) : equalJson(value, other);
  });
}

function withoutEnvelope(line: JsonObject): JsonObject {
  if (envelopeOf(line) === undefined) return line;
  const { data: _data, custom_field: _field, sorted_metaarray: _arrays, ...rest } = line;
  return rest;
}

/** Whether both values are the same in any notation. */
export function isSameValue(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  if (isList(left))
    return isList(right) && left.length === right.length && left.every((item, at) => isSameValue(item, right[at]));
  if (isObject(left)) return isObject(right) && isSameMap(left, right);
  if (left === right) return true;
  if (left === null || right === null || typeof right === 'object') return false;
  return isSameNumber(left, right) || isSameFlag(left, right);
}

function isSameMap(left: JsonObject, right: JsonObject): boolean {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every((name) => isSameValue(left[name], right[name]));
}

type Scalar = string | number | boolean;

/** Digits are compared as texts, because doubles of two long numbers may be equal. */
function isSameNumber(left: Scalar, right: Scalar): boolean {
  const [digits, otherDigits] = [plainNumber(left), plainNumber(right)];
  return digits !== undefined && digits === otherDigits;
}

/** Without zeros that do not count. Undefined for everything but numbers. Text that begins with a zero is a code. */
function plainNumber(value: Scalar): string | undefined {
  const parts = typeof value === 'boolean' ? null : /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/u.exec(String(value));
  if (parts === null) return undefined;
  const [, sign = '', whole = '', fraction = ''] = parts;
  const kept = fraction.replace(/0+$/u, '');
  const size = kept === '' ? whole : `${whole}.${kept}`;
  return size === '0' ? size : sign + size;
}

/** One of both is a boolean, or a word for one. Two numbers are compared as numbers. */
function isSameFlag(left: Scalar, right: Scalar): boolean {
  if (typeof left === 'number' && typeof right === 'number') return false;
  const flag = readFlag(left);
  return flag !== undefined && flag === readFlag(right) && (isWord(left) || isWord(right));
}

function readFlag(value: Scalar): boolean | undefined {
  const text = String(value).toLowerCase();
  if (['true', 't', 'yes', '1'].includes(text)) return true;
  return ['false', 'f', 'no', '0'].includes(text) ? false : undefined;
}

function isWord(value: Scalar): boolean {
  return typeof value === 'boolean' || !/^\d/u.test(String(value));
}
