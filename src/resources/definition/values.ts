// Small, total readers over plain JSON, with which every kind reads its attributes.
import { equalJson, isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { JsonSchema } from './kind.ts';

export function textOf(attributes: JsonObject, name: string): string | undefined {
  const value = attributes[name];
  return typeof value === 'string' ? value : undefined;
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

/** A copy that holds only the named attributes; absent ones are left out. */
export function pick(attributes: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name): [string, JsonValue][] => {
      const value = attributes[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

export function sortedSet(ids: readonly string[]): string[] {
  return [...new Set(ids)].sort();
}

/** Undefined when the answer does not have the list; an empty list shows that nobody is in it. */
export function shownIds(answer: JsonObject, field: string): string[] | undefined {
  return isList(answer[field]) ? idsIn(answer[field]) : undefined;
}

/** The ids of a list of objects, as the platform lists members and operators. */
export function idsIn(value: JsonValue | undefined): string[] {
  if (!isList(value)) return [];
  return sortedSet(value.flatMap((item) => (isObject(item) ? (textOf(item, 'user_id') ?? []) : [])));
}

export function inBatches<T>(values: readonly T[], size: number): T[][] {
  const batches: T[][] = [];
  for (let start = 0; start < values.length; start += size) batches.push(values.slice(start, start + size));
  return batches;
}

/** Bytes: the rest of a URL of 4 KB is for host, path and channel. */
const maxQueryBytes = 3500;

/** Batches of ids that fit into a query, at most a hundred each (platform §5.1). */
export function inUrlBatches(ids: readonly string[]): string[][] {
  return [...urlBatchesOf(ids, (id) => id)];
}

/** Like `inUrlBatches`, for anything that has an id. */
export function* urlBatchesOf<T>(items: Iterable<T>, idOf: (item: T) => string): Generator<T[]> {
  let batch: T[] = [];
  let bytes = 0;
  for (const item of items) {
    const own = encodeURIComponent(`${idOf(item)},`).length;
    if (batch.length === 100 || (batch.length > 0 && bytes + own > maxQueryBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += own;
  }
  if (batch.length > 0) yield batch;
}

export function hasEntries(map: JsonObject): boolean {
  return !equalJson(map, {});
}

/** A text of at most `maxLength` Unicode code points. */
export function textSchema(maxLength: number, description: string): JsonSchema {
  return { type: 'string', maxLength, description };
}

export function flagSchema(description: string): JsonSchema {
  return { type: 'boolean', description };
}

/** The schema of a `_mode` attribute: are members and operators outside the declared list left alone (semantics §2.4)? */
export function modeSchema(list: string): JsonSchema {
  return {
    enum: ['additive', 'exclusive'],
    description: `additive (default): undeclared ${list} are left alone. exclusive: undeclared ${list} are removed, which needs --refresh.`,
  };
}

/** Does the block declare the list to be complete, by `modeSchema`? */
export function isExclusive(attributes: JsonObject, name: string): boolean {
  return attributes[`${name}_mode`] === 'exclusive';
}

/**
 * Texts that may stand in a URL's path. Dots alone lead elsewhere, encoded or not (`DELETE /users/alice/metadata/..`
 * means alice), and half a surrogate pair cannot be encoded.
 */
export const pathPartSchema: JsonSchema = {
  pattern: '^(?!\\.{1,2}$)\\P{Cs}*$',
  // Not a description: editors would show it instead of the attribute's own.
  $comment: 'Neither . nor .., which would change the address that a request goes to; whole characters alone.',
};

export const userIdSchema: JsonSchema = { type: 'string', minLength: 1, maxLength: 80, allOf: [pathPartSchema] };

export const idListSchema = (maxItems: number, description: string, items: JsonSchema = userIdSchema): JsonSchema => ({
  type: 'array',
  items,
  uniqueItems: true,
  maxItems,
  description,
});

/** An address that the platform calls: the loader checks it, and whether its host is trusted (checks/callbacks.ts). */
export function callbackUrlSchema(maxLength: number, description: string): JsonSchema {
  return { type: 'string', minLength: 1, maxLength, description };
}

/** JPG, JPEG or PNG, up to 5 MB (base, User). `x-file` tells the loader to read, check and digest it. */
export function imageFileSchema(description: string): JsonSchema {
  return {
    type: 'string',
    minLength: 1,
    description,
    'x-file': { maxBytes: 5_000_000, types: ['image/png', 'image/jpeg'] },
  };
}

/** State keeps only the digest of a file's content, so that its name may change without a call. */
export function rememberFile(value: JsonValue): JsonValue {
  return isObject(value) ? pick(value, ['digest']) : value;
}

/** The multipart placeholder of a file attribute in the loader's form `{file, digest, media_type}`. */
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
