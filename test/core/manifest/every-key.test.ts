// Tests that no key of the manifest is accepted and ignored: each key of the layout, set to another value than its default, is read.
import { expect, test } from 'vitest';
import { layoutSchema } from '../../../src/core/manifest/schema/schema.ts';
import { registry } from '../../../src/core/resources/index.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../src/lib/json.ts';
import {
  always,
  beside,
  byEnd,
  filesOf,
  insteadOf,
  keyIn,
  paths,
  refusing,
  unread,
  values,
} from './support/every-key.ts';
import { errorsIn, type Files, load } from './support/in-memory.ts';

/** A key below a map is `*`, and one below a list `[]`. */
interface Case {
  readonly path: string;
  readonly without: Files;
  /** Undefined if no value for the key is known. */
  readonly declared: Files | undefined;
}

const layout = layoutSchema(registry);

/** The schemas that a value may fulfil, without references and without the placeholder of variables. */
function formsOf(schema: JsonValue | undefined): readonly JsonObject[] {
  if (!isObject(schema)) return [];
  const { $ref, anyOf, oneOf, allOf: _rules, ...plain } = schema;
  if (typeof $ref === 'string') return formsOf(referred($ref));
  const alternatives = anyOf ?? oneOf;
  if (!isList(alternatives)) return [plain];
  return alternatives
    .filter((form) => isObject(form) && !String(form.pattern).startsWith('^\\$\\{'))
    .flatMap((form) =>
      formsOf({ ...(schema.default === undefined ? {} : { default: schema.default }), ...(form as JsonObject) }),
    );
}

function referred(reference: string): JsonValue | undefined {
  const step = (within: JsonValue | undefined, name: string) => (isObject(within) ? within[name] : undefined);
  return reference.slice('#/'.length).split('/').reduce<JsonValue | undefined>(step, layout);
}

type Pair = readonly [JsonValue, JsonValue];

const texts = ['one', 'two', 'ONE', 'TWO', 'https://a.example/1', 'https://b.example/2'];

/** Two values, different if the schema allows it, neither of them the default. Undefined if the schema does not give them. */
function pairOf(path: string, schema: JsonObject): Pair | undefined {
  if (schema.const !== undefined && path !== 'version') return [schema.const, schema.const];
  const listed = byEnd(values, path);
  if (listed !== undefined) return listed;
  const of = (candidates: readonly JsonValue[]): Pair | undefined => {
    const [first, second = first] = candidates.filter((candidate) => candidate !== schema.default);
    return first === undefined || second === undefined ? undefined : [first, second];
  };
  // The first choice is the default of a key without one, as in `on_remove`.
  if (isList(schema.enum)) return of(schema.enum.toReversed())?.toReversed() as Pair | undefined;
  if (schema['x-file'] !== undefined) return ['one.png', 'two.png'];
  if (schema.format === 'date-time') return ['2027-01-01T00:00:00Z', '2028-01-01T00:00:00Z'];
  if (schema.format === 'date') return ['2027-01-01', '2028-01-01'];
  switch (isList(schema.type) ? schema.type[0] : schema.type) {
    case 'boolean':
      return of([false, true]);
    case 'integer':
    case 'number':
      return of(numbersOf(schema));
    case 'string': {
      const pattern = new RegExp(typeof schema.pattern === 'string' ? schema.pattern : '', 'u');
      const candidates = isList(schema.examples) ? schema.examples.map(String) : texts;
      return of(candidates.filter((text) => pattern.test(text)));
    }
    case 'array': {
      const [form = {}] = formsOf(schema.items);
      const pair = pairOf(`${path}[]`, form);
      return pair === undefined ? undefined : [[pair[0]], [pair[1]]];
    }
    case 'object': {
      const least = leastOf(path, schema);
      return [least, least];
    }
    default:
      return undefined;
  }
}

function numbersOf({ type, minimum = 0, maximum, exclusiveMinimum = -1 }: JsonObject): readonly number[] {
  const least = Number(minimum);
  return [least + 1, least + 2, least, 0.5].filter(
    (amount) =>
      amount <= Number(maximum ?? amount) &&
      amount > Number(exclusiveMinimum) &&
      (type === 'number' || Number.isInteger(amount)),
  );
}

