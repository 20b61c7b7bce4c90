// Makes the JSON Schemas of overlays, in which nothing is required and { absent: true } removes (semantics §9.12).

import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { JsonSchema, KindDefinition } from '../../kinds/definition/kind.ts';
import { limitsOfId } from './block-schema.ts';

/** The only key of a map that removes what the base declares. */
export const absentKey = 'absent';

/** The definition to which the schemas of overlays refer. */
export const absentDefinition: JsonSchema = {
  type: 'object',
  properties: { [absentKey]: { const: true, description: 'true removes what the base declares.' } },
  required: [absentKey],
  additionalProperties: false,
  description: 'Removes what the base declares: { absent: true }.',
};

export const takesAway: JsonSchema = { $ref: `#/$defs/${absentKey}` };

/** Allows the removal of every part, and maps for lists of ids, which add and remove ids. */
export function overlaid(schema: JsonSchema, kinds: readonly KindDefinition[]): JsonSchema {
  const ids = new Set(kinds.map(({ keySchema }) => limitsOfId(keySchema)));
  return partial(schema, ids);
}

function partial(schema: JsonSchema, ids: ReadonlySet<string>): JsonSchema {
  const { required: _needed, allOf: _rules, minProperties: _least, ...undemanding } = schema;
  const { properties, additionalProperties } = undemanding;
  return {
    ...undemanding,
    ...(isObject(properties) ? { properties: mapped(properties, ids) } : {}),
    ...(isObject(additionalProperties) ? { additionalProperties: orAbsent(additionalProperties, ids) } : {}),
  };
}

function mapped(properties: JsonObject, ids: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]): [string, JsonValue] => [
      name,
      isObject(schema) ? orAbsent(schema, ids) : schema,
    ]),
  );
}

function orAbsent(schema: JsonSchema, ids: ReadonlySet<string>): JsonSchema {
  const { description, ...limits } = schema;
  const comment = description === undefined ? {} : { description };
  if (limits.$ref !== undefined) return schema;
  if (isList(limits.anyOf))
    return {
      ...comment,
      ...limits,
      anyOf: [...limits.anyOf.map((schema) => ownPart(schema, ids)), ...listAsMap(limits, ids), takesAway],
    };
  if (isList(limits.oneOf))
    return { ...comment, ...limits, oneOf: [...limits.oneOf.map((schema) => ownPart(schema, ids)), takesAway] };
  return { ...comment, anyOf: [partial(limits, ids), ...listAsMap({ anyOf: [limits] }, ids), takesAway] };
}

function ownPart(schema: JsonValue, ids: ReadonlySet<string>): JsonValue {
  return isObject(schema) ? partial(schema, ids) : schema;
}

function listAsMap({ anyOf }: JsonSchema, ids: ReadonlySet<string>): JsonSchema[] {
  const lists = (isList(anyOf) ? anyOf : []).filter(isObject).filter(({ items }) => isIdItem(items, ids));
  if (lists.length === 0) return [];
  const entry = { anyOf: [{ type: 'null' }, takesAway] };
  return [
    { type: 'object', description: 'Adds ids, and removes ids with { absent: true }.', additionalProperties: entry },
  ];
}

function isIdItem(items: JsonValue | undefined, ids: ReadonlySet<string>): boolean {
  if (!isObject(items)) return false;
  const choices = isList(items.anyOf) ? items.anyOf.filter(isObject) : [items];
  return choices.some((schema) => ids.has(limitsOfId(schema)));
}
