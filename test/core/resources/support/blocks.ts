// Support: arbitrary declared values and blocks, made from the kinds' own schemas, and the check that they are valid.
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { JsonSchema, KindDefinition } from '../../../../src/core/kinds/definition/kind.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../../src/lib/json.ts';

/**
 * Strict except for two rules, because parts of schemas do not repeat types and properties. There is one for all tests of
 * a worker, because each compiles the schema of schemas anew.
 */
export const strictAjv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  ownProperties: true,
  formats: { 'date-time': (text: string) => !Number.isNaN(Date.parse(text)), 'plain-url': true },
  keywords: ['x-file', 'deprecationMessage'],
  code: { optimize: false },
});

/** A block in the spelling of its kind, before the loader has read its files. */
export function blockSchema(kind: KindDefinition): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(kind.attributes).map(([name, { schema }]) => [name, schema])),
    required: kind.required,
    additionalProperties: false,
    ...(kind.rules.length === 0 ? {} : { allOf: kind.rules }),
  };
}

/** Few different texts, so that equal and different ones both occur. The longest allowed text is one of them. */
function textFor(schema: JsonObject): fc.Arbitrary<string> {
  if (isList(schema.examples)) return fc.constantFrom(...schema.examples.map(String));
  if (schema.format === 'date-time') return fc.constantFrom('2027-01-01T00:00:00Z', '2028-06-30T12:00:00Z');
  if (schema.pattern === '^[A-Z][A-Z0-9_]*$') return fc.constantFrom('CODE', 'OTHER_1');
  const longest = typeof schema.maxLength === 'number' ? ['𝒳'.repeat(schema.maxLength)] : [];
  const empty = schema.minLength === undefined ? [''] : [];
  return fc.constantFrom('one', 'two', 'a/b?c#d %', ...empty, ...longest);
}

/** Returns a value that fits a schema made of the keywords that the kinds use. Throws for other keywords. */
export function valueFor(schema: JsonSchema): fc.Arbitrary<JsonValue> {
  if (isList(schema.enum)) return fc.constantFrom(...schema.enum);
  if (isList(schema.oneOf)) return fc.oneof(...schema.oneOf.filter(isObject).map(valueFor));
  const type = isList(schema.type) ? schema.type[0] : schema.type;
  if (isObject(schema['x-file'])) {
    return fc.constantFrom('a', 'b').map((digest) => ({ file: `${digest}.png`, digest, media_type: 'image/png' }));
  }
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: Number(schema.minimum ?? 0), max: 3 });
    case 'number':
      return fc.constantFrom(0, 0.5, 2);
    case 'string':
      return textFor(schema);
    case 'array':
      return fc.uniqueArray(valueFor(isObject(schema.items) ? schema.items : {}), { maxLength: 4 });
    case 'object':
      return objectFor(schema);
    default:
      throw new Error(`no values for ${JSON.stringify(schema)}`);
  }
}

function objectFor(schema: JsonObject): fc.Arbitrary<JsonValue> {
  if (isObject(schema.additionalProperties)) {
    const names = fc.constantFrom('alice', 'bob', 'constructor', '10', '9', 'c/d');
    const size = typeof schema.maxProperties === 'number' ? schema.maxProperties : 4;
    const value = valueFor(schema.additionalProperties);
    return fc.dictionary(names, value, { minKeys: 1, maxKeys: size, noNullPrototype: true });
  }
  const properties = isObject(schema.properties) ? schema.properties : {};
  const parts = Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [name, valueFor(isObject(part) ? part : {})]),
  );
  const requiredKeys = isList(schema.required) ? schema.required.map(String) : [];
  return fc.record(parts, { requiredKeys }) as fc.Arbitrary<JsonObject>;
}

/** The schema sees only the name of a file. */
export function asWritten(kind: KindDefinition, block: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(block).map(([name, value]) => {
      const isFile = kind.attributes[name]?.schema['x-file'] !== undefined;
      return [name, isFile && isObject(value) ? (value.file ?? '') : value];
    }),
  );
}

/** A complete valid block. Every attribute that is not required is absent half of the time. */
export function blockFor(kind: KindDefinition, isValid: (block: JsonObject) => boolean): fc.Arbitrary<JsonObject> {
  const parts = Object.fromEntries(
    Object.entries(kind.attributes).map(([name, { schema }]) => [name, valueFor(schema)]),
  );
  const requiredKeys = [...kind.required, ...Object.keys(parts).filter((name) => name === kind.memberships)];
  return (fc.record(parts, { requiredKeys }) as fc.Arbitrary<JsonObject>).filter(isValid);
}
