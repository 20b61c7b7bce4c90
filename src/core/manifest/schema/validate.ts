// Checks values against schemas with precompiled validators, one for outlines and three for each kind. They are loaded when the
// first value is checked with them.

import { InternalError } from '../../../lib/errors.ts';
import { isObject, type JsonValue } from '../../../lib/json.ts';
import { lineSchemas, type MessageType } from '../../history/lines/line.ts';
import type { JsonSchema, KindDefinition } from '../../kinds/definition/kind.ts';
import { type SchemaError, withSubject } from './ajv-errors.ts';
import { behavioursSchema } from './behaviours-schema.ts';
import { blockSchema, defaultsSchema } from './block-schema.ts';
import { policySchema } from './policy-schema.ts';
import { outlineSchema } from './schema.ts';
import validators from './validators.cjs';
import { type ForEachForm, forEachForms } from './variables-schema.ts';

/** A schema with its validator. */
export interface Check {
  readonly name: string;
  readonly schema: JsonSchema;
  /** Checks quickly, without collecting errors. */
  fits(value: JsonValue): boolean;
  errors(value: JsonValue): readonly SchemaError[];
}

interface KindChecks {
  readonly key: Check;
  readonly block: Check;
  readonly defaults: Check;
}

export interface Checks {
  /** Includes the policy. */
  readonly outline: Check;
  readonly policy: Check;
  /** Checks of the three forms of for_each. */
  readonly forEach: Readonly<Record<ForEachForm, Check>>;
  of(kind: KindDefinition): KindChecks;
}

/** A function that ajv generated. */
export interface Validator {
  (value: JsonValue): boolean;
  readonly errors?: readonly Omit<SchemaError, 'data' | 'parentSchema'>[] | null;
}

const checksOfKinds = new WeakMap<readonly KindDefinition[], Checks>();

export function checksFor(kinds: readonly KindDefinition[]): Checks {
  const madeBefore = checksOfKinds.get(kinds);
  if (madeBefore !== undefined) return madeBefore;
  const byKind = new Map<KindDefinition, KindChecks>();
  const policy = check('policy', () => policySchema(kinds));
  const checks: Checks = {
    outline: withPolicy(
      check('outline', () => outlineSchema(kinds)),
      policy,
    ),
    policy,
    forEach: {
      list: check('for_each_list', () => forEachForms.list),
      file: check('for_each_file', () => forEachForms.file),
      range: check('for_each_range', () => forEachForms.range),
    },
    // Made on demand, because few manifests have objects of all kinds.
    of(kind) {
      const checksOfKind = byKind.get(kind) ?? kindChecks(kind);
      byKind.set(kind, checksOfKind);
      return checksOfKind;
    },
  };
  checksOfKinds.set(kinds, checks);
  return checks;
}

/** Checks the policy apart, because its validator is by far the largest part and few manifests have a policy. */
function withPolicy(outline: Check, policy: Check): Check {
  const policyIn = (value: JsonValue) => (isObject(value) && isObject(value.policy) ? value.policy : undefined);
  return {
    name: outline.name,
    get schema() {
      return outline.schema;
    },
    fits(value) {
      const declared = policyIn(value);
      return outline.fits(value) && (declared === undefined || policy.fits(declared));
    },
    errors(value) {
      const declared = policyIn(value);
      const ofPolicy = declared === undefined ? [] : policy.errors(declared);
      const moved = ofPolicy.map((error) => ({
        ...error,
        instancePath: `/policy${error.instancePath}`,
        schemaPath: error.schemaPath.replace('#', '#/properties/policy'),
      }));
      return [...outline.errors(value), ...moved];
    },
  };
}

function kindChecks(kind: KindDefinition): KindChecks {
  return {
    key: check(`${kind.name}_key`, () => kind.keySchema),
    block: check(`${kind.name}_block`, () => blockSchema(kind)),
    defaults: check(`${kind.name}_defaults`, () => defaultsSchema(kind)),
  };
}

/** For one line of a history file. */
export const lineChecks: Readonly<Record<MessageType, Check>> = {
  MESG: check('line_MESG', () => lineSchemas.MESG),
  FILE: check('line_FILE', () => lineSchemas.FILE),
  ADMM: check('line_ADMM', () => lineSchemas.ADMM),
};

/** For a file of behaviours. */
export const behavioursCheck: Check = check('behaviours', () => behavioursSchema);

/** Makes the schema on demand, because most are needed only to word an error. */
export function check(name: string, makeSchema: () => JsonSchema): Check {
  let madeSchema: JsonSchema | undefined;
  const schema = (): JsonSchema => {
    madeSchema ??= makeSchema();
    return madeSchema;
  };
  let loaded: Validator | undefined;
  const validator = (): Validator => {
    loaded ??= loadValidator(name);
    return loaded;
  };
  return {
    name,
    get schema() {
      return schema();
    },
    fits: (value) => validator()(value),
    errors: (value) =>
      validator()(value) ? [] : (validator().errors ?? []).map((error) => withSubject(error, value, schema())),
  };
}

function loadValidator(name: string): Validator {
  try {
    const load = validators[name];
    if (load === undefined) throw new Error('validators.cjs lacks it');
    return load();
  } catch (cause) {
    throw new InternalError(`no validator ${name}: run npm run build`, { cause });
  }
}
