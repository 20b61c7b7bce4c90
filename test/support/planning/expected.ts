// Support: what an estate looks like when it has been reached, in state and on the platform.

import { isObject, type JsonObject, type JsonValue } from '../../../src/lib/json.ts';
import { type Address, keyOf, kindOf } from '../../../src/model/address.ts';
import type { StateRecord } from '../../../src/model/record.ts';
import type { Resource } from '../../../src/model/resource.ts';
import { idsOf, mapOf, textOf } from '../../../src/resources/values.ts';
import type { IdealPlatform } from './ideal-platform.ts';
import { kindNamed, rememberedOf, withoutEmpty } from './planning.ts';

type State = ReadonlyMap<Address, StateRecord>;

/** Each way in which state is not what was declared: other attributes, other marks, or an object that is not retired. */
export function stateFaults(desired: readonly Resource[], state: State): string[] {
  const faults: string[] = [];
  const expectEqual = (what: string, actual: unknown, expected: unknown) => {
    if (canonical(actual) !== canonical(expected)) {
      faults.push(`${what} is ${canonical(actual)}, not ${canonical(expected)}`);
    }
  };
  const declared = new Map(desired.map((resource) => [resource.address, resource]));
  for (const [address, record] of state) {
    const { address: _address, attributes, lifecycle, ...marks } = record;
    const resource = declared.get(address);
    if (resource === undefined) {
      // People who were deleted, perhaps.
      const { unsure_of: _people, ...others } = marks;
      expectEqual(`the marks of ${address}`, others, { retired: true });
      expectEqual(`the end of ${address}`, attributes[kindNamed(kindOf(address)).disabledState.attribute], true);
      continue;
    }
    expectEqual(`the marks of ${address}`, marks, {});
    expectEqual(`the lifecycle of ${address}`, lifecycle ?? {}, resource.lifecycle);
    expectEqual(address, withoutEmpty(attributes), { ...keptOf(record), ...rememberedOf(resource) });
  }
  for (const address of declared.keys()) if (!state.has(address)) faults.push(`${address} is not in state`);
  return faults;
}

/** What state keeps though its line is gone. */
function keptOf({ address, attributes }: StateRecord): JsonObject {
  const definitions = kindNamed(kindOf(address)).attributes;
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => definitions[name]?.removed.how === 'keep'));
}

/** Each way in which the platform is not what was declared; of retired objects, that they are closed. */
export function platformFaults(desired: readonly Resource[], state: State, platform: IdealPlatform): string[] {
  const faults: string[] = [];
  const expectEqual = (what: string, actual: unknown, expected: unknown) => {
    if (canonical(actual) !== canonical(expected)) {
      faults.push(`${what} is ${canonical(actual)}, not ${canonical(expected)}`);
    }
  };
  const declared = new Map(desired.map(({ address, attributes }) => [address, attributes]));
  for (const address of state.keys()) {
    const attributes = declared.get(address);
    const key = keyOf(address);
    if (kindOf(address) === 'user') {
      const user = platform.users.get(key);
      expectEqual(`${address} active`, user?.active, attributes !== undefined && attributes.deactivated !== true);
      if (attributes === undefined || user === undefined) continue;
      expectEqual(`${address} nickname`, user.nickname, attributes.nickname);
      expectEqual(`${address} profile_url`, user.profile_url, textOf(attributes, 'profile_url') ?? '');
      expectEqual(`${address} metadata`, Object.fromEntries(user.metadata), attributes.metadata ?? {});
      if (attributes.issue_access_token !== undefined && user.accessTokens === 0)
        faults.push(`${address} has no token`);
      if (attributes.session_token !== undefined && user.sessionTokens === 0) faults.push(`${address} has no session`);
      continue;
    }
    // Nobody knows what they were before, and what is released stays.
    if (kindOf(address) === 'settings') continue;
    if (kindOf(address) === 'bot') {
      const bot = Object.fromEntries(platform.users.get(key)?.bot ?? []);
      for (const [name, value] of Object.entries({ ...neutralBot, ...attributes })) {
        expectEqual(`${address} ${name}`, bot[name] ?? neutralBot[name], value);
      }
      continue;
    }
    const room = platform.rooms.get(key);
    expectEqual(`${address} frozen`, room?.freeze, attributes === undefined || attributes.frozen === true);
    if (attributes === undefined || room === undefined) continue;
    for (const [name, neutral] of Object.entries(neutralFields)) {
      const wanted = attributes[name] ?? neutral;
      // A released supergroup that is declared false later cannot be told from a plain channel without a refresh.
      if (name === 'is_super' && wanted === false) continue;
      if (wanted !== undefined) expectEqual(`${address} ${name}`, room.fields.get(name) ?? neutral, wanted);
    }
    expectEqual(`${address} metadata`, Object.fromEntries(room.metadata), attributes.metadata ?? {});
    for (const name of ['banned', 'muted'] as const) {
      expectEqual(`${address} ${name}`, [...room[name].keys()].sort(), Object.keys(mapOf(attributes, name)).sort());
      for (const [id, { until }] of room[name]) {
        expectEqual(`${address} ${name} ${id}`, until, textOf(mapOf(mapOf(attributes, name), id), 'until'));
      }
    }
    expectEqual(`${address} operators`, [...room.operators].sort(), idsOf(attributes, 'operators'));
    if (room.kind === 'open') continue;
    expectEqual(`${address} members`, membershipsOf(room.members), declaredMemberships(attributes));
  }
  const known = [...state.keys()].filter((address) => kindOf(address) !== 'settings').map(keyOf);
  known.sort();
  expectEqual('what exists', [...platform.users.keys(), ...platform.rooms.keys()].sort(), known);
  return faults;
}

/** What an attribute that was taken back has become; `undefined`: whatever it was. */
const neutralFields: Readonly<Record<string, JsonValue | undefined>> = {
  name: undefined,
  cover_url: undefined,
  custom_type: '',
  data: '',
  is_public: false,
  is_super: undefined,
  is_ephemeral: undefined,
};

const neutralBot: JsonObject = {
  bot_profile_url: '',
  is_privacy_mode: false,
  enable_mark_as_read: true,
  show_member: false,
  channel_invitation_preference: 0,
};

function membershipsOf(members: ReadonlyMap<string, { readonly state: string; readonly hidden: string }>) {
  return Object.fromEntries([...members].map(([id, { state, hidden }]) => [id, `${state} ${hidden}`]));
}

function declaredMemberships(attributes: JsonObject) {
  return Object.fromEntries(
    Object.entries(mapOf(attributes, 'members')).map(([id, line]) => {
      const { invitation_status, hidden_status = 'unhidden' } = isObject(line) ? line : {};
      return [id, `${invitation_status === undefined ? 'joined' : 'invited'} ${String(hidden_status)}`];
    }),
  );
}

function canonical(value: unknown): string {
  const sorted = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.map(sorted);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.entries(inner)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, part]) => [name, sorted(part)]);
  };
  return JSON.stringify(sorted(value)) ?? 'undefined';
}
