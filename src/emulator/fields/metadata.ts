// Checks, adds and updates metadata items. Users and channels share the rules (platform §4.5).

import type { Behaviours } from '../api/behaviours.ts';
import { ApiError } from '../api/errors.ts';
import type { StringMap } from '../stored/records.ts';
import { checkLength, type Params } from './params.ts';

/** The older documentation has the same limit for channels as for users; the newer one has none. */
const MAX_ITEMS = 5;
const MAX_KEY = 128;
const MAX_VALUE = 190;

export function readMetadata(body: Params, behaviours: Behaviours): StringMap | undefined {
  const items = body.object('metadata');
  if (items === undefined) return undefined;
  // A multipart request cannot carry metadata (base, User).
  if (body.multipart) throw new ApiError('invalidValue', 'metadata');
  return Object.fromEntries([...items].map(([key, value]) => [checkKey(key), checkValue(key, value, behaviours)]));
}

export function checkKey(key: string): string {
  if (key === '' || key.includes(',')) throw new ApiError('notAllowedCharacter', key);
  return checkLength(key, key, MAX_KEY);
}

export function checkValue(key: string, value: unknown, behaviours: Behaviours): string {
  if (typeof value === 'string') return checkLength(key, value, MAX_VALUE);
  if (behaviours.metadataValues === 'coerced') {
    // The live service stores `true` as "True" (platform §4.2).
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    if (typeof value === 'number') return String(value);
  }
  throw new ApiError('notAString', key);
}

export function checkCount(metadata: StringMap): StringMap {
  if (Object.keys(metadata).length > MAX_ITEMS) throw new ApiError('tooManyItems', 'metadata');
  return metadata;
}

export function addMetadata(known: StringMap, added: StringMap, behaviours: Behaviours): StringMap {
  for (const key of Object.keys(added)) {
    if (behaviours.metadataPostOfExistingKey === 'refused' && Object.hasOwn(known, key)) {
      throw new ApiError('alreadyExists', key);
    }
  }
  return checkCount({ ...known, ...added });
}

/** The items that an update changes: known keys only, unless `upsert` (behaviours.md, metadataUpdateOfUnknownKey). */
export function touchedByUpdate(known: StringMap, sent: StringMap, upsert: boolean, behaviours: Behaviours): StringMap {
  if (upsert) return sent;
  const unknown = Object.keys(sent).some((key) => !Object.hasOwn(known, key));
  if (unknown && behaviours.metadataUpdateOfUnknownKey === 'refused') throw new ApiError('notFound', 'Metadata');
  return Object.fromEntries(Object.entries(sent).filter(([key]) => Object.hasOwn(known, key)));
}

export function withoutKey(known: StringMap, key: string): StringMap {
  if (!Object.hasOwn(known, key)) throw new ApiError('notFound', 'Metadata');
  return Object.fromEntries(Object.entries(known).filter(([other]) => other !== key));
}

export function pickItems(known: StringMap, keys: readonly string[]): StringMap {
  return Object.fromEntries(Object.entries(known).filter(([key]) => keys.includes(key)));
}
