// The envelope: facts without a field on the platform, as versioned JSON in `data` of messages and `custom_field` of files.
import {
  isList,
  isObject,
  type JsonObject,
  type JsonValue,
  jsonString,
  type PositiveCount,
  parsedObject,
} from '../../lib/json.ts';
import type { MessageFacts } from './export/items.ts';
import { mayHoldPlace, scrub } from './export/urls.ts';

export const envelopeVersion = 1;

/** In characters. The platform states no limit for `data`; this one keeps a call of 100 messages below 2 MB. */
export const maxEnvelope = 16_000;

/**
 * What the platform has no field for, in data of messages and custom_field of files. What the message shows by itself (text, sender) is
 * left out when it is the same at the source.
 */
export interface Envelope extends Partial<Omit<MessageFacts, 'id' | 'sender'>> {
  /** The version of the envelope. */
  readonly chatform: typeof envelopeVersion;
  /** source:channel:message, by the ids of the source. */
  readonly id: string;
  /** [2, 3]: the second of three messages that one message of the source became. */
  readonly part?: readonly [PositiveCount, PositiveCount];
  /** A piece of the facts, as JSON, when they are too long for one envelope: join those of all parts. */
  readonly json?: string;
  /** The id of the sender at the source; null: there is none. */
  readonly sender?: string | null;
  /** Parts that had no room. */
  readonly dropped?: readonly (typeof droppable)[number][];
}

/** The part of a message that its line of the history file shows. */
interface ShownMessage {
  readonly sender: string | undefined;
  /** Unix milliseconds. */
  readonly time: number;
  readonly text: string;
}

/** Facts to drop, in this order, if all envelopes together are too small. */
const droppable = ['more', 'files', 'reactions', 'text'] as const;

/**
 * The envelopes of the lines of one message. Facts that the lines show are left out. Facts that are too long for one envelope
 * are spread over all lines. Facts that still do not fit are dropped, and their names are listed. `isScrubbed`: queries or tokens were
 * removed.
 */
export function encodeEnvelope(
  facts: MessageFacts,
  shown: ShownMessage,
  lines: number,
): { readonly envelopes: readonly string[]; readonly isCut: boolean; readonly isScrubbed: boolean } {
  const { text: plain, isScrubbed } = plainEnvelope(facts, shown);
  if (lines === 1 && plain.length <= maxEnvelope) return { envelopes: [plain], isCut: false, isScrubbed };
  const rest = JSON.parse(plain) as Record<string, JsonValue | undefined>;
  const dropped: string[] = [];
  for (;;) {
    const whole = JSON.stringify(dropped.length === 0 ? rest : { ...rest, dropped });
    if (lines === 1) {
      if (whole.length <= maxEnvelope) return { envelopes: [whole], isCut: dropped.length > 0, isScrubbed };
    } else {
      const envelopes = spread(facts.id, rest, dropped, whole, lines);
      if (envelopes !== undefined) return { envelopes, isCut: dropped.length > 0, isScrubbed };
    }
    const next = droppable.find((name) => rest[name] !== undefined);
    if (next === undefined) return { envelopes: Array<string>(lines).fill(''), isCut: true, isScrubbed };
    delete rest[next];
    dropped.push(next);
  }
}

/** Joins the text by hand, because an object per message would create much garbage. */
function plainEnvelope(
  facts: MessageFacts,
  shown: ShownMessage,
): { readonly text: string; readonly isScrubbed: boolean } {
  let isScrubbed = false;
  let text = `{"chatform":${envelopeVersion}`;
  for (const name in facts) {
    const value = facts[name as keyof MessageFacts];
    if (value === undefined || ((name === 'sender' || name === 'time' || name === 'text') && value === shown[name]))
      continue;
    let json = typeof value === 'string' ? jsonString(value) : JSON.stringify(value);
    // People wrote the text, and the id is that of the line.
    if (name !== 'text' && name !== 'id' && mayHoldPlace(json)) {
      const safe = scrub(value as JsonValue);
      if (safe !== value) {
        isScrubbed = true;
        json = JSON.stringify(safe);
      }
    }
    text += `,"${name}":${json}`;
  }
  const end = facts.sender === undefined && shown.sender !== undefined ? ',"sender":null}' : '}';
  return { text: text + end, isScrubbed };
}

/** Undefined if there is no room. */
function spread(
  id: string,
  rest: Readonly<Record<string, JsonValue | undefined>>,
  dropped: readonly string[],
  whole: string,
  lines: number,
): string[] | undefined {
  const part = (number: number) => [number, lines] as const;
  const written = (envelope: Envelope): string => JSON.stringify(envelope);
  const follow = (number: number) => written({ chatform: envelopeVersion, id, part: part(number) });
  const first = JSON.stringify({ ...rest, ...(dropped.length === 0 ? {} : { dropped }), part: part(1) });
  if (first.length <= maxEnvelope) {
    return [first, ...Array.from({ length: lines - 1 }, (_none, place) => follow(place + 2))];
  }
  // What orders the message stays readable in its first line.
  const { time, order } = rest;
  const orderingFacts = { ...(time === undefined ? {} : { time }), ...(order === undefined ? {} : { order }) };
  // JSON inside JSON may need two characters for one.
  const room = Math.floor((maxEnvelope - follow(lines).length - JSON.stringify(orderingFacts).length - 20) / 2);
  if (whole.length > room * lines) return undefined;
  return Array.from({ length: lines }, (_none, place) =>
    written({
      chatform: envelopeVersion,
      id,
      part: part(place + 1),
      ...(place === 0 ? orderingFacts : {}),
      json: whole.slice(place * room, (place + 1) * room),
    }),
  );
}

