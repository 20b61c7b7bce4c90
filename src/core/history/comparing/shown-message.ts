// Reads the identity and the data of a message from a list of the platform (platform §6.2).
import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { filesOfMessage } from '../../model/migration/shown-files.ts';
import { identityMark, likeness } from '../lines/line.ts';
import type { PlannedLines } from '../lines/range.ts';

export function likenessOfMessage({ type = null, created_at: time = null, user, message, file }: JsonObject): string {
  const sender = isObject(user) ? (user.user_id ?? null) : null;
  const content = type === 'FILE' ? (isObject(file) ? file.url : undefined) : message;
  return likeness(type, time, sender, content ?? null);
}

/** Returns what a history file calls `data` or, for files, `custom_field`. A list shows it as the data of the message or of its file. */
export function dataOfMessage({ type, data, file }: JsonObject): string {
  const text = typeof data === 'string' ? data : '';
  if (text !== '' || type !== 'FILE' || !isObject(file)) return text;
  return typeof file.data === 'string' ? file.data : '';
}

/**
 * Returns a message as the lines of a history file have it: the caption of a file as text, then a message for each file. Only the
 * first has the mentions and reactions. A message with one file and no caption, or without files, stays as it is.
 */
export function partsOfMessage(message: JsonObject): readonly JsonObject[] {
  const { type, message: text, files } = message;
  const caption = type === 'FILE' && typeof text === 'string' ? text : '';
  const hasSeveral = isList(files) && files.length > 0;
  if (type !== 'FILE' || (caption === '' && !hasSeveral)) return [message];
  const data = dataOfMessage(message);
  const parts: JsonObject[] = filesOfMessage(message)
    .filter(({ url }) => typeof url === 'string')
    .map((file) => ({ ...message, message: '', data, file, files: [] }));
  if (caption !== '') parts.unshift({ ...message, type: 'MESG', data, file: null, files: [] });
  return parts.map((part, place) => (place === 0 ? part : { ...part, mentioned_users: [], reactions: [] }));
}

/** Returns the `message_id` of the first message of the thread that a message is a reply in, or undefined if it is no reply. */
export function parentOfMessage({ parent_message_id: id }: JsonObject): number | undefined {
  return typeof id === 'number' && id > 0 ? id : undefined;
}

/**
 * Whether a message has this fingerprint of what an edit keeps. Where a history file has no threads, a line without a parent may be a
 * reply on the platform.
 */
export function hasIdentity(
  message: JsonObject,
  identity: string,
  { threads }: Pick<PlannedLines, 'threads'>,
): boolean {
  const { type = null, created_at: time = null, user, file } = message;
  const sender: JsonValue = isObject(user) ? (user.user_id ?? null) : null;
  const isReply = parentOfMessage(message) !== undefined;
  const forms = isReply && threads !== true ? [true, false] : [isReply];
  const url = isObject(file) ? (file.url ?? null) : null;
  return forms.some((form) => identityMark(type, time, sender, url, form) === identity);
}

/**
 * Returns the users of each reaction to a message, sorted. Undefined if the message does not show them: an answer has them
 * only with `include_reactions`, and a reaction of many users may come without its users.
 */
export function shownReactions({ reactions }: JsonObject): ReadonlyMap<string, readonly string[]> | undefined {
  if (!isList(reactions)) return undefined;
  const shown = new Map<string, readonly string[]>();
  for (const reaction of reactions) {
    if (!isObject(reaction) || typeof reaction.key !== 'string' || !isList(reaction.user_ids)) return undefined;
    shown.set(reaction.key, reaction.user_ids.filter((id): id is string => typeof id === 'string').sort());
  }
  return shown;
}
