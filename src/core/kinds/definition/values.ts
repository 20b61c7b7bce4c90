// Small functions with which kinds read attributes from plain JSON. They never throw.
import { equalJson, isList, isObject, type JsonObject, type JsonValue, ownValue } from '../../../lib/json.ts';

export function textOf(attributes: JsonObject, name: string): string | undefined {
  const value = attributes[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the known value if the platform shows that one is set, by a flag or by a text that is not empty. Else null. */
export function knownIfSet(known: JsonValue, shown: JsonValue): JsonValue {
  return shown === true || (typeof shown === 'string' && shown !== '') ? known : null;
}

/** The same for a value by which a later answer proves that there is another one. */
export function knownIfSame(known: JsonValue, shown: JsonValue, seen?: JsonValue): JsonValue {
  return seen !== undefined && seen !== shown ? null : knownIfSet(known, shown);
}

/** Returns the address of an uploaded image without its query, which a platform may sign anew for every answer. */
export function uploadAt(url: JsonValue | undefined): JsonValue | undefined {
  return typeof url === 'string' ? url.replace(/[?#].*$/su, '') : url;
}

export function flagOf(attributes: JsonObject, name: string): boolean | undefined {
  const value = attributes[name];
  return typeof value === 'boolean' ? value : undefined;
}

export function mapOf(attributes: JsonObject, name: string): JsonObject {
  const value = attributes[name];
  return isObject(value) ? value : {};
}

export function idsOf(attributes: JsonObject, name: string): readonly string[] {
  const value = attributes[name];
  return isList(value) ? value.filter((id): id is string => typeof id === 'string') : [];
}

/** Returns the people whom an attribute names: the keys of a map, or the texts of a list. */
export function namesIn(value: JsonValue | undefined): readonly string[] {
  if (isList(value)) return value.filter((item) => typeof item === 'string');
  return isObject(value) ? Object.keys(value) : [];
}

/** Returns the line of each person whom an attribute names. In a list, it is true. */
export function linesOf(value: JsonValue | undefined): ReadonlyMap<string, JsonValue> {
  return new Map(namesIn(value).map((id) => [id, isObject(value) ? (ownValue(value, id) ?? null) : true]));
}

/** The latest time that a date can have, in Unix milliseconds. */
const lastTime = 8_640_000_000_000_000;

/** Returns a time in an answer as the number that it is. Undefined unless it is above 0 and a date can have it as Unix milliseconds. */
export function timeIn(answer: JsonObject, field: string): number | undefined {
  const at = answer[field];
  return typeof at === 'number' && at > 0 && at <= lastTime ? at : undefined;
}

/** Returns when the object was created, as an answer shows it. Answers have seconds or milliseconds (platform §1.1). */
export function creationTime(answer: JsonObject): { readonly created_at?: string } {
  const at = timeIn(answer, 'created_at');
  return at === undefined ? {} : { created_at: new Date(at < 1e11 ? at * 1000 : at).toISOString() };
}

/** Returns a copy with only the named attributes. */
export function pick(attributes: JsonObject, names: readonly string[]): JsonObject {
  const picked: [string, JsonValue][] = [];
  for (const name of names) {
    const value = attributes[name];
    if (value !== undefined) picked.push([name, value]);
  }
  return Object.fromEntries(picked);
}

export function sortedSet(ids: readonly string[]): string[] {
  return [...new Set(ids)].sort();
}

/** Returns undefined if the answer does not contain the list. An empty list means that nobody is in it. */
export function shownIds(answer: JsonObject, field: string): string[] | undefined {
  return isList(answer[field]) ? idsIn(answer[field]) : undefined;
}

/** Returns the ids in a list of objects, as the platform lists members and operators. */
export function idsIn(value: JsonValue | undefined): string[] {
  if (!isList(value)) return [];
  return sortedSet(value.flatMap((item) => (isObject(item) ? (textOf(item, 'user_id') ?? []) : [])));
}

export function hasEntries(map: JsonObject): boolean {
  return !equalJson(map, {});
}

/** Whether the block declares the list as exclusive. */
export function isExclusive(attributes: JsonObject, name: string): boolean {
  return attributes[`${name}_mode`] === 'exclusive';
}

/** Keeps only the digest of a file's content, so that the name may change without a call. */
export function rememberFile(value: JsonValue): JsonValue {
  return isObject(value) ? pick(value, ['digest']) : value;
}

/** Returns the multipart placeholder of a file attribute, which the loader writes as `{file, digest, media_type}`. */
export function filePlaceholder(field: string, value: JsonValue | undefined) {
  if (!isObject(value)) return undefined;
  return {
    type: 'file' as const,
    field,
    file: textOf(value, 'file') ?? '',
    digest: textOf(value, 'digest') ?? '',
    mediaType: textOf(value, 'media_type') ?? 'application/octet-stream',
  };
}
