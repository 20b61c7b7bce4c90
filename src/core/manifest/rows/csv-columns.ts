// The columns of a CSV file. The header names attributes, with dots for nested attributes.

import { isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { JsonSchema, KindDefinition } from '../../kinds/definition/kind.ts';
import { blockSchema } from '../schema/block-schema.ts';

export type CellForm = 'text' | 'flag' | 'integer' | 'list' | 'set';

export interface CsvColumn {
  /** The path from the object to the value. Empty for the key. */
  readonly path: readonly string[];
  readonly form: CellForm;
}

/** Separates ids in a list cell, because a comma would end the cell. */
const listSeparator = ';';

/** Returns undefined if the kind has no such attribute, or if a cell cannot express it. */
export function columnOf(name: string, kind: KindDefinition): CsvColumn | undefined {
  if (name === kind.keyName) return { path: [], form: 'text' };
  let schema: JsonSchema = blockSchema(kind);
  const path: string[] = [];
  const parts = name.split('.');
  while (parts.length > 0) {
    const { properties, additionalProperties } = schema;
    const [part = ''] = parts;
    const property = isObject(properties) && Object.hasOwn(properties, part) ? properties[part] : undefined;
    // Keys chosen by the author may contain dots.
    const isFree = property === undefined && isObject(additionalProperties);
    const inner = property ?? additionalProperties;
    if (!isObject(inner)) return undefined;
    path.push(isFree ? parts.join('.') : part);
    parts.splice(0, isFree ? parts.length : 1);
    schema = inner;
  }
  const form = formOf(schema);
  return form === undefined || path.includes('') ? undefined : { path, form };
}

function formOf(schema: JsonSchema): CellForm | undefined {
  const alternatives = [schema.oneOf, schema.anyOf].filter(Array.isArray).flat().filter(isObject);
  const forms = (alternatives.length === 0 ? [schema] : alternatives).map(formOfOne);
  return forms.find((form) => form !== undefined);
}

function formOfOne(schema: JsonObject): CellForm | undefined {
  if (Array.isArray(schema.enum)) return 'text';
  const { type, items, additionalProperties } = schema;
  if (type === 'string') return 'text';
  if (type === 'boolean') return 'flag';
  if (type === 'integer') return 'integer';
  if (type === 'array' && isObject(items) && formOf(items) === 'text') return 'list';
  // For a map whose values may be null, such as members, the cell lists the keys.
  const line = isObject(additionalProperties) ? additionalProperties.type : undefined;
  return type === 'object' && Array.isArray(line) && line.includes('null') ? 'set' : undefined;
}

/** Returns the columns that a kind may have. `free` stands for keys chosen by the author. */
export function columnNames(kind: KindDefinition, free: string): string[] {
  const { properties } = blockSchema(kind);
  const names = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, schema]) => {
    if (!isObject(schema) || Object.hasOwn(kind.spellings ?? {}, name)) return [];
    const inner = isObject(schema.properties) ? Object.keys(schema.properties) : [free];
    return [name, ...inner.map((part) => `${name}.${part}`)];
  });
  return [kind.keyName, ...names].filter((name) => columnOf(name, kind) !== undefined);
}

/** A cell that is not a flag or number stays text, which the schema then refuses. */
export function cellValue(text: string, form: CellForm): JsonValue {
  switch (form) {
    case 'text':
      return text;
    case 'flag':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'integer':
      return /^-?\d{1,15}$/u.test(text) ? Number(text) : text;
    case 'list':
      return listItems(text).map((part) => part.text);
    case 'set':
      return Object.fromEntries(listItems(text).map((part) => [part.text, null]));
  }
}

/** Returns the trimmed ids of a list cell with their offsets. */
export function listItems(text: string): { readonly text: string; readonly offset: number }[] {
  let offset = 0;
  return text.split(listSeparator).map((part) => {
    const trimmed = part.trim();
    const item = { text: trimmed, offset: offset + part.indexOf(trimmed) };
    offset += part.length + 1;
    return item;
  });
}
