// Does a JSON document fit the schema that the project publishes for it?
import { existsSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../src/lib/json.ts';

const folder = new URL('../../schema/', import.meta.url);

/** What is wrong with a document, in the words of the validator; empty when nothing is. */
export type SchemaCheck = (document: unknown) => string[];

/** Undefined when the schema is not there: a test then says skipped. */
export function publishedSchema(name: string): SchemaCheck | undefined {
  const file = new URL(`${name}.schema.json`, folder);
  if (!existsSync(file)) return undefined;
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
  const validate = ajv.compile(JSON.parse(readFileSync(file, 'utf8')) as JsonObject);
  return (document) => {
    if (validate(document)) return [];
    return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  };
}

export function linesOf(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
}
