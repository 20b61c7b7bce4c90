// Makes the JSON Schemas of `variables` and `for_each`, and allows placeholders in the schema for editors.

import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { JsonSchema } from '../../kinds/definition/kind.ts';

/** The types that a variable can be declared to have. */
export const variableTypes = ['string', 'integer', 'number', 'boolean'] as const;

const scalar = { type: ['string', 'number', 'boolean'] };

export const variablesSchema: JsonSchema = {
  type: 'object',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of manifests
  description: 'Values that differ from run to run. Use them in strings and keys of this folder: ${var.region}.',
  propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]*$', description: 'a name of letters, digits and underscores.' },
  additionalProperties: {
    type: 'object',
    properties: {
      type: { enum: [...variableTypes], default: 'string', description: 'The type of the value. Default: string.' },
      default: { ...scalar, description: 'The value when neither --variables nor CHATFORM_VAR_NAME gives one.' },
      allowed: {
        type: 'array',
        minItems: 1,
        items: scalar,
        uniqueItems: true,
        description: 'The values that may be given.',
      },
      secret: {
        type: 'boolean',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of manifests
        description: 'true: only env may name it. ${var.…} refuses it, because plans show the strings of manifests.',
      },
      description: { type: 'string', description: 'What it is for.' },
    },
    additionalProperties: false,
  },
};

const placesOfRows: JsonSchema = {
  file: {
    type: 'string',
    pattern: '\\.(ndjson|csv)(\\.gz)?$',
    description: 'A .csv file whose first line names the parts, or an .ndjson file; both may be packed with gzip.',
  },
  from: { type: 'integer', description: 'The first number of a range.' },
  to: { type: 'integer', description: 'The last number of a range.' },
  digits: { type: 'integer', minimum: 1, maximum: 15, description: 'Pads the numbers with zeros: 01, 02.' },
};
const { file, ...range } = placesOfRows;

/** The three forms of `for_each`. */
export const forEachForms = {
  list: {
    type: 'array',
    description: 'The rows: strings, numbers, or maps.',
    items: { type: ['string', 'number', 'boolean', 'object'] },
  },
  file: { type: 'object', required: ['file'], properties: { file: file ?? {} }, additionalProperties: false },
  range: { type: 'object', required: ['from', 'to'], properties: range, additionalProperties: false },
} satisfies Readonly<Record<string, JsonSchema>>;

export type ForEachForm = keyof typeof forEachForms;

export const forEachSchema: JsonSchema = {
  description:
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of manifests
    'Makes one object from each row. In keys and strings of the block, ${each.city} inserts a part of the row. ${each.value} inserts an entry of a list of strings, or a number of a range.',
  anyOf: Object.values(forEachForms),
};

/** Allows keys with placeholders, whose format is checked after they are filled in. */
export function keysWithPlaceholders(keySchema: JsonSchema): JsonSchema {
  const { description, ...limits } = keySchema;
  return { ...(description === undefined ? {} : { description }), anyOf: [limits, { pattern: '\\$\\{(var|each)\\.' }] };
}

/** A text that is one placeholder, instead of a number, a flag, a choice or a list. */
const placeholder = { type: 'string', pattern: '^\\$\\{(var|each)\\.[^}]*\\}$' };

/** Returns the schema for editors, in which values may also be `${var.NAME}` or `${each.NAME}`. */
export function withPlaceholders(schema: JsonSchema): JsonSchema {
  const inner = withInner(schema);
  if (schema.type === 'object' || acceptsTexts(schema)) return inner;
  if (isList(schema.oneOf)) return { ...inner, oneOf: [...schema.oneOf, placeholder] };
  if (isList(schema.anyOf)) return { ...inner, anyOf: [...schema.anyOf, placeholder] };
  const { description, deprecated, deprecationMessage, default: fallback, ...limits } = inner;
  return {
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(deprecationMessage === undefined ? {} : { deprecationMessage }),
    ...(fallback === undefined ? {} : { default: fallback }),
    anyOf: [limits, placeholder],
  };
}

/** Converts the values of maps and lists. Keywords that compare whole values stay unchanged. */
function withInner(schema: JsonSchema): JsonSchema {
  const { properties, additionalProperties, items } = schema;
  return {
    ...schema,
    ...(isObject(properties) ? { properties: mapped(properties) } : {}),
    ...(isObject(additionalProperties) ? { additionalProperties: withPlaceholders(additionalProperties) } : {}),
    ...(isObject(items) ? { items: withPlaceholders(items) } : {}),
  };
}

function mapped(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]): [string, JsonValue] => [
      name,
      isObject(schema) ? withPlaceholders(schema) : schema,
    ]),
  );
}

/** Whether the schema is a text without a format, in which placeholders are always allowed. */
function acceptsTexts({ type, enum: choices, const: only, pattern, format, $ref }: JsonSchema): boolean {
  if ($ref !== undefined) return true;
  const types = isList(type) ? type : [type];
  return (
    types.includes('string') &&
    choices === undefined &&
    only === undefined &&
    pattern === undefined &&
    format === undefined
  );
}
