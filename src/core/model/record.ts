// State records and the entries by which finished steps change them.

import { digestOf, digestText } from '../../lib/digest.ts';
import {
  canonicalJson,
  equalJson,
  isObject,
  type JsonObject,
  type JsonValue,
  ownValue,
  textsIn,
} from '../../lib/json.ts';
import type { Address } from './address.ts';
import type { Lifecycle } from './resource.ts';

/** One object as last applied. Contains only managed attributes, never a token or an access code. */
export interface StateRecord {
  readonly address: Address;
  /** As they were last applied. */
  readonly attributes: JsonObject;
  /**
   * What the platform showed of these attributes after they were sent, only where that differs: by attribute the value, or by
   * entry of a map. null is an entry that the platform did not keep.
   */
  readonly shown?: JsonObject;
  /**
   * What the answers to its calls showed of values that no answer shows as a whole, by attribute or by entry of a map. Another
   * such value in a later answer proves that others changed it.
   */
  readonly seen?: JsonObject;
  readonly lifecycle?: Lifecycle;
  /** Removed from the manifest but kept until it is forgotten: a disabled object, or a history file whose messages stay. */
  readonly retired?: true;
  /** A child that is forgotten once the object that it belongs to is deleted. */
  readonly leaving?: true;
  /** Created, but some steps that complete the creation are not done. */
  readonly creating?: true;
  /** Temporarily reopened, to be disabled again. */
  readonly bracket?: true;
  /**
   * Paths of attributes whose values on the platform are not known. A run that was cut off began to change them, and no read
   * shows them: `attributes` has the value from before, or the begun one if there was none. Or they are users in a retired
   * object whose deletion was planned. An edit of a path ends this.
   */
  readonly unknown?: readonly (readonly string[])[];
}

/** The parts of a record that a patch can set. null removes a part. */
export interface RecordFlags {
  readonly lifecycle?: Lifecycle | null;
  readonly retired?: true | null;
  readonly leaving?: true | null;
  readonly creating?: true | null;
  readonly bracket?: true | null;
  readonly unknown?: readonly (readonly string[])[] | null;
}

/**
 * A small edit of a record's attributes. Steps may run in any order, so their edits must commute. That is why sets have
 * `add` and `remove`.
 */
export type RecordEdit =
  | { readonly op: 'set'; readonly path: readonly string[]; readonly value: JsonValue }
  | { readonly op: 'unset'; readonly path: readonly string[] }
  /** Adds to or removes from a sorted list of strings. */
  | { readonly op: 'add' | 'remove'; readonly path: readonly string[]; readonly values: readonly string[] };

/** The change that a succeeded step makes in state. */
export type StateEntry =
  | { readonly type: 'put'; readonly record: StateRecord }
  | {
      readonly type: 'patch';
      readonly address: Address;
      readonly edits: readonly RecordEdit[];
      /** Edits of `shown`. The other edits end what was shown of their attributes. */
      readonly shown?: readonly RecordEdit[];
      /** The same for `seen`. */
      readonly seen?: readonly RecordEdit[];
      readonly marks?: RecordFlags;
    }
  | { readonly type: 'delete'; readonly address: Address };

export function entryAddress(entry: StateEntry): Address {
  return entry.type === 'put' ? entry.record.address : entry.address;
}

/** Returns the record after an entry, or undefined if the object is no longer in state. A patch without a record does nothing. */
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
      const edited = withAnswers(withAnswers({ ...record, attributes }, entry, 'shown'), entry, 'seen');
      return withFlags(withKnown(edited, entry.edits), entry.marks ?? {});
    }
  }
}

/** Removes the edited paths from the unknown ones. */
function withKnown(record: StateRecord, edits: readonly RecordEdit[]): StateRecord {
  if (record.unknown === undefined) return record;
  const { unknown: before, ...rest } = record;
  const edited = edits.flatMap((edit) =>
    'values' in edit ? edit.values.map((value) => [...edit.path, value]) : [edit.path],
  );
  const unknown = before.filter((path) => !edited.some((other) => isAlong(path, other)));
  return unknown.length === 0 ? rest : { ...rest, unknown };
}

/** Whether one path leads to the other, or on from it. */
export function isAlong(left: readonly string[], right: readonly string[]): boolean {
  return left.every((part, place) => right[place] === undefined || right[place] === part);
}

/** Applies the edits of what answers showed. An edited value ends what was shown of it. */
function withAnswers(
  record: StateRecord,
  entry: Extract<StateEntry, { type: 'patch' }>,
  field: 'shown' | 'seen',
): StateRecord {
  if (record[field] === undefined && entry[field] === undefined) return record;
  const { [field]: before = {}, ...rest } = record;
  let after = before;
  const copies: Copies = new Set();
  for (const { path } of entry.edits) after = editObject(after, path, { op: 'unset', path }, copies);
  for (const edit of entry[field] ?? []) after = editObject(after, edit.path, edit, copies);
  const kept = Object.entries(after).filter(([, value]) => !isObject(value) || Object.keys(value).length > 0);
  return kept.length === 0 ? rest : { ...rest, [field]: Object.fromEntries(kept) };
}

/** The digest of a record, or of its absence. */
export function digestOfRecord(record: StateRecord | undefined): string {
  return record === undefined ? noRecord : digestText(textOfRecord(record));
}

const noRecord = digestText(canonicalJson(null));

/** The text that is digested. A plan does not know what answers will show. */
function textOfRecord({ seen: _seen, ...record }: StateRecord): string {
  return canonicalJson(condensed(record as unknown as JsonObject));
}

/** A map with at least this many entries is replaced by its digest before a record is digested. */
const manyEntries = 64;
const digestsOfMaps = new WeakMap<JsonObject, string>();

/**
 * Replaces large maps by their digests, which are computed once. Edits share untouched parts, so an object that changes
 * ten thousand times is not serialized as a whole each time.
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

function withFlags(record: StateRecord, flags: RecordFlags): StateRecord {
  const next: Record<string, unknown> = { ...record };
  for (const [flag, value] of Object.entries(flags)) {
    if (value === null) delete next[flag];
    else if (value !== undefined) next[flag] = value;
  }
  return next as unknown as StateRecord;
}

/** Objects that this entry has already copied and may change in place, so that many edits copy a map only once. */
type Copies = Set<JsonObject>;

function editObject(object: JsonObject, path: readonly string[], edit: RecordEdit, copies: Copies): JsonObject {
  const [head, ...rest] = path;
  if (head === undefined) return object;
  const current = ownValue(object, head);
  const next = rest.length === 0 ? editValue(current, edit) : editInner(current, rest, edit, copies);
  // A part that was copied earlier was changed in place.
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
      return [...new Set([...textsIn(current), ...edit.values])].sort();
    case 'remove':
      return textsIn(current).filter((value) => !edit.values.includes(value));
  }
}
