// The values that state does not know (semantics §5.1). A plan treats a declared one like a value that was never sent.

import { isList, type JsonObject } from '../../../lib/json.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { type AttributeChange, printPath } from '../../model/change.ts';
import type { ChangeNote } from '../../model/reasons.ts';
import { applyEntry, isAlong, type RecordEdit, type StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import { type Path, valueAt } from '../undo/merge.ts';

type Unknown = NonNullable<StateRecord['unknown']>;

/** Whether a refresh with these attributes shows the value at an unknown path. No refresh shows a part of an entry. */
export function isShown(kind: KindDefinition, [name = '', ...inner]: Path, attributes: JsonObject): boolean {
  const definition = kind.attributes[name];
  return definition?.shown.as === 'compared' && inner.length < 2 && attributes[name] !== undefined;
}

/**
 * Returns the attributes without the declared unknown ones. Unknown values that are not declared stay, so that their removal is
 * planned. `ignored` are the attributes of `ignore_changes`.
 */
export function knownAttributes(
  kind: KindDefinition,
  unknown: Unknown,
  attributes: JsonObject,
  resource: Resource,
  ignored: readonly string[],
): JsonObject {
  return withoutPaths(
    attributes,
    unknown
      .filter(([name = '']) => !ignored.includes(name) && kind.attributes[name] !== undefined)
      .filter((path) => valueAt(resource.attributes, path) !== undefined),
  );
}

/** Returns the attributes without the values at these paths. */
export function withoutPaths(attributes: JsonObject, paths: readonly Path[]): JsonObject {
  if (paths.length === 0) return attributes;
  const edits = paths.map((path): RecordEdit => {
    const [name = '', id] = path;
    return isList(attributes[name]) && id !== undefined
      ? { op: 'remove', path: [name], values: [id] }
      : { op: 'unset', path };
  });
  return (
    applyEntry({ address: 'none.none', attributes }, { type: 'patch', address: 'none.none', edits })?.attributes ?? {}
  );
}

/** Returns the attributes of these changes that have an unknown value. */
export function unknownNames(unknown: Unknown, changes: readonly AttributeChange[]): string[] {
  const changed = changes.filter(({ path }) => unknown.some((other) => isAlong(path, other)));
  return [...new Set(changed.map(({ path: [name = ''] }) => name))];
}

/** One note for each unknown value that is sent or taken back. */
export function notesOfUnknown(unknown: Unknown, changes: readonly AttributeChange[]): ChangeNote[] {
  const isChanged = (path: Path): boolean =>
    changes.some((change) => change.how !== 'release' && isAlong(change.path, path));
  return unknown.filter(isChanged).map((path) => ({ code: 'value_unknown', attribute: printPath(path) }));
}
