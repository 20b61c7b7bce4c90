// Support: derivations for a kind whose sample does not say: values, changes by others, and the answer of a refresh.

import fc from 'fast-check';
import { isReadEach } from '../../../../src/core/kinds/definition/attribute-table.ts';
import type { KindDefinition } from '../../../../src/core/kinds/definition/kind.ts';
import { addressOf } from '../../../../src/core/model/address.ts';
import { type ApiRequest, requestPath } from '../../../../src/core/model/request.ts';
import { diffAttributes } from '../../../../src/core/planner/diff/diff.ts';
import { equalJson, isObject, type JsonObject, type JsonValue } from '../../../../src/lib/json.ts';
import { joinedQuery } from '../../../support/joined-query.ts';
import { strictAjv, valueFor } from './blocks.ts';
import type { Deed, ForeignCall } from './kind-sample.ts';

/** Returns two values that the attribute's schema allows, the same in every call. */
export function plainValues(kind: KindDefinition, name: string): readonly [JsonValue, JsonValue] | undefined {
  const { schema } = kind.attributes[name] ?? {};
  if (schema === undefined) return undefined;
  const fits = strictAjv.compile(schema);
  const isFile = isObject(schema['x-file']);
  const sampled = fc.sample(valueFor(schema), { numRuns: 100, seed: 1 });
  const all = sampled.filter((value) => (isFile || fits(value)) && value !== '' && !equalJson(value, []));
  const [first = null] = all;
  const other = all.find((value) => !equalJson(value, first));
  return other === undefined ? undefined : [first, other];
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
    return callsOfEdit(kind, key, { [name]: before }, { [name]: after });
  });
  const removal = kind.onlyKey === undefined ? [kind.remove(key)] : [];
  return [...updates, ...removal].map((request) => [
    request.method,
    requestPath(request),
    request.body,
    joinedQuery(request.query),
  ]);
}

/** Returns the calls by which the kind makes this edit. Empty if no call can make it. */
export function callsOfEdit(kind: KindDefinition, key: string, before: JsonObject, after: JsonObject): ApiRequest[] {
  const { attributes, problems } = diffAttributes(kind, before, after, []);
  if (problems.length > 0) return [];
  const change = { type: 'update', address: addressOf(kind.name, key), key, attributes } as const;
  return kind.steps({ ...change, before, after }).map(({ request }) => request);
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
    const isApart = kind.onlyKey !== undefined || isOneAnswer === true || isReadEach(kind.attributes[attribute]);
    if (!isApart || attributes[attribute] === undefined || isWhole(answer)) continue;
    const part = call(request(key));
    answer = { ...answer, [field]: isOneAnswer === true ? part : (part[field] ?? []) };
  }
  return answer;
}
