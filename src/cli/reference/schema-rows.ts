// Prints the keys of a JSON Schema for reference pages: the path, type, default and meaning of each.
import { canonicalJson, isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { code, table } from './markdown.ts';

/** A key at any depth. In its path, `*` is a key of the author's choice and `[]` an entry of a list. */
export interface SchemaKey {
  readonly path: string;
  readonly schema: JsonObject;
  readonly isRequired: boolean;
  /** The keys for which `*` stands, if the schema lists them. */
  readonly names: readonly string[];
}

/** More keys than these with equal schemas are one row. */
const mostEqual = 10;
/** A longer list of values is printed below its table. */
const mostInCell = 12;

/** Returns the keys below a schema, each followed by the keys below it. */
export function keysBelow(schema: JsonValue | undefined, path: string): readonly SchemaKey[] {
  const forms = formsOf(schema);
  // A key of one of several maps is needed only in that one.
  const isOneMap = forms.filter(({ properties }) => properties !== undefined).length === 1;
  const keys = forms.flatMap((form) => [
    ...propertyKeys(isOneMap ? form : { ...form, required: [] }, path),
    ...(isObject(form.additionalProperties) ? withInner(otherKey(form, `${path}.*`)) : []),
    ...keysBelow(form.items, `${path}[]`),
  ]);
  const firstByPath = new Map(keys.toReversed().map((key) => [key.path, key]));
  return keys.filter((key) => firstByPath.get(key.path) === key);
}

function propertyKeys({ properties, required }: JsonObject, path: string): readonly SchemaKey[] {
  const schemas = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, schema]) =>
    isObject(schema) ? [{ name, schema }] : [],
  );
  const isNeeded = (name: string) => isList(required) && required.includes(name);
  const bySchema = new Map<string, string[]>();
  for (const { name, schema } of schemas) {
    const text = canonicalJson(schema);
    bySchema.set(text, [...(bySchema.get(text) ?? []), name]);
  }
  return schemas.flatMap(({ name, schema }) => {
    const equal = bySchema.get(canonicalJson(schema)) ?? [];
    if (equal.length <= mostEqual)
      return withInner({ path: below(path, name), schema, isRequired: isNeeded(name), names: [] });
    if (equal[0] !== name) return [];
    return withInner({ path: `${path}.*`, schema, isRequired: false, names: equal });
  });
}

function otherKey({ additionalProperties, propertyNames }: JsonObject, path: string): SchemaKey {
  const schema = isObject(additionalProperties) ? additionalProperties : {};
  const description = schema.description ?? (isObject(propertyNames) ? propertyNames.description : undefined);
  return {
    path,
    schema: { ...schema, ...(description === undefined ? {} : { description }) },
    isRequired: false,
    names: [],
  };
}

function withInner(key: SchemaKey): readonly SchemaKey[] {
  return [key, ...keysBelow(key.schema, key.path)];
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function formsOf(schema: JsonValue | undefined): readonly JsonObject[] {
  if (!isObject(schema)) return [];
  const alternatives = schema.oneOf ?? schema.anyOf;
  return isList(alternatives) ? alternatives.flatMap(formsOf) : [schema];
}

/** Returns a table of the keys, and the values that are too many for a cell. */
export function keyTable(keys: readonly SchemaKey[]): readonly string[] {
  const rows = keys.map(({ path, schema, isRequired }) => [
    code(path),
    typeOf(schema),
    defaultOf(schema),
    meaningOf(schema, isRequired),
  ]);
  return keys.length === 0 ? [] : [table(['Key', 'Type', 'Default', 'Meaning'], rows), ...longLists(keys)];
}

/** Returns a paragraph for each key with more values than a cell has room for, or with listed names. */
export function longLists(keys: readonly SchemaKey[]): readonly string[] {
  return keys.flatMap(({ path, schema, names }) => {
    const values = formsOf(schema)
      .flatMap((form) => [form, ...formsOf(form.items)])
      .flatMap(({ enum: choices }) => (isList(choices) && choices.length > mostInCell ? choices : []));
    const words = [...names, ...values.map(String)];
    return words.length === 0 ? [] : [`Values of ${code(path)}: ${words.map(code).join(', ')}.`];
  });
}

export function meaningOf({ description }: JsonObject, isRequired = false): string {
  const text = String(description ?? '').replace(trailingDefault, '');
  return [...(isRequired ? ['Required.'] : []), plain(text)].join(' ').trim();
}

/** Escapes characters of globs and placeholders that Markdown would read. */
function plain(text: string): string {
  return text.replaceAll(/[*<]/gu, '\\$&');
}

/** The column for defaults has it. */
const trailingDefault = / ?Default: ([^.]+)\.$/u;

export function defaultOf({ default: value, description }: JsonObject): string {
  if (value !== undefined) return code(String(value));
  const written = trailingDefault.exec(String(description ?? ''))?.[1] ?? '';
  return /^\S+$/u.test(written) ? code(written) : written;
}

const typeNames: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['string', 'strings'],
  boolean: ['true or false', 'flags'],
  object: ['map', 'maps'],
  array: ['list', 'lists'],
  integer: ['whole number', 'whole numbers'],
  number: ['number', 'numbers'],
  null: ['nothing', 'nothing'],
};

