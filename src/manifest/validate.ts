// Does a value fit its schema? One compiled check for the outline of a document and for each kind, through ajv.
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { InternalError } from '../model/errors.ts';
import type { JsonValue } from '../model/json.ts';
import type { JsonSchema, KindDefinition } from '../resources/define.ts';
import { blockSchema, defaultsSchema, outlineSchema } from './schema.ts';

/** A schema with its check: the sentence for an error is made from both. */
export interface Check {
  readonly schema: JsonSchema;
  errors(value: JsonValue): readonly ErrorObject[];
}

interface KindChecks {
  readonly key: Check;
  readonly block: Check;
  readonly defaults: Check;
}

export interface Checks {
  readonly outline: Check;
  of(kind: KindDefinition): KindChecks;
}

/** Compiling takes longer than checking a thousand blocks, so it is done once for a registry. */
const compiled = new WeakMap<readonly KindDefinition[], Checks>();

export function checksFor(kinds: readonly KindDefinition[]): Checks {
  const known = compiled.get(kinds);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({
    allErrors: true,
    // The sentences name the value and the schema around it.
    verbose: true,
    ownProperties: true,
    // Rules of kinds are parts of schemas: they name neither types nor properties again.
    strictTypes: false,
    strictRequired: false,
    formats: { date: isDate, 'date-time': isDateTime },
    keywords: ['x-file', 'deprecationMessage'],
  });
  const byKind = new Map(
    kinds.map((kind) => [
      kind.kind,
      {
        key: check(ajv, kind.keySchema),
        block: check(ajv, blockSchema(kind)),
        defaults: check(ajv, defaultsSchema(kind)),
      },
    ]),
  );
  const checks: Checks = {
    outline: check(ajv, outlineSchema(kinds)),
    of(kind) {
      const found = byKind.get(kind.kind);
      if (found === undefined) throw new InternalError(`no checks for kind ${kind.kind}`);
      return found;
    },
  };
  compiled.set(kinds, checks);
  return checks;
}

function check(ajv: Ajv2020, schema: JsonSchema): Check {
  let validate: ValidateFunction | undefined;
  return {
    schema,
    errors(value) {
      validate ??= ajv.compile(schema);
      return validate(value) ? [] : (validate.errors ?? []);
    },
  };
}

/** A day that exists: not the 30th of February. */
function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/u.test(text) && isDay(text);
}

function isDateTime(text: string): boolean {
  const pattern = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/u;
  return pattern.test(text) && isDay(text.slice(0, 10));
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
