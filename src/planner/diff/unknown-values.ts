// Leaves out the declared values that state does not know (semantics §5.1), so that they are planned like values that were never sent.

import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { equalJson, isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { type AttributeChange, printPath } from '../../model/change.ts';
import type { ChangeNote } from '../../model/reasons.ts';
import { applyEntry, type RecordEdit, type StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';

/**
 * `attributes` are those of the record, or those that a refresh found. Unknown values that are not declared stay, so that their
 * removal is planned. `ignored` are the attributes of `ignore_changes`.
 */
export function knownAttributes(
  kind: KindDefinition,
  { address, unknown = [] }: Pick<StateRecord, 'address' | 'unknown'>,
  attributes: JsonObject,
  resource: Resource,
  ignored: readonly string[],
): JsonObject {
  if (unknown.length === 0) return attributes;
  const edits = unknown
    .filter(([name = '']) => !ignored.includes(name) && kind.attributes[name] !== undefined)
    .filter((path) => entryAt(resource.attributes, path) !== undefined)
    .map((path): RecordEdit => {
      const list = path.slice(0, -1);
      const id = path.at(-1) ?? '';
      return isList(attributes[path[0] ?? '']) && path.length > 1
        ? { op: 'remove', path: list, values: [id] }
        : { op: 'unset', path };
    });
  const known = applyEntry({ address, attributes }, { type: 'patch', address, edits })?.attributes ?? attributes;
  return equalJson(known, attributes) ? attributes : known;
}

/** One note for each unknown value that is sent or taken back. */
export function notesOfUnknown(
  { unknown = [] }: Pick<StateRecord, 'unknown'>,
  changes: readonly AttributeChange[],
): ChangeNote[] {
  const isChanged = (path: readonly string[]): boolean =>
    changes.some((change) => change.how !== 'release' && change.path.every((part, place) => path[place] === part));
  return unknown.filter(isChanged).map((path) => ({ code: 'value_unknown', attribute: printPath(path) }));
}

/** The value at a path. An id of a list is `true`. */
function entryAt(attributes: JsonObject, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, part) => {
    if (isList(value)) return value.includes(part) ? true : undefined;
    return isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }, attributes);
}
