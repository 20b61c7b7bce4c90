// Makes and checks the conditions that a live object must meet when a saved plan is applied (semantics §6.1).
//
// For every value that the steps change, a condition contains the digests of the value before and after each step. An object
// with any other value was changed by others. Calls of an interrupted run are not a conflict.

import { digestOf } from '../../../lib/digest.ts';
import { equalJson, isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { isReadEach, isShownWhole } from '../../kinds/definition/attribute-table.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import type { AttributeChange } from '../../model/change.ts';
import type { LiveObject } from '../../model/live.ts';
import type { LiveCondition } from '../../model/plan.ts';
import { applyEntry, type StateRecord } from '../../model/record.ts';
import { endsObject } from '../../model/resource.ts';
import type { Step } from '../../model/step.ts';
import type { OrderedDraft } from '../order/steps.ts';

/**
 * Returns undefined if the object was not read or needs no call. An object to create has no conditions, because every create
 * checks that the object does not exist.
 */
export function conditionsOf({ draft, steps }: OrderedDraft): LiveCondition[] | undefined {
  const { kind, found, attributes, address } = draft;
  if (found === undefined || found === null || steps.every(({ request }) => request === undefined)) return undefined;
  if (steps.some(({ action }) => action === 'create')) return undefined;
  // The steps give the disabled state both values, so it proves nothing.
  const paths = attributes
    .filter(({ how, path }) => how !== 'release' && path[0] !== kind.disabledState.attribute)
    .flatMap((change) => pathsOf(kind, change))
    .filter(([name = '']) => isShown(kind, name, attributes));
  const stages = stagesOf({ address, attributes: found }, steps);
  const isDeleted = endsObject(draft.removal);
  return [
    { path: [], accepts: isDeleted ? [digestOf(true), digestOf(false)] : [digestOf(true)] },
    ...unique(paths).map((path) => ({
      path,
      accepts: [...new Set(stages.map((stage) => digestOf(valueAt(kind, stage, path))))],
    })),
  ];
}

/** Returns the paths whose live values are not among the expected ones. */
export function brokenConditions(
  kind: KindDefinition,
  conditions: readonly LiveCondition[],
  { exists, attributes }: Pick<LiveObject, 'exists' | 'attributes'>,
): LiveCondition[] {
  return conditions.filter(({ path, accepts }) => {
    if (path.length === 0) return !accepts.includes(digestOf(exists));
    return exists && !accepts.includes(digestOf(valueAt(kind, attributes, path)));
  });
}

/** The condition of every create. */
export const absence: readonly LiveCondition[] = [{ path: [], accepts: [digestOf(false)] }];

function stagesOf(record: StateRecord, steps: readonly Step[]): JsonObject[] {
  const stages = [record.attributes];
  let current: StateRecord | undefined = record;
  for (const { entry } of steps) {
    current = applyEntry(current, entry);
    if (current !== undefined) stages.push(current.attributes);
  }
  return stages;
}

/** Returns the path itself, or for a set one path for each added or removed id. */
function pathsOf(kind: KindDefinition, { path, before, after }: AttributeChange): (readonly string[])[] {
  if (kind.attributes[path[0] ?? '']?.shape !== 'set') return [path];
  const left = isList(before) ? before.map(String) : [];
  const right = isList(after) ? after.map(String) : [];
  const moved = [...left.filter((id) => !right.includes(id)), ...right.filter((id) => !left.includes(id))];
  return moved.map((id) => [...path, id]);
}

/** Whether a read shows the attribute. False also if that costs one read per object, or if the call of such an attribute sets it too. */
function isShown(kind: KindDefinition, name: string, attributes: OrderedDraft['draft']['attributes']): boolean {
  const definition = kind.attributes[name];
  if (definition !== undefined && (!isShownWhole(definition) || isReadEach(definition))) return false;
  return !attributes.some(({ path }) => kind.attributes[path[0] ?? '']?.alsoSets === name);
}

/** Normalises state and live values: true for an existing entry, null for an unset or neutral value. */
function valueAt(kind: KindDefinition, attributes: JsonObject, [name = '', key]: readonly string[]): JsonValue {
  const value = attributes[name];
  if (key !== undefined) {
    if (isList(value)) return value.includes(key);
    const inner = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    if (kind.attributes[name]?.shape === 'set') return false;
    return isObject(inner) ? true : (inner ?? null);
  }
  const removed = kind.attributes[name]?.removed;
  return value === undefined || (removed?.how === 'reset' && equalJson(value, removed.to)) ? null : value;
}

function unique(paths: readonly (readonly string[])[]): (readonly string[])[] {
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];
}
