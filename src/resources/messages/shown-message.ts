// What identifies a message, and its data, as a list of the platform shows them (platform §6.2).
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { identityMark, likeness } from './line.ts';

/** The likeness of a message as a list shows it. */
export function likenessOfMessage({ type = null, created_at: time = null, user, message, file }: JsonObject): string {
  const sender = isObject(user) ? (user.user_id ?? null) : null;
  const content = type === 'FILE' ? (isObject(file) ? file.url : undefined) : message;
  return likeness(type, time, sender, content ?? null);
}

/** What an archive calls `data`, and for files `custom_field`: a list shows that as the message's data, or the file's. */
export function dataOfMessage({ type, data, file }: JsonObject): string {
  const own = typeof data === 'string' ? data : '';
  if (own !== '' || type !== 'FILE' || !isObject(file)) return own;
  return typeof file.data === 'string' ? file.data : '';
}

/** What an edit leaves as it is. */
export function identityOfMessage({ type = null, created_at: time = null, user, file }: JsonObject): string {
  const sender: JsonValue = isObject(user) ? (user.user_id ?? null) : null;
  return identityMark(type, time, sender, isObject(file) ? (file.url ?? null) : null);
}
