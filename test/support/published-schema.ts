// Support: checks JSON documents against the published schemas.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../src/lib/json.ts';

const folder = new URL('../../schema/', import.meta.url);

/** The errors of the validator. Empty if the document is valid. */
export type SchemaCheck = (document: unknown) => string[];

/** Throws if the schema does not exist. */
export function schemaOf(name: string): JsonObject {
  return JSON.parse(readFileSync(new URL(`${name}.schema.json`, folder), 'utf8')) as JsonObject;
}

/** Compiles each schema once for all tests of a worker. */
const ajv = new Ajv2020({ allErrors: true, strictRequired: false, allowUnionTypes: true, validateFormats: false });
ajv.addVocabulary(['x-file', 'deprecationMessage']);

/** `plan`, `results#adopted` for a definition in a file, or the address of a meta-schema. Throws if the schema does not exist. */
export function publishedSchema(name: string): SchemaCheck {
  const [file = '', definition] = name.split('#');
  if (ajv.getSchema(file) === undefined) ajv.addSchema(schemaOf(file), file);
  const validate = ajv.getSchema(definition === undefined ? file : `${file}#/$defs/${definition}`);
  if (validate === undefined) throw new Error(`there is no schema ${name}`);
  return (document) => {
    if (validate(document) === true) return [];
    return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  };
}

export function linesOf(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
}
