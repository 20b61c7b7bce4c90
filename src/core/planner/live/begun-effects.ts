// Tells from a read what a call did that an interrupted run had begun (semantics §5.1).
//
// Each value that the entry of the call changes is compared with what the platform shows: the begun value was set, the value from
// before is still there, others set another one, or the read cannot tell. State gets what was seen, and marks the rest as unknown.

import { equalJson, isObject, type JsonObject, type JsonValue, ownValue } from '../../../lib/json.ts';
import type { AttributeDefinition, KindDefinition } from '../../kinds/definition/kind.ts';
import type { LiveObject } from '../../model/live.ts';
import { applyEntry, type RecordEdit, type StateEntry, type StateRecord } from '../../model/record.ts';
import type { Step } from '../../model/step.ts';
import { asMap, type Path, valueAt } from '../undo/merge.ts';
import { present, seenOf } from './observation.ts';

export type BegunEffect =
  /** All of it took effect. */
  | { readonly type: 'done'; readonly entry: StateEntry }
  /** Nothing of it is to be seen. */
  | { readonly type: 'none' }
  /** State gets `entry`. With unknown values, no read shows them. */
  | { readonly type: 'partly'; readonly entry: StateEntry; readonly isUnknown: boolean };

type Sides = readonly [before: JsonValue | undefined, begun: JsonValue | undefined];

/** The attributes that must be read to tell what the call did. */
export function begunNames({ entry }: Step): readonly string[] {
  return entry.type === 'patch' ? [...new Set(entry.edits.flatMap(({ path: [name] }) => name ?? []))] : [];
}

/** The parts of entries that the call changes, such as the status of a member. */
export function begunParts({ entry }: Step): readonly Path[] {
  return entry.type === 'patch' ? entry.edits.flatMap(({ path }) => (path.length > 2 ? [path] : [])) : [];
}

export function begunEffect(
  kind: KindDefinition,
  { action, entry }: Step,
  record: StateRecord | undefined,
  live: LiveObject,
): BegunEffect {
  const { disable, enable, attribute } = kind.disabledState;
  if (entry.type === 'delete') return live.exists ? { type: 'none' } : { type: 'done', entry };
  if (action === disable || action === enable)
    return live.attributes[attribute] === (action === disable) ? { type: 'done', entry } : { type: 'none' };
  if (entry.type !== 'patch' || record === undefined || !live.exists) return { type: 'none' };
  const after = applyEntry(record, entry)?.attributes ?? {};
  const edits: RecordEdit[] = [];
  const unknown: Path[] = [];
  let begunCount = 0;
  let paths = 0;
  for (const path of begunPaths(kind, entry.edits, record.attributes, after)) {
    const sides: Sides = [valueAt(record.attributes, path), valueAt(after, path)];
    if (equalJson(sides[0], sides[1])) continue;
    paths += 1;
    const effectAtPath = foundAt(kind, path, sides, record, live);
    if (effectAtPath === 'begun') {
      begunCount += 1;
      edits.push(editTo(kind, path, sides[1]));
    } else if (effectAtPath === 'untold') {
      unknown.push(path);
      if (sides[0] === undefined) edits.push(editTo(kind, path, sides[1]));
    } else if (effectAtPath !== 'before') edits.push(editTo(kind, path, effectAtPath.value));
  }
  const removed = begunCount === 0 ? [] : removedWith(kind, entry.edits, record, live);
  if (paths > 0 && begunCount === paths)
    return { type: 'done', entry: { ...entry, edits: [...entry.edits, ...removed] } };
  edits.push(...removed);
  if (edits.length + unknown.length === 0) return { type: 'none' };
  const otherUnknown = (record.unknown ?? []).filter(
    (path) => !unknown.some((other) => equalJson([...other], [...path])),
  );
  const marks = unknown.length === 0 ? {} : { marks: { unknown: [...otherUnknown, ...unknown] } };
  const { address } = record;
  return { type: 'partly', entry: { type: 'patch', address, edits, ...marks }, isUnknown: unknown.length > 0 };
}

/** The paths of the values that the edits change: one for each entry of a map or set, or part of an entry. */
function begunPaths(
  kind: KindDefinition,
  edits: readonly RecordEdit[],
  before: JsonObject,
  after: JsonObject,
): readonly Path[] {
  const paths = new Map<string, Path>();
  const add = (...path: string[]) => paths.set(JSON.stringify(path), path);
  for (const edit of edits) {
    const [name = '', key] = edit.path;
    const definition = kind.attributes[name];
    if (definition === undefined) continue;
    if (definition.shape === undefined) add(name);
    else if ('values' in edit) for (const id of edit.values) add(name, id);
    else if (key !== undefined) add(...edit.path);
    else for (const id of Object.keys({ ...asMap(before[name]), ...asMap(after[name]) })) add(name, id);
  }
  return [...paths.values()];
}

