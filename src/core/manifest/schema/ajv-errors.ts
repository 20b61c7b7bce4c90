// The errors of validators, with the value and the schema that each is about.

import { isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { JsonSchema } from '../../kinds/definition/kind.ts';

/** An error as ajv reports it, with the value and the schema that it is about. */
export interface SchemaError {
  readonly keyword: string;
  /** JSON pointer into the value. */
  readonly instancePath: string;
  /** JSON pointer into the schema, from `#`. */
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The key, if the error is about a key of a map. */
  readonly propertyName?: string;
  readonly message?: string;
  /** The value at `instancePath`, or the key itself. */
  readonly data: JsonValue | undefined;
  /** The schema that contains the keyword. */
  readonly parentSchema: JsonObject;
}

export function withSubject(
  error: Omit<SchemaError, 'data' | 'parentSchema'>,
  value: JsonValue,
  schema: JsonSchema,
): SchemaError {
  const parent = at(schema, pointer(error.schemaPath).slice(0, -1));
  const data = error.propertyName ?? at(value, pointer(error.instancePath));
  return { ...error, data, parentSchema: isObject(parent) ? parent : {} };
}

/** Splits a JSON pointer, ignoring a leading `#`. */
export function pointer(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function at(root: JsonValue, path: readonly string[]): JsonValue | undefined {
  let here: JsonValue | undefined = root;
  for (const part of path) {
    here = Array.isArray(here)
      ? (here as readonly JsonValue[])[Number(part)]
      : isObject(here) && Object.hasOwn(here, part)
        ? here[part]
        : undefined;
  }
  return here;
}
