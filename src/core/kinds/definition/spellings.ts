// How the platform's requests and answers spell attributes. The schema and the reader of a spelling are made from the attribute's own schema.

import { isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { idsIn, idsOf, mapOf } from './values.ts';

/**
 * How a spelling writes the value of its attribute. `same`: as the attribute does. `opposite`: the opposite flag. `ids`: the
 * keys of the map as a list. `users`: the keys as a list of `{user_id}`. `part`: this part of each entry, by the key of the entry.
 * A form with `read` has a schema of its own, and `read` returns the attribute's value, if the block has one.
 */
export type SpellingForm =
  | 'same'
  | 'opposite'
  | 'ids'
  | 'users'
  | { readonly part: string }
  | { readonly schema: JsonObject; read(value: JsonValue, block: JsonObject): JsonValue | undefined };

/**
 * Returns the schema of a spelling, given a schema of the attribute `use`: that of its table, or the limits that a rule adds.
 * Undefined if the schema does not limit what the spelling writes.
 */
export function spelledSchema(form: SpellingForm, use: string, schema: JsonObject): JsonObject | undefined {
  if (form === 'same') return schema;
  if (form === 'opposite') return { ...schema, description: `The opposite of ${use}.` };
  const { type, propertyNames: id, additionalProperties: line, maxProperties, description } = schema;
  const isWhole = type === 'object';
  if (typeof form === 'object') {
    if ('read' in form) return isWhole ? form.schema : undefined;
    const part = isObject(line) && isObject(line.properties) ? line.properties[form.part] : undefined;
    return isWhole && isObject(part) ? { type, additionalProperties: part, ...described(part.description) } : undefined;
  }
  const user = {
    type: 'object',
    properties: { user_id: { ...(isObject(id) ? id : {}), description: 'The user.' } },
    required: ['user_id'],
    additionalProperties: false,
  };
  const list = isWhole ? { type: 'array', items: form === 'ids' ? (id ?? {}) : user, uniqueItems: true } : {};
  const limit = maxProperties === undefined ? {} : { maxItems: maxProperties };
  return { ...list, ...limit, ...described(description) };
}

function described(description: JsonValue | undefined): JsonObject {
  return description === undefined ? {} : { description };
}

/** Returns the value of the attribute. In `block`, earlier spellings of the table are already replaced. */
export function readSpelling(
  form: SpellingForm,
  use: string,
  value: JsonValue,
  block: JsonObject,
): JsonValue | undefined {
  if (form === 'same') return value;
  if (form === 'opposite') return value !== true;
  if (form === 'ids') return emptyLines(idsOf({ value }, 'value'));
  if (form === 'users') return emptyLines(idsIn(value));
  if ('read' in form) return form.read(value, block);
  const lines = mapOf(block, use);
  const listedEntries = Object.entries(isObject(value) ? value : {}).filter(([id]) => Object.hasOwn(lines, id));
  return listedEntries.length === 0
    ? undefined
    : Object.fromEntries(listedEntries.map(([id, part]) => [id, { [form.part]: part }]));
}

function emptyLines(ids: readonly string[]): JsonObject {
  return Object.fromEntries(ids.map((id) => [id, {}]));
}
