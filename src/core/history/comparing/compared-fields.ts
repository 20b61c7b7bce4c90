// How the fields of a line of a history file are compared with a message on the platform (semantics §7; platform §6.2).
import { equalJson, isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { Uncompared } from '../../model/migration-report.ts';
import { type HistoryFileLine, likenessOfLine, lineSchemas, type MessageType } from '../lines/line.ts';
import { reactionsIn } from '../lines/marked-lines.ts';
import { dataOfMessage, likenessOfMessage, shownReactions } from './shown-message.ts';

interface ComparedField {
  /** Returns the live value in the form of a history file, or undefined if the platform does not show the field. */
  readonly shown: (message: JsonObject) => JsonValue | undefined;
  /** The platform may fill in the field if the history file has no value, so a value then says nothing. */
  readonly mayBeFilledIn?: true;
  /** Converts a declared value for the comparison. */
  readonly declared?: (value: JsonValue) => JsonValue | undefined;
  /** Whether the live value is as declared. Absent: it is equal. */
  readonly isMet?: (declared: JsonValue, there: JsonValue) => boolean;
}

/** Fields that identify a message (line.ts, `likeness`). */
const identifying = 'identifying';
/** Fields that name another message, which are compared where both are known (verification.ts). */
const linking = 'linking';

/**
 * `data` and `custom_type` count as empty if a message lacks them, because every recorded message has both. Any other
 * field that a message lacks is not compared.
 */
export const comparedFields: Readonly<Record<string, ComparedField | typeof identifying | typeof linking>> = {
  message_type: identifying,
  timestamp: identifying,
  user_id: identifying,
  message: identifying,
  url: identifying,
  parent: linking,
  data: { shown: dataOfMessage },
  custom_field: { shown: dataOfMessage },
  custom_type: { shown: ({ custom_type }) => custom_type ?? '' },
  mentioned_user_ids: { shown: ({ mentioned_users: users }) => idsOfMentioned(users), declared: idsOfMentioned },
  sorted_metaarray: { shown: ({ sorted_metaarray }) => sorted_metaarray },
  is_silent: { shown: ({ silent }) => silent },
  file_name: { shown: ({ file }) => partOf(file, 'name'), mayBeFilledIn: true },
  file_type: { shown: ({ file }) => partOf(file, 'type'), mayBeFilledIn: true },
  file_size: { shown: ({ file }) => partOf(file, 'size'), mayBeFilledIn: true },
  // The documents do not say where these two fields and dedup_id are shown. Similar fields suggest these places.
  thumbnails: {
    shown: ({ thumbnails, file }) => urlsOf(thumbnails ?? partOf(file, 'thumbnails')),
    declared: urlsOf,
    mayBeFilledIn: true,
  },
  require_auth: {
    shown: ({ require_auth, file }) => require_auth ?? partOf(file, 'require_auth'),
    mayBeFilledIn: true,
  },
  // Others may react and pin as well, so only what the history file declares is compared.
  reactions: { shown: (message) => asObject(shownReactions(message)), isMet: containsReactions, mayBeFilledIn: true },
  pinned: { shown: ({ pinned }) => pinned, mayBeFilledIn: true },
  dedup_id: { shown: ({ dedup_id }) => dedup_id, mayBeFilledIn: true },
};

const fieldsOfType = {
  MESG: comparedFieldsOf('MESG'),
  // A migrated file has no caption, so a caption on the platform is one that no line declares (platform §6.2).
  FILE: [...comparedFieldsOf('FILE'), ['message', { shown: ({ message }) => message, mayBeFilledIn: true }]],
  ADMM: comparedFieldsOf('ADMM'),
} satisfies Record<MessageType, (readonly [string, ComparedField])[]>;

function comparedFieldsOf(type: MessageType): (readonly [string, ComparedField])[] {
  return Object.keys(lineSchemas[type].properties ?? {}).flatMap((name) => {
    const field = comparedFields[name];
    return field === undefined || typeof field === 'string' ? [] : [[name, field] as const];
  });
}

/**
 * Returns the fields in which a message differs from its line. `onUncompared` is called for each field that has a value on
 * only one side and cannot be compared.
 */
export function differingFields(
  line: HistoryFileLine,
  message: JsonObject,
  onUncompared: (field: string, why: Uncompared['why']) => void,
): string[] {
  const differing: string[] = [];
  for (const [name, { shown, declared = same, isMet, mayBeFilledIn = false }] of fieldsOfType[line.message_type]) {
    const sent = line[name];
    const there = shown(message);
    if (isNeutral(sent) && isNeutral(there)) continue;
    if (there === undefined) onUncompared(name, 'not_shown');
    else if (sent === undefined && mayBeFilledIn) onUncompared(name, 'not_declared');
    else if (sent === undefined || !(isMet?.(sent, there) ?? equalJson(declared(sent), there))) differing.push(name);
  }
  return differing;
}

function same(value: JsonValue): JsonValue {
  return value;
}

/** Whether the platform shows a field in this way if it was not sent. */
function isNeutral(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '' || value === 0 || value === false || isEmpty(value);
}

function isEmpty(value: JsonValue): boolean {
  return isList(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

function containsReactions(declared: JsonValue, there: JsonValue): boolean {
  const shown = new Map(Object.entries(reactionsIn(there)));
  return Object.entries(reactionsIn(declared)).every(([key, users]) =>
    users.every((id) => shown.get(key)?.includes(id) === true),
  );
}

function asObject(reactions: ReadonlyMap<string, readonly string[]> | undefined): JsonObject | undefined {
  return reactions === undefined ? undefined : Object.fromEntries(reactions);
}

function partOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) ? value[name] : undefined;
}

/** Returns sorted ids from a list of users or, in older answers, of ids. */
function idsOfMentioned(users: JsonValue | undefined): JsonValue | undefined {
  if (!isList(users)) return undefined;
  const ids = users.map((user) => (isObject(user) ? user.user_id : user));
  return [...new Set(ids.filter((id) => typeof id === 'string'))].sort();
}

/** Returns the URLs of thumbnails, each a text or an object with a `url`. */
function urlsOf(thumbnails: JsonValue | undefined): JsonValue | undefined {
  if (!isList(thumbnails)) return undefined;
  return thumbnails.map((thumbnail) => (isObject(thumbnail) ? (thumbnail.url ?? thumbnail) : thumbnail));
}

/** The fields that the platform can change in a message (platform §6.2), besides the text, which is part of the likeness. */
const changeable: ReadonlySet<string> = new Set([
  'data',
  'custom_field',
  'custom_type',
  'mentioned_user_ids',
  'sorted_metaarray',
]);

/** Whether a live message has the likeness of the line. */
export function isAlike(line: HistoryFileLine, message: JsonObject): boolean {
  return likenessOfLine(line) === likenessOfMessage(message);
}

/** Whether a live message also equals the line in every field that a call could change. */
export function isLikeAsAWhole(line: HistoryFileLine, message: JsonObject): boolean {
  return isAlike(line, message) && !differingFields(line, message, () => {}).some((field) => changeable.has(field));
}

/** Whether a live message also equals the line in every field that a call could change but the meta arrays. */
export function isLikeButForArrays(line: HistoryFileLine, message: JsonObject): boolean {
  const isDifferent = (field: string): boolean => field !== 'sorted_metaarray' && changeable.has(field);
  return isAlike(line, message) && !differingFields(line, message, () => {}).some(isDifferent);
}

/** Whether a live message also equals the line in the fields that no call changes. Reactions and pins have calls of their own. */
export function isLikeInAllFields(line: HistoryFileLine, message: JsonObject): boolean {
  return isAlike(line, message) && differingFields(line, message, () => {}).every((field) => marks.has(field));
}

const marks: ReadonlySet<string> = new Set(['reactions', 'pinned']);