/** `text, 1 to 80 characters`; with the limits that the schema sets. */
export function typeOf(schema: JsonObject): string {
  const forms = formsOf(schema);
  if (forms.length > 1) return [...new Set(forms.map(typeOf))].join(', or ');
  const [form = schema] = forms;
  if (form['x-file'] !== undefined) return 'path of a file';
  if (form.const !== undefined) return code(JSON.stringify(form.const));
  if (isList(form.enum)) return choicesOf(form.enum);
  if (form.format === 'date') return 'date, as `YYYY-MM-DD`';
  if (form.format === 'date-time') return 'time, as `YYYY-MM-DDThh:mm:ssZ`';
  const names = typesOf(form).map((type) => (typeNames[type]?.[0] ?? type) + (isMany(type) ? entriesOf(form) : ''));
  return `${inWords(names)}${rangeOf(form)}`;
}

function isMany(type: string): boolean {
  return type === 'array' || type === 'object';
}

/** `a, b or c` */
function inWords(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

function typesOf({ type }: JsonObject): readonly string[] {
  return [type ?? []].flat().map(String);
}

function choicesOf(choices: readonly JsonValue[]): string {
  return choices.length > mostInCell
    ? 'one of the values below'
    : choices.map((choice) => code(String(choice))).join(', ');
}

/** ` of texts`, for a list and for a map with keys of the author's choice. */
function entriesOf(form: JsonObject): string {
  const entries = isObject(form.items) ? form.items : form.additionalProperties;
  if (!isObject(entries) || form.properties !== undefined) return '';
  const forms = formsOf(entries);
  const choices = forms.flatMap((entry) => (isList(entry.enum) ? entry.enum : []));
  if (choices.length > 0) return ` of ${choicesOf(choices)}`.replace('one of ', '');
  const types = new Set(forms.flatMap(typesOf).map((type) => typeNames[type]?.[1] ?? type));
  types.delete('nothing');
  return types.size === 0 ? '' : ` of ${inWords([...types])}`;
}

function rangeOf(form: JsonObject): string {
  const types = typesOf(form);
  const unit = types.includes('string') ? ' characters' : types.some(isMany) ? ' entries' : '';
  const least = form.minLength ?? form.minItems ?? form.minProperties ?? form.minimum;
  const most = form.maxLength ?? form.maxItems ?? form.maxProperties ?? form.maximum;
  const above = form.exclusiveMinimum === undefined ? '' : `, more than ${String(form.exclusiveMinimum)}`;
  if (most === undefined) {
    const says = least === undefined || (unit !== '' && least === 1);
    return says ? above : `${above}, at least ${String(least)}${unit}`;
  }
  if (least === most) return `, exactly ${String(most)}${unit}`;
  return `${above}, ${least === undefined ? 'at most' : `${String(least)} to`} ${String(most)}${unit}`;
}