/** Undefined if the text is not an envelope of chatform. */
function parseEnvelope(text: JsonValue | undefined): JsonObject | undefined {
  if (typeof text !== 'string' || !text.startsWith('{')) return undefined;
  const value = parsedObject(text);
  return value?.chatform === envelopeVersion && typeof value.id === 'string' ? value : undefined;
}

/** Messages with their own `data` have the envelope in their meta arrays, under the key `chatform`. */
export const metaKey = 'chatform';

/** The first envelope of a message; undefined for other data. */
export function envelopeOf(line: DecodableLine): JsonObject | undefined {
  const envelope = parseEnvelope(line.message_type === 'FILE' ? line.custom_field : line.data);
  if (envelope !== undefined || !isList(line.sorted_metaarray)) return envelope;
  const found = line.sorted_metaarray.filter(isObject).find(({ key }) => key === metaKey);
  return isList(found?.value) ? parseEnvelope(found.value[0]) : undefined;
}

/** The line with another id in its envelope. */
export function withEnvelopeId(line: JsonObject, id: string): JsonObject {
  const name = line.message_type === 'FILE' ? 'custom_field' : 'data';
  const renamed = (text: JsonValue | undefined): string => JSON.stringify({ ...parseEnvelope(text), id });
  if (parseEnvelope(line[name]) !== undefined) return { ...line, [name]: renamed(line[name]) };
  const arrays = isList(line.sorted_metaarray) ? line.sorted_metaarray : [];
  const sorted_metaarray = arrays.map((array): JsonValue => {
    if (!isObject(array) || array.key !== metaKey || !isList(array.value)) return array;
    return { ...array, value: [renamed(array.value[0])] };
  });
  return arrays.length === 0 ? line : { ...line, sorted_metaarray };
}

/** The fields of a line of a history file that decoding needs. */
export interface DecodableLine {
  readonly dedup_id?: JsonValue;
  readonly message_type?: JsonValue;
  readonly timestamp?: JsonValue;
  readonly user_id?: JsonValue;
  readonly message?: JsonValue;
  readonly data?: JsonValue;
  readonly custom_field?: JsonValue;
  readonly sorted_metaarray?: JsonValue;
}

/** Decodes the facts of each message of a history file, in the order of the first lines. Skips lines without an envelope. */
export function* decodeLines(lines: Iterable<DecodableLine>): Generator<MessageFacts> {
  let open:
    | { readonly id: string; readonly lines: { readonly envelope: JsonObject; readonly line: DecodableLine }[] }
    | undefined;
  for (const line of lines) {
    const envelope = envelopeOf(line);
    if (envelope === undefined) continue;
    const id = String(envelope.id);
    if (open !== undefined && open.id !== id) {
      yield factsOf(open.lines);
      open = undefined;
    }
    open ??= { id, lines: [] };
    open.lines.push({ envelope, line });
  }
  if (open !== undefined) yield factsOf(open.lines);
}

function factsOf(lines: readonly { readonly envelope: JsonObject; readonly line: DecodableLine }[]): MessageFacts {
  const ordered = [...lines].sort((left, right) => placeOf(left.envelope) - placeOf(right.envelope));
  const isSpread = ordered.every(({ envelope }) => typeof envelope.json === 'string');
  const found = isSpread
    ? (JSON.parse(ordered.map(({ envelope }) => String(envelope.json)).join('')) as JsonObject)
    : (ordered[0]?.envelope ?? {});
  const { chatform: _version, part: _part, sender, ...rest } = found;
  const shownSender = ordered[0]?.line.user_id;
  const shownText = ordered.map(({ line }) => (line.message_type === 'FILE' ? '' : (line.message ?? ''))).join('');
  const isTextDropped = isList(rest.dropped) && rest.dropped.includes('text');
  return {
    ...rest,
    time: rest.time === undefined ? (ordered[0]?.line.timestamp ?? null) : rest.time,
    ...(sender === null
      ? {}
      : sender !== undefined
        ? { sender }
        : shownSender === undefined
          ? {}
          : { sender: shownSender }),
    ...(rest.text !== undefined || isTextDropped ? {} : { text: shownText }),
  } as unknown as MessageFacts;
}

function placeOf(envelope: JsonObject): number {
  return isList(envelope.part) && typeof envelope.part[0] === 'number' ? envelope.part[0] : 1;
}
