// The order of messages of one millisecond. The platform keeps the order of arrival for good, and files list rows as the database or
// the tool happened to: an edited row last, a REST list from new to old.
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import { envelopeOf } from './envelope.ts';
import type { MessageFacts } from './export/items.ts';
import { timeOf } from './export/values.ts';

/** What a message says about its place among those of its millisecond. */
type OrderFacts = Pick<MessageFacts, 'id' | 'time' | 'order'>;

export interface Ordered<T> {
  readonly messages: readonly T[];
  /** The number of messages whose place among others only the file says. */
  readonly undecided: number;
}

/**
 * Orders messages of one millisecond by the finer time of the source, then by `order` of the mapping, then by ids that grow. Others
 * keep the order of the file.
 */
export function inSourceOrder<T>(messages: readonly T[], factsOf: (message: T) => OrderFacts): Ordered<T> {
  if (messages.length < 2) return { messages, undecided: 0 };
  const withFacts = messages.map((message) => ({ message, facts: factsOf(message) }));
  const prefix = commonPrefix(withFacts.map(({ facts }) => facts.id));
  const keys: readonly ((facts: OrderFacts) => GrowingKey | undefined)[] = [
    ({ time }) => ({ form: 'time', key: finerDigits(time) }),
    ({ order }) => (order === undefined ? undefined : orderKey(order)),
    ({ id }) => growingKey(id.slice(prefix)),
  ];
  let groups = [withFacts];
  for (const keyOf of keys) groups = groups.flatMap((group) => divided(group, ({ facts }) => keyOf(facts)));
  return {
    messages: groups.flat().map(({ message }) => message),
    undecided: groups.reduce((sum, { length }) => sum + (length > 1 ? length : 0), 0),
  };
}

/** The facts of a message that is in a history file, by its first line. */
export function orderFactsIn(line: JsonObject): OrderFacts {
  const { id = line.dedup_id ?? '', time = null, order } = envelopeOf(line) ?? {};
  return { id: String(id), time, ...(order === undefined ? {} : { order }) };
}

/** Only keys of one form can be compared. They are compared as texts. */
interface GrowingKey {
  readonly form: string;
  readonly key: string;
}

/** Groups in order. One group if a key is missing, or the keys have several forms. */
function divided<T>(group: readonly T[], keyOf: (item: T) => GrowingKey | undefined): T[][] {
  const keys = group.map(keyOf);
  const [first] = keys;
  if (first === undefined || keys.some((key) => key?.form !== first.form)) return [[...group]];
  const byKey = new Map<string, T[]>();
  for (const [place, item] of group.entries()) {
    const key = keys[place]?.key ?? '';
    const sameKey = byKey.get(key);
    if (sameKey === undefined) byKey.set(key, [item]);
    else sameKey.push(item);
  }
  return [...byKey].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, items]) => items);
}

/** Undefined for a value that orders nothing. Numbers, times, and texts with one of them do. */
export function orderKey(order: JsonValue): GrowingKey | undefined {
  if (typeof order === 'object') return undefined;
  const instant = typeof order === 'string' ? timeOf(order) : undefined;
  if (instant === undefined || Number.isNaN(instant.time)) return growingKey(String(order));
  return { form: 'time', key: `${String(instant.time).padStart(16, '0')}${finerDigits(instant.written)}` };
}

/** The digits after those of the milliseconds, of a time that is finer (`oneForm`). */
export function finerDigits(time: JsonValue): string {
  return typeof time === 'string' ? (/\.\d{3}(\d+)Z$/u.exec(time)?.[1] ?? '') : '';
}

/**
 * By which an id is younger than another one: its number, or the time in it (ULID, UUIDv7, ObjectId of one process). Undefined for
 * other texts, since the order of an alphabet says nothing.
 */
function growingKey(id: string): GrowingKey | undefined {
  if (/^[0-7][\dA-HJKMNP-TV-Z]{25}$/iu.test(id)) return { form: 'ulid', key: id.slice(0, 10).toUpperCase() };
  if (/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/iu.test(id))
    return { form: 'uuid', key: id.slice(0, 13).toLowerCase() };
  if (/^(?=.*[a-f])[\da-f]{24}$/iu.test(id))
    return { form: `object ${id.slice(8, 18)}`, key: `${id.slice(0, 8)}${id.slice(18)}`.toLowerCase() };
  const [, before = '', whole, fraction = '', after] = /^(\D*)(\d{1,40})(?:\.(\d{1,40}))?(\D*)$/u.exec(id) ?? [];
  if (whole === undefined) return undefined;
  const digits = `${whole.padStart(40, '0')}${fraction.padEnd(40, '0')}`;
  if (before !== '-' || after !== '') return { form: `number ${before} ${after}`, key: `1${digits}` };
  // Of two negative numbers, the one with the smaller digits is the larger one.
  return { form: 'number  ', key: `0${digits.replaceAll(/\d/gu, (digit) => String(9 - Number(digit)))}` };
}

/** The length of the part that ends with a colon and that all ids have: the source and the channel. */
function commonPrefix(ids: readonly string[]): number {
  const [first = '', ...others] = ids;
  for (let end = first.lastIndexOf(':'); end >= 0; end = first.lastIndexOf(':', end - 1)) {
    const prefix = first.slice(0, end + 1);
    if (others.every((id) => id.startsWith(prefix))) return prefix.length;
    if (end === 0) break;
  }
  return 0;
}
