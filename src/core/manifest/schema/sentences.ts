// Words the errors of schema checks, with one sentence per schema keyword.

import { isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { Suggestions } from '../../../lib/suggestions.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { printPath } from '../../model/change.ts';
import { isMessageTime, minTime } from '../../model/migration/message-times.ts';
import type { ManifestCode } from '../problems/codes.ts';
import { allOf, describeValue, oneOf, quoted, typeName } from '../problems/wording.ts';
import { pointer, type SchemaError } from './ajv-errors.ts';
import { absentKey } from './overlay-schema.ts';
import type { Check } from './validate.ts';

export interface SchemaComplaint {
  readonly code: ManifestCode;
  readonly detail: string;
  /** The path from the checked value to the error. */
  readonly path: readonly string[];
  readonly at: 'key' | 'value';
}

export interface CheckedSubject {
  readonly check: Check;
  /** The name for the whole value: `a user`, `channel_url`. */
  readonly title: string;
  /** Returns the source text of a scalar at a path. */
  textAt(path: readonly string[]): string | undefined;
  /** Whether the part may contain a secret, which messages must not repeat. */
  isSecret(path: readonly string[]): boolean;
  readonly suggestions: Suggestions;
  /** The kind whose block is checked. Absent: the value is not a block. */
  readonly kind?: Pick<KindDefinition, 'keyName' | 'spellings'>;
}

export function complaintOf(error: SchemaError, subject: CheckedSubject): SchemaComplaint {
  const place = pointer(error.instancePath);
  const isKey = error.propertyName !== undefined;
  const path = error.propertyName === undefined ? place : [...place, error.propertyName];
  const fact: ErrorFact = {
    error,
    subject,
    path,
    isKey,
    label: isKey ? `the key ${quoted(error.propertyName ?? '')}` : path.length > 0 ? printPath(path) : subject.title,
    value: error.data as JsonValue,
    around: isObject(error.parentSchema) ? error.parentSchema : {},
  };
  const explanation = (isMisplacedRemoval(fact) ? misplacedRemoval : (explainers[error.keyword] ?? unforeseen))(fact);
  return { path, at: isKey ? 'key' : 'value', ...explanation, detail: capitalised(explanation.detail) };
}

interface ErrorFact {
  readonly error: SchemaError;
  readonly subject: CheckedSubject;
  readonly path: readonly string[];
  /** Whether the error is about a key, the last part of the path. */
  readonly isKey: boolean;
  readonly label: string;
  readonly value: JsonValue;
  /** The schema that contains the keyword. */
  readonly around: JsonObject;
}

type Explainer = (fact: ErrorFact) => Pick<SchemaComplaint, 'code' | 'detail'> & Partial<SchemaComplaint>;

const explainers: Readonly<Record<string, Explainer>> = {
  additionalProperties: unknownKey,
  required: missingKeys,
  type: wrongType,
  oneOf: wrongAlternative,
  anyOf: wrongAlternative,
  enum: (fact) => wrongValue(fact, listOf(fact.around.enum)),
  const: (fact) => wrongValue(fact, listOf([fact.around.const ?? null])),
  maxLength: ({ label, value, error }) => ({
    code: 'manifest.too-long',
    detail: `${label} is ${lengthOf(value)} characters long, but at most ${limitOf(error)} are allowed. Shorten it.`,
  }),
  minLength: ({ label, value, error }) => ({
    code: 'manifest.too-short',
    detail: `${label} is ${lengthOf(value) === 0 ? 'empty' : `${lengthOf(value)} characters long`}, but at least ${limitOf(error)} ${limitOf(error) === 1 ? 'is' : 'are'} needed.`,
  }),
  pattern: wrongPattern,
  format: (fact) => ({
    code: 'manifest.bad-format',
    detail:
      fact.around.format === 'plain-url'
        ? `${fact.label} is ${received(fact)}, which is not in the normal form of a URL, so programs may read different hosts in it.${normalForm(fact)}`
        : `${fact.label} is ${received(fact)}, which is not a ${String(fact.around.format)}.${hint(fact)}`,
  }),
  minimum: (fact) => outOfRange(fact, 'at least'),
  maximum: (fact) => outOfRange(fact, 'at most'),
  exclusiveMinimum: (fact) => outOfRange(fact, 'more than'),
  exclusiveMaximum: (fact) => outOfRange(fact, 'less than'),
  maxItems: (fact) => tooMany(fact),
  maxProperties: (fact) => tooMany(fact),
  minItems: (fact) => tooFew(fact),
  minProperties: (fact) => tooFew(fact),
  uniqueItems: ({ label, value, error, path }) => {
    const index = String(Math.max(Number(error.params.i), Number(error.params.j)));
    const item = Array.isArray(value) ? (value[Number(index)] as JsonValue) : null;
    return {
      code: 'manifest.repeated',
      detail: `${label} names ${describeValue(item, undefined)} more than once. Remove the repetition.`,
      path: [...path, index],
    };
  },
};

function unforeseen({ label, error }: ErrorFact) {
  return { code: 'manifest.invalid' as const, detail: `${label} ${error.message ?? 'does not fit the schema'}.` };
}

/** Whether the value or the unknown key belongs to a removal in an overlay, which the loader takes out before the check. */
function isMisplacedRemoval({ error: { keyword, params }, value }: ErrorFact): boolean {
  if (keyword === 'additionalProperties') return params.additionalProperty === absentKey;
  return ['type', 'anyOf', 'oneOf'].includes(keyword) && isObject(value) && Object.hasOwn(value, absentKey);
}

function misplacedRemoval({ label, path, error: { keyword } }: ErrorFact) {
  const detail = `${label} has the key ${absentKey}. { ${absentKey}: true } removes a value that the base declares: it takes no other key, and needs a file with extends whose base has the value. Remove the other keys, or the line.`;
  const place = keyword === 'additionalProperties' ? [...path, absentKey] : path;
  return { code: 'manifest.nothing-to-take' as const, detail, path: place, at: 'key' as const };
}

/** Common names for keys that have another name in a manifest. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  bots: ['users'],
  agents: ['users'],
  people: ['users'],
  accounts: ['users'],
  channels: ['open_channels', 'group_channels'],
  rooms: ['open_channels', 'group_channels'],
  groups: ['group_channels'],
  historyFiles: ['sources'],
  history: ['sources'],
  app: ['application'],
};

function unknownKey({ error, subject, path, around, label }: ErrorFact) {
  const key = String(error.params.additionalProperty);
  const spot = { path: [...path, key], at: 'key' as const };
  const properties = isObject(around.properties) ? around.properties : {};
  const suggestion = subject.suggestions.sentence(key, Object.keys(properties));
  const kind = path.length === 0 ? subject.kind : undefined;
  const usualNames = Object.keys(properties).filter((name) => kind?.spellings?.[name] === undefined);
  const others = (otherNames[key.toLowerCase()] ?? []).filter((name) => usualNames.includes(name));
  const advice =
    key === kind?.keyName
      ? ` The name of the block is its ${key}. Remove the line.`
      : typeof around.$comment === 'string'
        ? ` ${around.$comment}${suggestion}`
        : suggestion !== ''
          ? suggestion
          : others.length > 0
            ? ` Declare these under ${others.join(' or ')}.`
            : ` The ${usualNames.length === 1 ? 'only key is' : 'keys are'} ${usualNames.join(', ')}.`;
  return { code: 'manifest.unknown-key' as const, detail: `${label} has no key ${quoted(key)}.${advice}`, ...spot };
}

function missingKeys({ around, value, label }: ErrorFact) {
  const declared = isObject(value) ? value : {};
  const missing = (Array.isArray(around.required) ? around.required : []).map(String);
  const names = missing.filter((name) => !Object.hasOwn(declared, name));
  const detail = `${label} lacks the required ${names.length === 1 ? 'key' : 'keys'} ${allOf(names)}.`;
  return { code: 'manifest.missing-key' as const, detail, at: 'key' as const };
}

function wrongType(fact: ErrorFact) {
  const { value, around, label } = fact;
  const types = typesOf(around);
  const detail = `${label}: expected ${oneOf(types.map(typeName))}, received ${received(fact)}.${typeAdvice(fact, types)}`;
  return { code: 'manifest.wrong-type' as const, detail, at: value === null ? ('key' as const) : ('value' as const) };
}

/** Alternatives of one map differ by their keys only. */
function wrongAlternative(fact: ErrorFact) {
  const needed = alternativesOf(fact.around).flatMap(({ type, required }) =>
    type === undefined && Array.isArray(required) ? [allOf(required.map(String))] : [],
  );
  if (needed.length === 0 || !isObject(fact.value)) return wrongType(fact);
  const detail = `${fact.label} needs either ${needed.join(', or ')}.`;
  return { code: 'manifest.missing-key' as const, detail, at: 'key' as const };
}

function alternativesOf(schema: JsonObject): JsonObject[] {
  return [schema.oneOf, schema.anyOf].filter(Array.isArray).flat().filter(isObject);
}

function typesOf(schema: JsonObject): string[] {
  const types = alternativesOf(schema).flatMap(typesOf);
  if (types.length > 0) return types;
  return [schema.type ?? []].flat().map(String);
}

function typeAdvice({ subject, path, value, around }: ErrorFact, types: readonly string[]): string {
  const text = subject.textAt(path);
  if (around.format === 'date-time') return subject.isSecret(path) ? '' : timeAdvice(value);
  if (types.includes('string') && text !== undefined && value !== null && !subject.isSecret(path)) {
    return ` Put it in quotes: ${quoted(text)}.`;
  }
  if (types.includes('boolean') && typeof value === 'string' && /^(?:yes|no|on|off|y|n)$/iu.test(value)) {
    return ' YAML 1.2 reads yes, no, on and off as text. Write true or false.';
  }
  if (isObject(around.items) && around.items.type === 'string' && isPlain(value) && !subject.isSecret(path))
    return ` Write a list: ${path.at(-1)}: [${value}].`;
  if (!types.includes('object')) return '';
  if (value === null) return ' Write {} for an empty map.';
  return Array.isArray(value) && value.length > 0 && path.length > 0 && !subject.isSecret(path)
    ? asMap(path, value)
    : '';
}

/** Returns ` Write it as "https://img.example/%C3%BC.png".` if another program could not mean another host. */
function normalForm({ subject, path, value }: ErrorFact): string {
  if (typeof value !== 'string' || subject.isSecret(path) || !/^https?:\/\/[a-z0-9.-]+(?:[/?#][^\\]*)?$/iu.test(value))
    return '';
  return URL.canParse(value) ? ` Write it as ${quoted(new URL(value).href)}.` : '';
}

/** Returns the time that a number probably means, in seconds or milliseconds. */
function timeAdvice(value: JsonValue): string {
  const ms = typeof value === 'number' ? value * (Math.abs(value) < minTime ? 1000 : 1) : Number.NaN;
  const time = Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString().replace('.000Z', 'Z') : '2027-01-01T00:00:00Z';
  return ` Write a time: ${time}.`;
}

/** Returns ` Write each as a key: members: { alice: , bob: }.` because members have attributes and so are keys of a map. */
function asMap(path: readonly string[], items: readonly JsonValue[]): string {
  const keys = items.slice(0, 2);
  return keys.every(isPlain)
    ? ` Write each as a key: ${path.at(-1)}: { ${keys.map((key) => `${key}:`).join(' , ')} }.`
    : '';
}

/** Whether YAML needs no quotes for a value. */
function isPlain(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && /^[\w-]+$/u.test(value);
}

function wrongValue(fact: ErrorFact, allowed: readonly string[]) {
  const suggestion = typeof fact.value === 'string' ? fact.subject.suggestions.sentence(fact.value, allowed) : '';
  const detail = `${fact.label}: expected ${oneOf(allowed)}, received ${received(fact)}.${suggestion}`;
  return { code: 'manifest.wrong-value' as const, detail };
}

function wrongPattern(fact: ErrorFact) {
  const text = typeof fact.value === 'string' ? fact.value : '';
  const allowed = /^\^(\[[^\]]+\])[*+]?\$$/u.exec(String(fact.around.pattern))?.[1];
  if (allowed === undefined || fact.subject.isSecret(fact.path)) {
    const detail = `${fact.label} does not have the required format: received ${received(fact)}.${hint(fact)}`;
    return { code: 'manifest.bad-format' as const, detail };
  }
  const isAllowed = new RegExp(`^${allowed}$`, 'u');
  const wrong = [...new Set(text)].filter((character) => !isAllowed.test(character));
  const holder = fact.isKey ? fact.label : `${fact.label} ${quoted(text)}`;
  const detail = `${holder} contains ${allOf(wrong.slice(0, 5).map(quoted))}.${hint(fact)}`;
  return { code: 'manifest.bad-characters' as const, detail };
}

function outOfRange(fact: ErrorFact, relation: string) {
  const detail = `${fact.label}: expected ${relation} ${limitOf(fact.error)}, received ${received(fact)}.${unitAdvice(fact)}`;
  return { code: 'manifest.out-of-range' as const, detail };
}

/** Times are in milliseconds, but many systems have seconds or microseconds. */
function unitAdvice({ around, value, subject, path }: ErrorFact): string {
  if (!/milliseconds/u.test(String(around.description)) || typeof value !== 'number') return '';
  const advice = ' The time is in Unix milliseconds.';
  const inMilliseconds = [value * 1000, value / 1000].find((time) => isMessageTime(Math.trunc(time)));
  if (inMilliseconds === undefined || subject.isSecret(path)) return advice;
  return `${advice} ${value} looks like ${value < inMilliseconds ? 'seconds' : 'microseconds'}: write ${Math.trunc(inMilliseconds)}.`;
}

function tooMany(fact: ErrorFact) {
  const detail = `${fact.label} has ${sizeOf(fact.value)} entries, but at most ${limitOf(fact.error)} are allowed.${hint(fact)}`;
  return { code: 'manifest.too-many' as const, detail };
}

function tooFew(fact: ErrorFact) {
  const detail = `${fact.label} has ${sizeOf(fact.value)} entries, but at least ${limitOf(fact.error)} are needed.${hint(fact)}`;
  return { code: 'manifest.too-few' as const, detail };
}

/** Returns the schema's description of the value, or else of the attribute, as advice. */
function hint({ around, subject, path, isKey }: ErrorFact): string {
  const { properties: declared } = subject.check.schema;
  const properties = isObject(declared) ? declared : {};
  const attribute = path.length === (isKey ? 2 : 1) ? properties[path[0] ?? ''] : undefined;
  const words = around.description ?? around.$comment ?? (isObject(attribute) ? attribute.description : undefined);
  return typeof words === 'string' ? ` Expected: ${words}` : '';
}

function received({ value, subject, path }: ErrorFact): string {
  if (!subject.isSecret(path)) return describeValue(value, subject.textAt(path));
  return typeName(value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
}

function listOf(values: JsonValue | undefined): string[] {
  return Array.isArray(values) ? values.map(String) : [];
}

function lengthOf(value: JsonValue): number {
  return typeof value === 'string' ? Array.from(value).length : 0;
}

function sizeOf(value: JsonValue): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

function limitOf(error: SchemaError): number {
  return Number(error.params.limit);
}

function capitalised(text: string): string {
  return /^(?:an?|the) /u.test(text) ? text.slice(0, 1).toUpperCase() + text.slice(1) : text;
}
