// Does a JSON document fit the schema that the project publishes for it?
import { existsSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../src/model/json.ts';

const folder = new URL('../../schema/', import.meta.url);

/** Undefined when the schema is not there: a test then says skipped. */
export function publishedSchema(name: string): JsonObject | undefined {
  const file = new URL(`${name}.schema.json`, folder);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as JsonObject) : undefined;
}

/** What is wrong, in the words of the validator; empty when nothing is. */
export function schemaErrors(schema: JsonObject, document: unknown): string[] {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
  const validate = ajv.compile(schema);
  return validate(document) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

export function linesOf(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
}
