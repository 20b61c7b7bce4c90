// Support: checks JSON documents against the published schemas.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isList, isObject, type JsonObject, type JsonValue } from '../../src/lib/json.ts';

const folder = new URL('../../schema/', import.meta.url);

/** The errors of the validator. Empty if the document is valid. */
export type SchemaCheck = (document: unknown) => string[];

/** Throws if the schema does not exist. */
export function schemaOf(name: string): JsonObject {
  return JSON.parse(readFileSync(new URL(`${name}.schema.json`, folder), 'utf8')) as JsonObject;
}

/** Compiles each schema once for all tests of a worker. To optimise its code takes longer than the tests run that code. */
const ajv = new Ajv2020({
  allErrors: true,
  strictRequired: false,
  allowUnionTypes: true,
  validateFormats: false,
  code: { optimize: false },
});
ajv.addVocabulary(['x-file', 'deprecationMessage']);

/** `plan`, `results#adopted` for a definition in a file, or the address of a meta-schema. Throws if the schema does not exist. */
export function publishedSchema(name: string): SchemaCheck {
  const [file = '', definition] = name.split('#');
  if (!/^https?:/u.test(file)) addOnce(file, () => schemaOf(file));
  return checkBy(file, definition);
}

/** As `publishedSchema`, and refuses the keys that an object with described keys has besides them, which readers ignore. */
export function closedSchema(name: string): SchemaCheck {
  const [file = '', definition] = name.split('#');
  const closedFile = `closed-${file}`;
  addOnce(closedFile, () => {
    const { $id: _id, ...whole } = withoutOtherKeys(schemaOf(file)) as JsonObject;
    return whole;
  });
  return checkBy(closedFile, definition);
}

const added = new Set<string>();

/** Remembers the names, because to ask the validator for a file is to compile it with all of its definitions. */
function addOnce(file: string, schema: () => JsonObject): void {
  if (added.has(file)) return;
  ajv.addSchema(schema(), file);
  added.add(file);
}

function checkBy(file: string, definition: string | undefined): SchemaCheck {
  const validate = ajv.getSchema(definition === undefined ? file : `${file}#/$defs/${definition}`);
  if (validate === undefined) throw new Error(`the schema ${file}#${definition} does not exist`);
  return (document) => {
    if (validate(document) === true) return [];
    return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  };
}

function withoutOtherKeys(schema: JsonValue): JsonValue {
  if (isList(schema)) return schema.map(withoutOtherKeys);
  if (!isObject(schema)) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withoutOtherKeys(value)]));
  const isWhole = schema.type === 'object' && schema.properties !== undefined;
  return isWhole && schema.additionalProperties === undefined ? { ...inner, unevaluatedProperties: false } : inner;
}

export function linesOf(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
}
