// Support: derivations for a kind without a sample: values, blocks, changes by others, and the answers of the ideal
// platform.
import fc from 'fast-check';
import { equalJson, isList, isObject, type JsonObject, type JsonValue, ownValue } from '../../../src/lib/json.ts';
import { addressOf } from '../../../src/model/address.ts';
import { type ApiRequest, requestPath } from '../../../src/model/request.ts';
import { diffAttributes } from '../../../src/planner/diff/diff.ts';
import { sentFields } from '../../../src/resources/definition/attribute-table.ts';
import type { AttributeDefinition, KindDefinition } from '../../../src/resources/definition/kind.ts';
import { pick } from '../../../src/resources/definition/values.ts';
import type { IdealPlatform } from '../../support/planning/ideal-platform.ts';
import { isIn, refuse } from '../../support/planning/ideal-values.ts';
import { asWritten, blockFor, blockSchema, strictAjv, valueFor } from './blocks.ts';
import type { Deed, ForeignCall, Section, Sections, Unequal } from './kind-sample.ts';

/** Returns two values that the attribute's schema allows, the same in every call. */
export function plainValues(kind: KindDefinition, name: string): readonly [JsonValue, JsonValue] | undefined {
  const { schema } = kind.attributes[name] ?? {};
  if (schema === undefined) return undefined;
  const fits = strictAjv().compile(schema);
  const isFile = isObject(schema['x-file']);
  const sampled = fc.sample(valueFor(schema), { numRuns: 100, seed: 1 });
  const all = sampled.filter((value) => (isFile || fits(value)) && value !== '' && !equalJson(value, []));
  const [first = null] = all;
  const other = all.find((value) => !equalJson(value, first));
  return other === undefined ? undefined : [first, other];
}

/** Returns blocks that the schemas allow, under one or two keys, which name only people of the estate. */
export function plainBlocks(kind: KindDefinition, others: Sections): fc.Arbitrary<Section> {
  const ajv = strictAjv();
  const checkKey = ajv.compile(kind.keySchema);
  const check = ajv.compile(blockSchema(kind));
  const keys = [kind.onlyKey ?? '', 'key-1', 'c/d', 'key_2'].filter((key) => checkKey(key)).slice(0, 2);
  const isValid = (block: JsonObject): boolean => {
    const { attributes, problems } = kind.normalise(keys[0] ?? '', block);
    const isKnown = (named: string) => (one: string) => Object.hasOwn(others[one] ?? {}, named);
    return (
      check(asWritten(kind, block)) === true &&
      problems.length === 0 &&
      kind.references(attributes).every(({ kinds, key }) => kinds.some(isKnown(key)))
    );
  };
  const block = blockFor(kind, isValid);
  return fc
    .subarray(keys)
    .chain((chosen) => fc.tuple(...chosen.map((key) => fc.tuple(fc.constant(key), block))))
    .map((entries) => Object.fromEntries(entries));
}

/** Sets each attribute to its other value with the calls of the kind itself, and deletes the object. */
export function plainDeeds(
  kind: KindDefinition,
  { key, number }: Deed,
  valuesOf: (name: string) => readonly [JsonValue, JsonValue] | undefined,
): ForeignCall[] {
  const updates = Object.keys(kind.attributes).flatMap((name) => {
    const values = valuesOf(name);
    if (values === undefined) return [];
    const [before, after] = number % 2 === 0 ? values : [values[1], values[0]];
    const sides = [{ [name]: before }, { [name]: after }] as const;
    const { attributes, problems } = diffAttributes(kind, ...sides, []);
    if (problems.length > 0) return [];
    const change = { type: 'update', address: addressOf(kind.name, key), key, attributes } as const;
    return kind.steps({ ...change, before: sides[0], after: sides[1] }).map(({ request }) => request);
  });
  const removal = kind.onlyKey === undefined ? [kind.remove(key)] : [];
  return [...updates, ...removal].map((request) => [request.method, requestPath(request), request.body, request.query]);
}

