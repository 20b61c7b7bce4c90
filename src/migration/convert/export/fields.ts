// What becomes of each field of a row. A source has one table for each kind of row, and its reader asks that table. A field that the
// table does not name is unknown: nobody can say whether it restricts, so the ledger names it until a person decides.
import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { picked } from './values.ts';

/**
 * What becomes of a row with a field that restricts. `kept`: the platform has the same restriction, and the object gets it. `doubtful`:
 * the platform does not have it, and the object is declared without it.
 */
export type Consequence = 'kept' | 'doubtful' | 'restricted' | 'deleted' | 'banned' | 'no_member';

interface FieldRestriction {
  /** A value with which the field restricts. */
  readonly example: JsonValue;
  readonly becomes: Consequence;
  /** Whether the value restricts. Without it, every value restricts except null, false, 0 and empty ones. */
  readonly when?: (value: JsonValue) => boolean;
}

/** Why a field may be left out. The report of a conversion names the fields of each. */
type DropReason = 'derived' | 'technical' | 'personal' | 'unsupported';

export interface Field {
  /** `moved`: the object has the value. `kept`: the envelope has it, under its own name. */
  readonly place: 'moved' | 'kept' | 'dropped';
  /** Of a field that is dropped, or of which only a part is moved. */
  readonly why?: DropReason;
  readonly restriction?: FieldRestriction;
}

/** By field of the source. A name that ends with `*` stands for all names that begin like it. */
export type FieldTable = Readonly<Record<string, Field>>;

export const rowKinds = [
  'user',
  'profile',
  'channel',
  'member',
  'message',
  'reaction',
  'file',
  'team',
  'participant',
  'topic',
  'emoji',
  'reference',
  'guild',
] as const;
export type RowKind = (typeof rowKinds)[number];

/** The tables of a source, by kind of row. */
export type SourceFields = Readonly<Partial<Record<RowKind, FieldTable>>>;

type Named = Readonly<Record<string, Field>>;

function each(names: readonly string[], field: Field): Named {
  return Object.fromEntries(names.map((name) => [name, field]));
}

/** Fields that become a part of the object. */
export const moved = (...names: readonly string[]): Named => each(names, { place: 'moved' });
/** Personal data that only serves to find or to name the user. */
export const identifying = (...names: readonly string[]): Named => each(names, { place: 'moved', why: 'personal' });
/** Fields that stay in the envelope, under their own names. */
export const kept = (...names: readonly string[]): Named => each(names, { place: 'kept' });
/** Fields that repeat what other rows or fields say. */
export const derived = (...names: readonly string[]): Named => each(names, { place: 'dropped', why: 'derived' });
/** Ids, counters and settings of the source's own clients, which mean nothing elsewhere. */
export const technical = (...names: readonly string[]): Named => each(names, { place: 'dropped', why: 'technical' });
/** Personal data, which objects of the platform should not contain. */
export const personal = (...names: readonly string[]): Named => each(names, { place: 'dropped', why: 'personal' });
/** Features that the platform does not have. */
export const unsupported = (...names: readonly string[]): Named =>
  each(names, { place: 'dropped', why: 'unsupported' });

/** A field that says who may see, write or join, or until when. */
export function restricts(
  becomes: Consequence,
  example: JsonValue,
  when?: (value: JsonValue) => boolean,
  place: Field['place'] = 'moved',
): Field {
  return { place, restriction: { becomes, example, ...(when === undefined ? {} : { when }) } };
}

/** Whether the value is one of the texts. */
export function isOneOf(...texts: readonly string[]): (value: JsonValue) => boolean {
  return (value) => typeof value === 'string' && texts.includes(value);
}

export function isSet(value: JsonValue): boolean {
  if (isList(value)) return value.length > 0;
  if (isObject(value)) {
    for (const _name in value) return true;
    return false;
  }
  return value !== null && value !== false && value !== 0 && value !== '';
}

const suspicious =
  /visib|privat|hidden|shadow|restrict|moderat|deleted|truncated|ephemeral|banned|muted|blocked|secret|confidential|disabled|pending/iu;

/** Whether a name says that its field may restrict. */
export function isSuspicious(name: string): boolean {
  return suspicious.test(name);
}

/** What a person decided about an unknown field. */
export const fieldDecisions = ['undecided', 'accepted', 'leave_out', 'restricts'] as const;
export type FieldDecision = (typeof fieldDecisions)[number];

/** What becomes of a row that is restricted by a field about which a person decided so. Rows of other kinds cannot be restricted. */
export const consequences: Readonly<Partial<Record<RowKind, Consequence>>> = {
  user: 'banned',
  channel: 'deleted',
  member: 'no_member',
  message: 'restricted',
};

/**
 * What is kept of a row, in the order of the table, so that it is the same text whatever order the source writes. Unknown fields come
 * last, and empty ones are left out.
 */
export function inTableOrder(row: JsonObject | undefined, table: FieldTable | undefined): JsonObject {
  return row === undefined ? {} : picked(row, new Set([...Object.keys(table ?? {}), ...Object.keys(row)]));
}

const privateName =
  /passw|secret|token|api_?key|credential|webhook|private_?key|e_?mail|phone|mobile|street|address|(?:^|_)ip(?:$|_)|device|fcm|apns/iu;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;
const privateValues: readonly RegExp[] = [
  /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/iu,
  /^\+\d[\d ()./-]{6,20}$/u,
  /^\d{1,3}(?:\.\d{1,3}){3}$/u,
  /^(?=.*:.*:)[\da-f:]{3,39}$/iu,
  /^(?:xox[a-z]|xapp|sk|pk|rk|gh[opsu]|glpat|AKIA)[-_]?[\w-]{12,}$/u,
  /^ey[\w-]+\.ey/u,
  /^(?=.*\d)(?=.*[a-z])[\w+/=:.-]{32,}$/iu,
];

/** Whether a field looks like a secret, an address, a phone number or a token of a device, by its name or its value. */
export function looksPrivate(name: string, value: JsonValue): boolean {
  if (privateName.test(name)) return isSet(value);
  return typeof value === 'string' && !uuid.test(value) && privateValues.some((pattern) => pattern.test(value));
}
