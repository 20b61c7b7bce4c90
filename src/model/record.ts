// What does state remember of one object, and how does a finished step change it?

import { digestOf, digestText } from '../lib/digest.ts';
import { canonicalJson, equalJson, isList, isObject, type JsonObject, type JsonValue, own } from '../lib/json.ts';
import type { Address } from './address.ts';
import type { Lifecycle } from './resource.ts';

/** One object as last applied. Holds only managed attributes; never a token or an access code. */
export interface StateRecord {
  readonly address: Address;
  readonly attributes: JsonObject;
  readonly lifecycle?: Lifecycle;
  /** Declared no more and closed by us, but ours until forgotten. */
  readonly retired?: true;
  /** Created, but the steps that complete the creation are not all done. */
  readonly creating?: true;
  /** Opened only so that work could be done on it; has to be closed again. */
  readonly bracket?: true;
}

/** The parts of a record that a patch can set; null takes a part away. */
export interface RecordFlags {
  readonly lifecycle?: Lifecycle | null;
  readonly retired?: true | null;
  readonly creating?: true | null;
  readonly bracket?: true | null;
}

/**
 * A small edit of a record's attributes. Edits of one object commute where its steps may run in any order, which is
 * why lists that are sets get `add` and `remove` instead of a new value.
 */
export type RecordEdit =
  | { readonly op: 'set'; readonly path: readonly string[]; readonly value: JsonValue }
  | { readonly op: 'unset'; readonly path: readonly string[] }
  /** Adds to / takes from a sorted list of strings. */
  | { readonly op: 'add' | 'remove'; readonly path: readonly string[]; readonly values: readonly string[] };

/** What is written to state when a step has succeeded. */
export type StateEntry =
  | { readonly type: 'put'; readonly record: StateRecord }
  | {
      readonly type: 'patch';
      readonly address: Address;
      readonly edits: readonly RecordEdit[];
      readonly marks?: RecordFlags;
    }
  | { readonly type: 'delete'; readonly address: Address };

export function entryAddress(entry: StateEntry): Address {
  return entry.type === 'put' ? entry.record.address : entry.address;
}

/** The record after an entry; undefined when the object is no longer in state. Total: a patch of nothing is nothing. */
export function applyEntry(record: StateRecord | undefined, entry: StateEntry): StateRecord | undefined {
  switch (entry.type) {
    case 'put':
      return entry.record;
    case 'delete':
      return undefined;
    case 'patch': {
      if (record === undefined) return undefined;
      let attributes = record.attributes;
      const copies: Copies = new Set();
      for (const edit of entry.edits) attributes = editObject(attributes, edit.path, edit, copies);
      return withMarks({ ...record, attributes }, entry.marks ?? {});
    }
  }
}

/** The fingerprint of a record, or of its absence. */
export function digestOfRecord(record: StateRecord | undefined): string {
  return digestText(textOfRecord(record));
}

/** What its fingerprint is taken of. */
export function textOfRecord(record: StateRecord | undefined): string {
  return canonicalJson(record === undefined ? null : condensed(record as unknown as JsonObject));
}

/** From so many entries on, a map counts by its digest. */
const manyEntries = 64;
const digestsOfMaps = new WeakMap<JsonObject, string>();

/**
 * Small edits leave the parts that they do not touch as they are, and the digest of a large part is taken once: of an
 * object that changes ten thousand times, not all of it is gone through each time.
 */
function condensed(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  const known = digestsOfMaps.get(value);
  if (known !== undefined) return known;
  const entries = Object.entries(value);
  const inner = Object.fromEntries(entries.map(([key, part]) => [key, condensed(part)]));
  if (entries.length < manyEntries) return inner;
  const digest = digestOf(inner);
  digestsOfMaps.set(value, digest);
  return digest;
}

function withMarks(record: StateRecord, marks: RecordFlags): StateRecord {
  const next: Record<string, unknown> = { ...record };
  for (const [mark, value] of Object.entries(marks)) {
    if (value === null) delete next[mark];
    else if (value !== undefined) next[mark] = value;
  }
  return next as unknown as StateRecord;
}

/** What an entry has copied so far: nobody else has seen it, so that a hundred new members copy their map once. */
type Copies = Set<JsonObject>;

function editObject(object: JsonObject, path: readonly string[], edit: RecordEdit, copies: Copies): JsonObject {
  const [head, ...rest] = path;
  if (head === undefined) return object;
  const current = own(object, head);
  const next = rest.length === 0 ? editValue(current, edit) : editInner(current, rest, edit, copies);
  // A part that is a copy already was changed where it is.
  if (next === current || (next !== undefined && current !== undefined && equalJson(current, next))) return object;
  const copy: Record<string, JsonValue> = copies.has(object) ? object : { ...object };
  copies.add(copy);
  if (next === undefined) delete copy[head];
  else Object.defineProperty(copy, head, { value: next, configurable: true, enumerable: true, writable: true });
  return copy;
}

function editInner(
  current: JsonValue | undefined,
  path: readonly string[],
  edit: RecordEdit,
  copies: Copies,
): JsonValue | undefined {
  if (!isObject(current) && edit.op === 'unset') return current;
  return editObject(isObject(current) ? current : {}, path, edit, copies);
}

function editValue(current: JsonValue | undefined, edit: RecordEdit): JsonValue | undefined {
  switch (edit.op) {
    case 'set':
      return edit.value;
    case 'unset':
      return undefined;
    case 'add':
      return [...new Set([...strings(current), ...edit.values])].sort();
    case 'remove':
      return strings(current).filter((value) => !edit.values.includes(value));
  }
}

function strings(value: JsonValue | undefined): string[] {
  return isList(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