function foundAt(
  kind: KindDefinition,
  path: Path,
  [before, begun]: Sides,
  record: StateRecord,
  live: LiveObject,
): 'before' | 'begun' | 'untold' | { readonly value: JsonValue | undefined } {
  const [name = ''] = path;
  const definition = kind.attributes[name];
  const liveValue = live.attributes[name];
  // A call that only ends how an entry began is planned again.
  const unseen = path.length > 2 && kind.live?.entryPart?.(path)?.isInitial === true ? 'before' : 'untold';
  if (definition === undefined || liveValue === undefined || definition.shown.as !== 'compared') return unseen;
  const [, key = '', part] = path;
  if (part !== undefined) {
    const entry = ownValue(asMap(liveValue), key);
    // Whoever left has no status.
    if (entry === undefined) return 'before';
    const status = isObject(entry) ? ownValue(entry, part) : undefined;
    if (status === undefined) return unseen;
    const value = status ?? undefined;
    return equalJson(value, begun) ? 'begun' : equalJson(value, before) ? 'before' : { value };
  }
  const isSame = (value: JsonValue | undefined): boolean => {
    const comparableValue = seenAt(definition, path, liveValue, value);
    if (path.length > 1) return equalJson(comparableValue, value);
    return equalJson(present(kind, name, comparableValue), present(kind, name, value ?? neutralOf(definition)));
  };
  const isBegun = isSame(begun);
  const isBefore = before !== undefined && isSame(before);
  if (isBegun) return isBefore ? 'untold' : 'begun';
  const value = seenAt(definition, path, liveValue, before ?? begun);
  const stored = valueAt(record.shown ?? {}, path);
  if (isBefore || before === undefined || (stored !== undefined && equalJson(stored, value ?? null))) return 'before';
  // Whoever left did so by themselves.
  if (value === undefined && begun !== undefined && name === kind.memberships) return 'before';
  return { value };
}

/** The shown value as it counts for somebody who knows `knownValue`. */
function seenAt(
  definition: AttributeDefinition,
  [, key]: Path,
  liveValue: JsonValue,
  knownValue: JsonValue | undefined,
): JsonValue | undefined {
  if (key === undefined) return seenOf(definition, liveValue, [knownValue], true);
  const entry = ownValue(asMap(liveValue), key);
  if (entry === undefined || knownValue === undefined || definition.shape === 'set') return entry;
  return ownValue(asMap(seenOf(definition, { [key]: entry }, [{ [key]: knownValue }], false)), key);
}

/** The other entries of maps that a call sends as a whole, as far as they are gone: the call did not contain them. */
function removedWith(
  kind: KindDefinition,
  edits: readonly RecordEdit[],
  { attributes }: StateRecord,
  live: LiveObject,
): RecordEdit[] {
  return [...new Set(edits.map(({ path: [name = ''] }) => name))].flatMap((name): RecordEdit[] => {
    const { shape, sentBy } = kind.attributes[name] ?? {};
    const liveValue = live.attributes[name];
    if (shape !== 'map' || sentBy === 'steps' || !isObject(liveValue)) return [];
    return Object.keys(asMap(attributes[name]))
      .filter((key) => !Object.hasOwn(liveValue, key) && !edits.some(({ path }) => path[0] === name && path[1] === key))
      .map((key) => ({ op: 'unset', path: [name, key] }));
  });
}

/** The value that a call sends for a removed line. */
function neutralOf({ removed }: AttributeDefinition): JsonValue | undefined {
  return removed.how === 'reset' ? removed.to : undefined;
}

/** Returns the edit that gives the path the value that it has in these attributes. */
export function editToValueIn(attributes: JsonObject, kind: KindDefinition, path: Path): RecordEdit {
  return editTo(kind, path, valueAt(attributes, path));
}

function editTo(kind: KindDefinition, path: Path, value: JsonValue | undefined): RecordEdit {
  const [name = '', key = ''] = path;
  if (kind.attributes[name]?.shape === 'set')
    return { op: value === undefined ? 'remove' : 'add', path: [name], values: [key] };
  return value === undefined ? { op: 'unset', path } : { op: 'set', path, value };
}
