// Finds the attributes to which this application gives another initial value than the documents say.
import { equalJson, isObject, type JsonValue } from '../../lib/json.ts';
import type { KindDefinition } from '../../resources/define.ts';
import type { Inventory } from './read-application.ts';

/** By kind, the names of attributes whose initial value is not the one of their table. */
export function otherInitials(
  kinds: readonly KindDefinition[],
  inventories: readonly Inventory[],
): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    kinds.map(({ kind, attributes }) => {
      const names = Object.entries(attributes).flatMap(([name, { initial, initialFrom }]) => {
        if (initialFrom === undefined || initial === undefined) return [];
        const given = valuesOf(inventories, initialFrom.kind, initialFrom.path);
        return given.every((value) => equalJson(value, initial)) ? [] : [name];
      });
      return [kind, new Set(names)];
    }),
  );
}

function valuesOf(inventories: readonly Inventory[], kind: string, path: readonly string[]): JsonValue[] {
  return inventories
    .filter((inventory) => inventory.kind.kind === kind)
    .flatMap((inventory) => [...inventory])
    .flatMap(({ attributes }) => {
      let value: JsonValue | undefined = attributes;
      for (const name of path) value = isObject(value) ? value[name] : undefined;
      return value === undefined ? [] : [value];
    });
}
