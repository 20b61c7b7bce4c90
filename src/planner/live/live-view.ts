// What of a live object matters for the plan? Reads it through the eyes of what is managed and what is declared.
//
// Only attributes that are declared, or were at the last apply, are looked at; of maps and sets only such entries, unless
// the list is declared to be the whole truth (`members_mode: exclusive`). Everything else on the platform is not ours.
import { equalJson, isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { LiveObject, Observation } from '../../model/live.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import { rememberOne } from '../../resources/attribute-table.ts';
import type { AttributeDefinition, KindDefinition } from '../../resources/define.ts';
import { isExclusive } from '../../resources/values.ts';

/** What the plan needs of a live object; undefined when it says nothing that state and manifests do not say. */
export function keepOf(
  kind: KindDefinition,
  record: StateRecord | undefined,
  resource: Resource | undefined,
  live: LiveObject,
): Observation | undefined {
  const { exists, facts } = live;
  if (!exists) return record === undefined ? undefined : { exists, facts: {}, attributes: {}, unmanaged: {} };
  const remembered = record?.attributes ?? {};
  const declared = resource?.attributes ?? {};
  const end = kind.disabledState.attribute;
  const attributes: Record<string, JsonValue> = {};
  const unmanaged: Record<string, number> = {};
  for (const [name, definition] of Object.entries(kind.attributes)) {
    const shown = live.attributes[name];
    if (shown === undefined || definition.shownBy === 'nothing') continue;
    const sides = [remembered[name], declaredOf(definition, declared[name])];
    // Whether it is closed decides what can be done to it, declared or not.
    if (name !== end && sides.every((side) => side === undefined)) continue;
    const seen = seenOf(shown, sides, isExclusive(declared, name));
    attributes[name] = seen;
    const others = sizeOf(shown) - sizeOf(seen);
    if (others > 0) unmanaged[name] = others;
  }
  const isNews =
    record === undefined ||
    Object.entries(attributes).some(
      ([name, value]) => !equalJson(present(kind, name, value), present(kind, name, remembered[name])),
    );
  // People lose something when it is closed or deleted: then the facts count.
  const isEnding =
    resource === undefined ? record?.retired !== true : declared[end] === true && remembered[end] !== true;
  const isCrowded = Object.keys(unmanaged).some((name) => grows(remembered[name], declared[name]));
  const hasFacts = isEnding && Object.keys(facts).length > 0;
  return isNews || isCrowded || hasFacts ? { exists, attributes, unmanaged, facts: isEnding ? facts : {} } : undefined;
}

/** The live value, of maps and sets the entries that one of the sides names. How a membership started cannot be seen. */
function seenOf(shown: JsonValue, sides: readonly (JsonValue | undefined)[], isWhole: boolean): JsonValue {
  if (isList(shown)) return shown.filter((id) => isWhole || sides.some((side) => isList(side) && side.includes(id)));
  if (!isObject(shown)) return shown;
  return Object.fromEntries(
    Object.entries(shown).flatMap(([key, value]): [string, JsonValue][] => {
      const known = sides.flatMap((side) => (isObject(side) && Object.hasOwn(side, key) ? [side[key] ?? null] : []));
      if (known.length === 0 && !isWhole) return [];
      return [[key, isObject(value) ? (known[0] ?? value) : value]];
    }),
  );
}

/** What is remembered, corrected by what was seen. What no answer shows is believed. */
export function correctedBy(
  remembered: JsonObject,
  declared: JsonObject,
  end: string,
  observation: Observation,
): JsonObject {
  const isManaged = (name: string) => remembered[name] !== undefined || declared[name] !== undefined;
  const seen = Object.entries(observation.attributes).filter(([name]) => name !== end || isManaged(name));
  return { ...remembered, ...Object.fromEntries(seen) };
}

/** Of what is declared, what is there; what no answer shows counts as declared. */
export function asFound(kind: KindDefinition, declared: JsonObject, seen: JsonObject): JsonObject {
  const end = kind.disabledState.attribute;
  return Object.fromEntries(
    Object.entries(declared).map(([name, value]): [string, JsonValue] => [
      name,
      name === end ? present(kind, name, seen[name]) === true : (seen[name] ?? value),
    ]),
  );
}

/** Nothing, an empty map and an empty set are the same; so are an end state that is not declared and `false`. */
export function present(kind: KindDefinition, name: string, value: JsonValue | undefined): JsonValue | undefined {
  if (name === kind.disabledState.attribute) return value === true;
  return sizeOf(value ?? null) === 0 ? undefined : value;
}

export function declaredOf(definition: AttributeDefinition, value: JsonValue | undefined): JsonValue | undefined {
  return value === undefined || definition.change === 'mode' ? undefined : rememberOne(definition, value);
}

/** Of maps and sets; one for any other value. */
function sizeOf(value: JsonValue): number {
  if (isList(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : value === null ? 0 : 1;
}

export function grows(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  const known = new Set(entriesOf(before));
  return entriesOf(after).some((id) => !known.has(id));
}

/** The ids of a set, the keys of a map. */
export function entriesOf(value: JsonValue | undefined): readonly string[] {
  if (isList(value)) return value.filter((id): id is string => typeof id === 'string');
  return isObject(value) ? Object.keys(value) : [];
}
