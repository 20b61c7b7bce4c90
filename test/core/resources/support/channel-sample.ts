// Support: the parts that channels of both kinds share in tests of all kinds.
import fc from 'fast-check';
import { maxOperators } from '../../../../src/core/kinds/parts/operators.ts';
import type { JsonValue } from '../../../../src/lib/json.ts';
import { maybe, metadataValues, text } from './arbitraries.ts';
import type { Deed, ForeignCall } from './kind-sample.ts';

const restriction = fc.record(
  { until: fc.constantFrom('2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z'), description: text },
  { requiredKeys: [] },
);
export const restricted = (users: readonly string[]) =>
  users.length === 0
    ? fc.constant(undefined)
    : maybe(fc.dictionary(fc.constantFrom(...users), restriction, { maxKeys: 2, noNullPrototype: true }));

export const operators = (among: readonly string[]) =>
  maybe(fc.subarray([...among], { maxLength: Math.min(among.length, maxOperators) }));

export const channelValues: Readonly<Record<string, readonly [JsonValue, JsonValue]>> = {
  metadata: metadataValues,
  operators: [['alice', 'bob'], ['alice']],
  banned: [{ mallory: { until: '2030-01-01T00:00:00.000Z', description: 'spam' }, trudy: {} }, { trudy: {} }],
  muted: [{ bob: { until: '2030-01-01T00:00:00.000Z' } }, { bob: {} }],
};

/** `channel` is its path. */
export function channelDeeds(channel: string, { person, text: said, number }: Deed): ForeignCall[] {
  return [
    ['PUT', channel, { name: said }],
    ['PUT', channel, { cover_url: said }],
    ['PUT', channel, { custom_type: said }],
    ['PUT', channel, { data: said }],
    ['PUT', `${channel}/freeze`, { freeze: number % 2 === 0 }],
    ['POST', `${channel}/operators`, { operator_ids: [person] }],
    ['DELETE', `${channel}/operators`, undefined, { operator_ids: person }],
    ['DELETE', `${channel}/operators`, undefined, { delete_all: 'true' }],
    ['POST', `${channel}/metadata`, { metadata: { theirs: said } }],
    ['DELETE', channel],
  ];
}
