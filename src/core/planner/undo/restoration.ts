// Decides how one object looks after an undo of a run, as a declaration for the planner (semantics §14).

import { equalJson, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { addressesOf, type KindDefinition } from '../../kinds/definition/kind.ts';
import type { Address } from '../../model/address.ts';
import { printPath } from '../../model/change.ts';
import { isAlong, type StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import { noPosition } from '../../model/source.ts';
import type { PlanWords } from '../../model/statements/problems.ts';
import { draftUpdate } from '../diff/update.ts';
import { wordsOf } from '../draft/finding.ts';
import { isHidden, mergeBefore, type Path, valueAt, withValue } from './merge.ts';

/** An object that a run changed. */
export interface TouchedObject {
  readonly kind: KindDefinition;
  readonly address: Address;
  readonly before: StateRecord | undefined;
  /** As the run left it. */
  readonly after: StateRecord | undefined;
  readonly now: StateRecord | undefined;
  /** Whether the run took an existing object into state. `before` is then the object as the run found it. */
  readonly existed: boolean;
  /**
   * The object before an undo of the run that did not end. What differs from it is the work of that undo, which may have
   * opened the object for a time, or lifted a ban to set its new end. So this undo aims at the same values.
   */
  readonly beforeUndo?: StateRecord | undefined;
  /** How the run was going to remove the object. */
  readonly ends: 'delete' | 'forget' | undefined;
  /** How the run or a later one removed the object. `before` is then no longer known. */
  readonly ended?: 'delete' | 'forget' | undefined;
}

/** Why something does not go back. The order is that of the list for people. */
export const lossReasons = [
  'deleted',
  'gone',
  'messages',
  'changed_since',
  'changed_elsewhere',
  'impossible',
  'hidden',
  'ignored',
  'unknown',
  'in_doubt',
  'forgotten',
  'existed',
] as const;

export interface Loss {
  readonly reason: (typeof lossReasons)[number];
  readonly address: Address;
  /** An attribute, or an explanation. */
  readonly what?: string;
}

export interface Restoration {
  /** The object to declare. Absent: the object counts as removed from the manifests. */
  readonly resource?: Resource;
  readonly restored: readonly Path[];
}

/** Why an object no longer exists, if the run or a later one deleted it. */
export function deletionOf({ ends, ended, now }: TouchedObject): 'deleted' | 'gone' | undefined {
  if (now !== undefined || (ends ?? ended) === undefined) return undefined;
  return ends === 'delete' ? 'deleted' : ended === 'delete' ? 'gone' : undefined;
}

/** Returns undefined if the object needs no change. `deletion` is `deletionOf` the object at an address. */
export function restorationOf(
  touched: TouchedObject,
  deletion: (address: Address) => ReturnType<typeof deletionOf>,
  lose: (loss: Loss) => void,
  words: PlanWords,
): Restoration | undefined {
  const { kind, address, before, after, now, existed, ends, ended, beforeUndo } = touched;
  const lost = (reason: Loss['reason'], what?: string): undefined =>
    void lose({ reason, address, ...(what === undefined ? {} : { what }) });
  if (kind.isChild === true) return lost('messages');
  const gone = deletionOf(touched);
  if (gone !== undefined) return lost(gone);
  if (ended !== undefined && now === undefined) return lost('forgotten');
  if (ended !== undefined && ends !== 'delete') return lost('changed_since');
  if (ended !== undefined || (before !== undefined && after === undefined && now !== undefined)) return lost('deleted');
  if (now === undefined) return before === undefined ? undefined : lost('forgotten');
  if (before === undefined) {
    if (now.retired === true) return undefined;
    return isSame(kind, after, beforeUndo ?? now) ? { restored: [] } : lost('changed_since');
  }
  if (after === undefined) return undefined;
  if (existed) lost('existed');
  // If the run retired the object or declared it again, the disabled state below takes that back.
  if (now.retired === true && (after.retired !== true || before.retired === true))
    return isSame(kind, before, after) || isSame(kind, before, now) ? undefined : lost('changed_since');
  const merged = mergeBefore(kind, before.attributes, after.attributes, (beforeUndo ?? now).attributes);
  const paths = (list: readonly Path[], reason: Loss['reason']) => {
    for (const path of list) lost(reason, printPath(path));
  };
  paths(merged.changedSince, 'changed_since');
  paths(merged.hidden, 'hidden');
  const lifecycle = (equalJson({ ...after.lifecycle }, { ...now.lifecycle }) ? before : now).lifecycle ?? {};
  const ignored = lifecycle.ignore_changes ?? [];
  paths(
    merged.restored.filter(([name = '']) => ignored.includes(name)),
    'ignored',
  );
  const attributes = withoutHidden(kind, now, merged.attributes);
  // A run that was killed between a deletion and the retirement of a channel leaves the channel as it was, but without
  // its deleted members.
  const resource = withoutDeleted(kind, { address, attributes, lifecycle, source: noPosition }, deletion, lose);
  const isRetired = now.retired === true;
  const isEqual = equalJson(resource.attributes, now.attributes) && equalJson({ ...lifecycle }, { ...now.lifecycle });
  if (isEqual && !isRetired && now.unknown === undefined) return undefined;
  return possible(kind, resource, now, merged.restored, lose, words);
}

/** Ends the management of unknown values that state does not contain, so that state does not claim them and nothing sends them. */
function withoutHidden(kind: KindDefinition, { unknown = [] }: StateRecord, attributes: JsonObject): JsonObject {
  const names = unknown.flatMap(([name = '']) => {
    const definition = kind.attributes[name];
    return definition !== undefined && isHidden(definition) ? [name] : [];
  });
  return names.reduce((value: JsonObject, name) => withValue(value, [name], undefined), attributes);
}

/** Removes values that the platform cannot change back, and reports them to `lose`. */
function possible(
  kind: KindDefinition,
  wanted: Resource,
  now: StateRecord,
  restored: readonly Path[],
  lose: (loss: Loss) => void,
  words: PlanWords,
): Restoration | undefined {
  const { address } = wanted;
  let resource = wanted;
  let paths = restored;
  for (;;) {
    const draft = draftUpdate(kind, resource, now);
    const errors = draft.problems.filter(({ severity }) => severity === 'error');
    if (errors.length === 0) {
      for (const { path, how } of draft.attributes) {
        const isNeutral = how === 'reset' && path.length === 1 && kind.attributes[path[0] ?? '']?.shape === undefined;
        const isEnd = path[0] === kind.disabledState.attribute;
        const isInDoubt = now.unknown?.some((other) => isAlong(path, other)) === true;
        if ((how === 'release' || isNeutral) && !isEnd)
          lose({ reason: isInDoubt ? 'in_doubt' : 'unknown', address, what: printPath(path) });
      }
      return { resource, restored: paths };
    }
    for (const error of errors) lose({ reason: 'impossible', address, what: wordsOf(error, words).detail });
    const refused = paths.filter(([name, key]) =>
      errors.some(({ path }) => path[0] === name && (path[1] === undefined || key === undefined || path[1] === key)),
    );
    // An error about another attribute concerns the whole object.
    if (refused.length === 0) return undefined;
    const attributes = refused.reduce(
      (value: JsonObject, path) => withValue(value, path, valueAt(now.attributes, path)),
      resource.attributes,
    );
    resource = { ...resource, attributes };
    paths = paths.filter((path) => !refused.includes(path));
    if (paths.length === 0 && now.retired !== true) return undefined;
  }
}

/** Removes references to deleted members and operators. */
function withoutDeleted(
  kind: KindDefinition,
  resource: Resource,
  deletion: (address: Address) => ReturnType<typeof deletionOf>,
  lose: (loss: Loss) => void,
): Resource {
  let { attributes } = resource;
  for (const reference of kind.references?.(attributes) ?? []) {
    const [reason] = addressesOf(reference).flatMap((address) => deletion(address) ?? []);
    if (reason === undefined) continue;
    const [name = ''] = reference.path;
    const path = kind.attributes[name]?.shape === undefined ? [name] : [name, reference.key];
    lose({ reason, address: resource.address, what: printPath(path) });
    attributes = withValue(attributes, path, undefined);
  }
  return { ...resource, attributes };
}

function isSame(kind: KindDefinition, left: StateRecord | undefined, right: StateRecord | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  const { restored, hidden } = mergeBefore(kind, left.attributes, right.attributes, right.attributes);
  return (
    restored.length + hidden.length === 0 &&
    left.retired === right.retired &&
    equalJson({ ...left.lifecycle }, { ...right.lifecycle })
  );
}

/** Keeps what others changed on the platform since. Returns the declaration, and the paths that no longer go back. */
export function withOthersChanges(
  { resource, restored }: Restoration,
  drift: readonly { readonly path: Path; readonly after?: JsonValue }[],
): { readonly resource: Resource | undefined; readonly kept: readonly Path[] } {
  if (resource === undefined) return { resource, kept: [] };
  const others = drift.filter(({ path, after }) => !equalJson(valueAt(resource.attributes, path), after));
  const attributes = others.reduce(
    (value: JsonObject, { path, after }) => withValue(value, path, after),
    resource.attributes,
  );
  const keptPaths = restored.filter(([name, key]) =>
    others.some(({ path }) => path[0] === name && (path[1] === undefined || path[1] === key)),
  );
  return { resource: { ...resource, attributes }, kept: keptPaths };
}
