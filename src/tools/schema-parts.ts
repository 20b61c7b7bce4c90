// Parts of a JSON Schema that can be used alone: `user` of the schema of manifests, `adopted` of that of results.

import { usage } from '../core/model/errors.ts';
import { isList, isObject, type JsonObject, type JsonValue, ownValue } from '../lib/json.ts';
import { Suggestions } from '../lib/suggestions.ts';
import { type SchemaName, schemaText } from './package-files.ts';

interface SchemaPart {
  readonly name: string;
  readonly description?: string;
}

/** The parts to offer: definitions without their variants, and keys of which the schema says more than the type. */
export function partsOf(name: SchemaName): readonly SchemaPart[] {
  const { definitions, properties } = namesIn(wholeSchema(name));
  const variants = /_(?:defaults|overlay)$/u;
  const named = Object.entries(definitions).filter(([part]) => !variants.test(part));
  const others = Object.entries(properties).filter(
    ([part, schema]) =>
      !Object.hasOwn(definitions, part) && isObject(schema) && ('properties' in schema || 'items' in schema),
  );
  return [...named, ...others].map(([part, schema]) => ({
    name: part,
    ...(isObject(schema) && typeof schema.description === 'string' ? { description: schema.description } : {}),
  }));
}

/** The part as a schema of its own, with the definitions that it refers to. Undefined if the schema has no such part. */
export function schemaPart(name: SchemaName, part: string): JsonObject | undefined {
  const whole = wholeSchema(name);
  const { definitions, properties } = namesIn(whole);
  const schema = ownValue(definitions, part) ?? ownValue(properties, part);
  if (!isObject(schema)) return undefined;
  const referred = new Map<string, JsonValue>();
  const own = withOwnReferences(schema, whole, referred);
  return {
    ...(whole.$schema === undefined ? {} : { $schema: whole.$schema }),
    ...(isObject(own) ? own : {}),
    ...(referred.size === 0 ? {} : { $defs: Object.fromEntries(referred) }),
  };
}

/** The keys of the schema, or of its part, with their types and nothing below them. */
export function keysOf(name: SchemaName, part?: string): JsonObject {
  const schema = part === undefined ? wholeSchema(name) : (schemaPart(name, part) ?? {});
  const { required = [] } = schema;
  const types = Object.entries(namesIn(schema).properties).map(([key, value]) => {
    const { $ref: reference, ...direct } = isObject(value) ? value : {};
    const meant = typeof reference === 'string' ? at(reference, schema) : direct;
    return [key, isObject(meant) && meant.type !== undefined ? { type: meant.type } : {}];
  });
  return { properties: Object.fromEntries(types), required };
}

/** `schemaPart`, refused (64) if the schema has no such part. */
export function demandPart(name: SchemaName, part: string): JsonObject {
  const schema = schemaPart(name, part);
  if (schema !== undefined) return schema;
  const names = partsOf(name).map((known) => known.name);
  const meant = new Suggestions().sentence(part, names);
  throw usage(`The schema ${name} has no part "${part}".${meant}`, `Choose one of ${names.join(', ')}.`);
}

const schemas = new Map<SchemaName, JsonObject>();

export function wholeSchema(name: SchemaName): JsonObject {
  const schema = schemas.get(name) ?? (JSON.parse(schemaText(name)) as JsonObject);
  schemas.set(name, schema);
  return schema;
}

function namesIn({ $defs = {}, properties = {} }: JsonObject): { definitions: JsonObject; properties: JsonObject } {
  return { definitions: isObject($defs) ? $defs : {}, properties: isObject(properties) ? properties : {} };
}

/** Puts what a reference means into `referred` under a name made from its path. */
function withOwnReferences(value: JsonValue, whole: JsonObject, referred: Map<string, JsonValue>): JsonValue {
  if (isList(value)) return value.map((item) => withOwnReferences(item, whole, referred));
  if (!isObject(value)) return value;
  const { $ref: reference } = value;
  if (typeof reference !== 'string' || !reference.startsWith('#/')) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, withOwnReferences(item, whole, referred)]),
    );
  }
  const path = decodeURIComponent(reference);
  const name = path.slice('#/$defs/'.length).replaceAll('/properties/', '.').replaceAll('/', '.');
  if (!referred.has(name)) {
    // Before its content, which may refer to it.
    referred.set(name, {});
    referred.set(name, withOwnReferences(at(reference, whole), whole, referred));
  }
  return { ...value, $ref: `#/$defs/${encodeURIComponent(name)}` };
}

function at(reference: string, whole: JsonObject): JsonValue {
  let here: JsonValue = whole;
  for (const word of decodeURIComponent(reference).split('/').slice(1)) {
    const key = word.replaceAll('~1', '/').replaceAll('~0', '~');
    here = (isObject(here) ? ownValue(here, key) : isList(here) ? here[Number(key)] : undefined) ?? {};
  }
  return here;
}
