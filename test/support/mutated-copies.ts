// Support: copies of a JSON document in which one key is renamed or absent, or has a value of another type, and what a schema accepts of them.
import { isList, isObject, type JsonObject, type JsonValue } from '../../src/lib/json.ts';
import { closedSchema } from './published-schema.ts';

type Path = readonly (string | number)[];

/** How many items of a list are altered. Later ones seldom have other keys. */
const alteredItems = 5;

/**
 * What a schema accepts of altered copies, by key: `changes[].live may be absent`, `changes[].attributes[].after is open` if any value may
 * be there, `summary has any keys`. No other key is to accept a copy.
 */
export function acceptedCopies(schema: string, document: JsonValue): string[] {
  const check = closedSchema(schema);
  const accepted = new Set<string>();
  const alter = (parent: JsonValue, path: Path): void => {
    if (isList(parent)) {
      for (const [place, item] of parent.slice(0, alteredItems).entries()) alter(item, [...path, place]);
      return;
    }
    if (!isObject(parent)) return;
    for (const [key, value] of Object.entries(parent)) {
      const inner = [...path, key];
      const accepts = (alteration: Alteration) => check(altered(document, inner, alteration)).length === 0;
      const isAnyValue = accepts(retyped);
      const isAnyKey = accepts(renamed);
      if (isAnyKey) accepted.add(`${printed(path)} has any keys`);
      else if (accepts(dropped)) accepted.add(`${printed(inner)} may be absent`);
      if (!isAnyValue) alter(value, inner);
      else if (!isAnyKey) accepted.add(`${printed(inner)} is open`);
    }
  };
  alter(document, []);
  return [...accepted].sort();
}

type Alteration = (parent: JsonObject, key: string) => JsonObject;

const renamed: Alteration = (parent, key) =>
  Object.fromEntries(Object.entries(parent).map(([name, value]) => [name === key ? `${name}_renamed` : name, value]));

const dropped: Alteration = (parent, key) =>
  Object.fromEntries(Object.entries(parent).filter(([name]) => name !== key));

const retyped: Alteration = (parent, key) => ({ ...parent, [key]: ofAnotherType(parent[key]) });

function ofAnotherType(value: JsonValue | undefined): JsonValue {
  if (isList(value)) return {};
  return typeof value === 'boolean' || typeof value === 'number' ? 'text' : isObject(value) ? [] : true;
}

function altered(value: JsonValue, [step, ...rest]: Path, alteration: Alteration): JsonValue {
  if (isList(value)) return value.map((item, place) => (place === step ? altered(item, rest, alteration) : item));
  if (!isObject(value) || typeof step !== 'string') return value;
  return rest.length === 0
    ? alteration(value, step)
    : { ...value, [step]: altered(value[step] ?? null, rest, alteration) };
}

function printed(path: Path): string {
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[]` : text === '' ? step : `${text}.${step}`),
    '',
  );
}
