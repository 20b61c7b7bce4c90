// Support: what other people do on the platform, at random; what the platform refuses they do not do.
import fc from 'fast-check';
import type { JsonObject } from '../../../src/lib/json.ts';
import { type Address, keyOf, kindOf } from '../../../src/model/address.ts';
import type { Method } from '../../../src/model/request.ts';
import type { Rig } from './rig.ts';

/** Numbers that choose who, what and how. */
export interface Edit {
  readonly object: number;
  readonly person: number;
  readonly deed: number;
  readonly value: string;
}

export const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.record({
    object: fc.nat(1000),
    person: fc.nat(1000),
    deed: fc.nat(1000),
    value: fc.constantFrom('', 'one', 'two', 'three'),
  }),
  { minLength: 1, maxLength: 12 },
);

type Call = readonly [Method, string, (JsonObject | undefined)?, Readonly<Record<string, string>>?];

export function perform(rig: Rig, { object, person, deed, value }: Edit): void {
  const addresses = [...rig.state.keys()];
  const address = addresses[object % addresses.length];
  if (address === undefined) return;
  const people = addresses.filter((one) => kindOf(one) === 'user').map(keyOf);
  const calls = callsOn(address, people[person % people.length] ?? 'nobody', value, deed);
  const call = calls[deed % calls.length];
  if (call === undefined) return;
  const [method, route, body, query] = call;
  rig.answer({ method, route, ...(body === undefined ? {} : { body }), ...(query === undefined ? {} : { query }) });
}

function callsOn(address: Address, person: string, value: string, deed: number): readonly Call[] {
  const key = encodeURIComponent(keyOf(address));
  const isOn = deed % 2 === 0;
  if (kindOf(address) === 'user') {
    const user = `/users/${key}`;
    return [
      ['PUT', user, { nickname: value }],
      ['PUT', user, { profile_url: value }],
      ['PUT', user, { is_active: isOn, leave_all_when_deactivated: deed % 3 === 0 }],
      ['PUT', `${user}/metadata`, { metadata: { team: value }, upsert: true }],
      ['DELETE', `${user}/metadata/${encodeURIComponent('a/b')}`],
      ['DELETE', `${user}/metadata`],
      ['PUT', user, { preferred_languages: ['de'] }],
      ['DELETE', user],
    ];
  }
  const isGroup = kindOf(address) === 'group_channel';
  const channel = `/${isGroup ? 'group' : 'open'}_channels/${key}`;
  const shared: readonly Call[] = [
    ['PUT', channel, { name: value }],
    ['PUT', channel, { cover_url: value }],
    ['PUT', channel, { custom_type: value }],
    ['PUT', channel, { data: value }],
    ['PUT', `${channel}/freeze`, { freeze: isOn }],
    ['POST', `${channel}/operators`, { operator_ids: [person] }],
    ['DELETE', `${channel}/operators`, undefined, { operator_ids: person }],
    ['DELETE', `${channel}/operators`, undefined, { delete_all: 'true' }],
    ['POST', `${channel}/metadata`, { metadata: { theirs: value } }],
    ['DELETE', channel],
  ];
  if (!isGroup) return shared;
  return [
    ...shared,
    ['PUT', channel, { is_public: isOn }],
    ['POST', `${channel}/invite`, { user_ids: [person] }],
    ['PUT', `${channel}/leave`, { user_ids: [person] }],
    ['PUT', `${channel}/leave`, { user_ids: [person] }],
    ['PUT', `${channel}/hide`, { user_id: person, allow_auto_unhide: isOn }],
    ['PUT', `${channel}/accept`, { user_id: person }],
    ['PUT', `${channel}/decline`, { user_id: person }],
  ];
}
