// Merges an object's values before a run into its current ones: a value that the run changed goes back unless it changed since.

import { equalJson, isList, isObject, type JsonObject, type JsonValue, ownValue } from '../../../lib/json.ts';
import type { AttributeDefinition, KindDefinition } from '../../kinds/definition/kind.ts';

export type Path = readonly string[];

export interface Merged {
  readonly attributes: JsonObject;
  /** Values that go back. */
  readonly restored: readonly Path[];
  /** Values that changed again after the run, and stay. */
  readonly changedSince: readonly Path[];
  /** Values that state does not contain, such as the content of an image. They stay. */
  readonly hidden: readonly Path[];
}

/** `before` and `after` are the object's attributes around the run, `now` the current ones. */
export function mergeBefore(kind: KindDefinition, before: JsonObject, after: JsonObject, now: JsonObject): Merged {
  const attributes: Record<string, JsonValue> = { ...now };
  const restored: Path[] = [];
  const changedSince: Path[] = [];
  const hidden: Path[] = [];
  const goesBack = (path: Path, [was, left, is]: readonly (JsonValue | undefined)[]): boolean => {
    if (equalJson(was, left) || equalJson(is, was)) return false;
    if (equalJson(is, left)) restored.push(path);
    else changedSince.push(path);
    return equalJson(is, left);
  };
  for (const [name, definition] of Object.entries(kind.attributes)) {
    // The platform never changes such a value, whether or not the run declared it.
    if (definition.change === 'create_only') continue;
    // `false` and absent both mean enabled.
    const isFlag = definition.change === 'closed';
    const values = [before, after, now].map((side) => (isFlag && side[name] === false ? undefined : side[name]));
    if (definition.shape !== undefined) {
      const maps = values.map(asMap);
      const keys = [...new Set(maps.flatMap((map) => Object.keys(map)))].sort();
      const merged = keys.flatMap((key): [string, JsonValue][] => {
        const entries = maps.map((map) => ownValue(map, key));
        const value = goesBack([name, key], entries) ? entries[0] : entries[2];
        return value === undefined ? [] : [[key, value]];
      });
      setAt(attributes, [name], definition.shape === 'map' ? Object.fromEntries(merged) : merged.map(([key]) => key));
      if (merged.length === 0 && now[name] === undefined) delete attributes[name];
    } else if (isHidden(definition) && before[name] !== undefined) {
      if (!equalJson(before[name], after[name])) hidden.push([name]);
    } else if (goesBack([name], values) || (isFlag && isLineAlone([before[name], after[name], now[name]]))) {
      setAt(attributes, [name], before[name]);
    }
  }
  for (const guarded of hidden.flatMap(([name = '']) => kind.attributes[name]?.guards ?? [])) {
    const place = restored.findIndex(([name]) => name === guarded);
    if (place < 0) continue;
    hidden.push(...restored.splice(place, 1));
    setAt(attributes, [guarded], now[guarded]);
  }
  return { attributes, restored, changedSince, hidden };
}

/** Whether the run only added or removed the line of an enabled state, which changes nothing but whether it is managed. */
function isLineAlone([was, left, is]: readonly (JsonValue | undefined)[]): boolean {
  return was !== true && is !== true && was !== left && left === is;
}

/** Returns a copy in which the entry at a path of one or two names has this value. Undefined removes the entry. */
export function withValue(attributes: JsonObject, [name = '', key]: Path, value: JsonValue | undefined): JsonObject {
  const copy: Record<string, JsonValue> = { ...attributes };
  const attributeValue = copy[name];
  if (key === undefined) setAt(copy, [name], value);
  else if (isList(attributeValue))
    copy[name] = attributeValue
      .filter((id) => id !== key)
      .concat(value === undefined ? [] : [key])
      .sort();
  else {
    const map: Record<string, JsonValue> = { ...(isObject(attributeValue) ? attributeValue : {}) };
    setAt(map, [key], value);
    copy[name] = map;
  }
  return copy;
}

/** The value at a path. An id of a list is `true`. */
export function valueAt(attributes: JsonObject, path: Path): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, name) => ownValue(asMap(value), name), attributes);
}

/** Keys come from manifests, so `__proto__` is possible. */
function setAt(object: Record<string, JsonValue>, [name = '']: Path, value: JsonValue | undefined): void {
  if (value === undefined) delete object[name];
  else Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
}

export function asMap(value: JsonValue | undefined): JsonObject {
  if (isList(value)) return Object.fromEntries(value.map((id) => [String(id), true]));
  return isObject(value) ? value : {};
}

/** Whether state contains a digest or a number in place of the value, which no call can send. */
export function isHidden({ shown, remember, change }: AttributeDefinition): boolean {
  return change !== 'create_only' && (remember !== undefined || shown.as !== 'compared');
}