/** An object with its required keys and those that it always has. */
function leastOf(path: string, { properties, required }: JsonObject): JsonObject {
  const parts = isObject(properties) ? properties : {};
  const needed = isList(required) ? required.map(String) : [];
  const least = needed.map((name) => [
    name,
    formsOf(parts[name]).map((form) => pairOf(path === '' ? name : `${path}.${name}`, form)?.[0] ?? null)[0],
  ]);
  return { ...(Object.fromEntries(least) as JsonObject), ...byEnd(always, path) };
}

function* casesIn(
  path: string,
  schema: JsonObject,
  wrap: (value: JsonObject | JsonValue[]) => JsonObject,
): Generator<Case> {
  // The keys below an attribute are those of its section.
  if (/^defaults\.[a-z_]+\./u.test(path)) return;
  const { properties, additionalProperties, items } = schema;
  const least = leastOf(path, schema);
  for (const [name, part] of Object.entries(isObject(properties) ? properties : {})) {
    const below = path === '' ? name : `${path}.${name}`;
    const others = { ...least, ...byEnd(beside, below) };
    yield* keyCases(below, part, wrap(others), (value) => {
      const { [byEnd(insteadOf, below) ?? '']: _, ...kept } = others;
      return wrap({ ...kept, [name]: value });
    });
  }
  if (isObject(additionalProperties)) {
    yield* keyCases(`${path}.*`, additionalProperties, wrap({}), (value) => wrap({ [keyIn(path)]: value }));
  }
  for (const form of formsOf(items)) yield* casesIn(`${path}[]`, form, (value) => wrap([value as JsonObject]));
}

/** A value that is an object shows by its keys. */
function* keyCases(
  path: string,
  part: JsonValue,
  without: JsonObject,
  wrap: (value: JsonValue) => JsonObject,
): Generator<Case> {
  if (unread[path] !== undefined) return;
  for (const form of formsOf(part)) {
    const pair = pairOf(path, form);
    if (pair === undefined) yield { path, without: {}, declared: undefined };
    else if (!isObject(pair[1])) yield { path, without: filesOf(without), declared: filesOf(wrap(pair[1])) };
    yield* casesIn(path, form, wrap);
  }
}

const behaviours = new Map<string, ReturnType<typeof readingOf>>();

/** What a load gives, without places in files, and its errors. */
async function readingOf(files: Files) {
  const loaded = await load(files, {
    paths,
    variables: (name) => (name.endsWith('bob') ? undefined : 'value'),
    allowedHosts: 'all',
  });
  const { resources, removed, application, policy, statePlace, empty } = loaded;
  const parts = { resources: Array.from(resources), removed, application, policy, statePlace, empty };
  const withoutPlaces = (name: string, value: unknown) =>
    /^(attributeSources|source|place)$/u.test(name) ? undefined : value;
  return { text: JSON.stringify(parts, withoutPlaces), errors: errorsIn(loaded).map(({ detail }) => detail) };
}

function onceReadingOf(files: Files) {
  const id = String(files['chat.yaml']);
  const reading = behaviours.get(id) ?? readingOf(files);
  behaviours.set(id, reading);
  return reading;
}

async function faultOf({ path, without, declared }: Case): Promise<string | undefined> {
  if (declared === undefined) return `${path}: no value is known. Add two to test/core/manifest/support/every-key.ts.`;
  const [before, after] = [await onceReadingOf(without), await onceReadingOf(declared)];
  const manifest = String(declared['chat.yaml']);
  if (refusing.has(path))
    return before.errors.length < after.errors.length ? undefined : `${path}: is not refused: ${manifest}`;
  if (after.errors.length > 0) return `${path}: ${after.errors[0]} ${manifest}`;
  return before.text === after.text ? `${path}: is accepted and not read: ${manifest}` : undefined;
}

test('reads every key of the manifest', async () => {
  const faults: string[] = [];
  let count = 0;
  for (const one of casesIn('', layout, (value) => value as JsonObject)) {
    const fault = await faultOf(one);
    if (fault !== undefined) faults.push(fault);
    count += 1;
  }
  expect(faults).toEqual([]);
  expect(count).toBeGreaterThan(400);
});