/** Keeps an object as it was sent, and refuses fields that the kind's table does not send. */
export function plainAnswer(
  kind: KindDefinition,
  platform: IdealPlatform,
  request: ApiRequest,
): JsonObject | undefined {
  if (kind.isChild === true || kind.onlyKey !== undefined || !isIn(kind.section, request)) return undefined;
  const { method, route, params = {}, body = {} } = request;
  const objects = platform.kept(kind.name);
  const isCreate = method === 'POST' && route === `/${kind.section}`;
  const given = isCreate ? body[kind.keyName] : Object.values(params)[0];
  const key = typeof given === 'string' ? given : refuse(request, `${kind.keyName} is missing`);
  if (isCreate) {
    if (objects.has(key)) refuse(request, `${key} exists`);
    for (const name of kind.required) if (body[name] === undefined) refuse(request, `${name} is missing`);
    demandFields(request, [kind.keyName, ...sentFields(kind.attributes, 'create')]);
    objects.set(key, body);
  }
  const object = objects.get(key) ?? refuse(request, `no ${kind.title} ${key}`);
  switch (method) {
    case 'PUT':
      demandFields(request, [...sentFields(kind.attributes, 'update'), kind.disabledState.field]);
      objects.set(key, { ...object, ...body });
      break;
    case 'DELETE':
      objects.delete(key);
      return {};
    default:
      break;
  }
  const now = objects.get(key) ?? {};
  for (const { kinds, key: named } of kind.references(kind.observe(now))) {
    if (!kinds.some((one) => platform.has(one, named))) refuse(request, `nobody is called ${named}`);
  }
  return now;
}

function demandFields(request: ApiRequest, known: readonly string[]): void {
  for (const name of Object.keys(request.body ?? {}))
    if (!known.includes(name)) refuse(request, `unknown field ${name}`);
}

/** Returns what a refresh reads of one object, including declared parts with a separate answer. */
export function wholeAnswer(
  kind: KindDefinition,
  key: string,
  attributes: JsonObject,
  call: (request: ApiRequest) => JsonObject,
): JsonObject {
  let answer = kind.onlyKey === undefined ? call(kind.view(key)) : {};
  for (const { attribute, request, field, isWhole, isOneAnswer } of kind.live?.parts ?? []) {
    const isApart =
      kind.onlyKey !== undefined || isOneAnswer === true || kind.attributes[attribute]?.isReadEach === true;
    if (!isApart || attributes[attribute] === undefined || isWhole(answer)) continue;
    const part = call(request(key));
    answer = { ...answer, [field]: isOneAnswer === true ? part : (part[field] ?? []) };
  }
  return answer;
}

/** Pairs shown with declared values, and removed values with the result that the table gives. */
export function plainFaults(
  kind: KindDefinition,
  platform: IdealPlatform,
  key: string,
  attributes: JsonObject | undefined,
): Unequal[] {
  const seen = kind.observe(wholeAnswer(kind, key, attributes ?? {}, (request) => platform.call(request)));
  const { attribute: closed } = kind.disabledState;
  if (attributes === undefined) return [[closed, seen[closed], true]];
  return Object.entries(kind.attributes).flatMap(([name, definition]): Unequal[] => {
    if (definition.shownBy === 'nothing' || definition.change === 'mode') return [];
    const wanted = name === closed ? attributes[name] === true : (attributes[name] ?? neutralOf(definition));
    if (wanted === undefined) return [];
    const found = seen[name] ?? definition.initial ?? emptyOf(wanted);
    // A block that is removed is forgotten where nothing can be deleted, and its entries stay on the platform.
    const isForgotten = kind.onlyKey !== undefined && isList(found) && isList(wanted);
    const shown = isForgotten ? found.filter((entry) => wanted.includes(entry)) : counted(definition, wanted, found);
    return [[name, shown, wanted]];
  });
}

function neutralOf({ removed, shape }: AttributeDefinition): JsonValue | undefined {
  if (removed.how === 'reset') return removed.to;
  if (removed.how === 'each') return shape === 'set' ? [] : {};
  return undefined;
}

function emptyOf(wanted: JsonValue): JsonValue {
  if (Array.isArray(wanted)) return [];
  if (isObject(wanted)) return {};
  return typeof wanted === 'boolean' ? false : '';
}

/** Returns only the declared entries of a released map, in the form in which they are compared. */
function counted({ asKnown, removed }: AttributeDefinition, wanted: JsonValue, found: JsonValue): JsonValue {
  if (!isObject(wanted) || !isObject(found)) return found;
  const names = removed.how === 'release' ? Object.keys(wanted) : Object.keys(found);
  const entries = names.flatMap((name): [string, JsonValue][] => {
    const [known, shown] = [ownValue(wanted, name), ownValue(found, name)];
    if (shown === undefined) return [];
    return [[name, known === undefined || asKnown === undefined ? shown : asKnown(known, shown)]];
  });
  return pick(Object.fromEntries(entries), names);
}
