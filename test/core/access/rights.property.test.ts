// Compares rights with what the emulator lets a user do, for any small application. The emulator shares no code with the client.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rulingsIn } from '../../../src/core/access/rights.ts';
import { rights } from '../../../src/core/model/access/access.ts';
import { type Address, addressOf, keyOf } from '../../../src/core/model/address.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../src/lib/json.ts';
import { resources } from '../../support/planning/planning.ts';
import { nowMs } from '../../support/planning/strict-platform.ts';
import { inSuite } from '../../support/suite.ts';
import { Rig } from '../refresh/support/rig.ts';

const users = ['ann', 'ben', 'cem', 'dee'] as const;
const flag = fc.option(fc.boolean(), { nil: undefined });
const seldom = fc.constantFrom(undefined, undefined, false, true);
const line = fc.constantFrom<JsonObject>({}, { until: '2030-01-01T00:00:00.000Z' });

/** What a user is to a channel or to a custom type. A banned user is neither a member nor an operator (semantics §1.9). */
const role = fc.constantFrom('none', 'none', 'member', 'member', 'operator', 'muted', 'banned', 'invited');
const roles = fc.tuple(role, role, role, role);

function peopleOf(found: readonly string[], lines: JsonObject, hasMembers: boolean): JsonObject {
  const named = (...wanted: readonly string[]) => users.filter((_, at) => wanted.includes(found[at] ?? ''));
  const map = (ids: readonly string[], value: JsonObject) => Object.fromEntries(ids.map((id) => [id, value]));
  const members = {
    ...map(named('member', 'operator', 'muted'), {}),
    ...map(named('invited'), { invitation_status: 'invited_by_friend' }),
  };
  return {
    ...(hasMembers ? { members: Object.keys(members).length === 0 ? { ann: {} } : members } : {}),
    operators: named('operator'),
    ...(hasMembers && Object.keys(members).length === 0 ? {} : { banned: map(named('banned'), lines) }),
    muted: map(named('muted'), lines),
  };
}

const user = fc.record(
  { nickname: fc.constant('N'), deactivated: seldom, auto_accept: flag },
  { requiredKeys: ['nickname'] },
);
const custom_type = fc.constantFrom(undefined, 'sales');
const groupChannel = fc
  .tuple(roles, line, fc.record({ custom_type, is_public: flag, frozen: flag, block_sdk_user_channel_join: flag }))
  .map(([found, lines, rest]) => defined({ ...peopleOf(found, lines, true), ...rest }));
const openChannel = fc
  .tuple(roles, line, fc.record({ custom_type, frozen: flag }))
  .map(([found, lines, rest]) => defined({ ...peopleOf(found, lines, false), ...rest }));

function defined(block: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(block).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** `type` comes later, because a ban of a custom type refuses invitations. */
const application = fc.record({
  user: fc
    .tuple(user, user, user, user)
    .map((found) => Object.fromEntries(users.map((id, at) => [id, defined(found[at] ?? {})]))),
  group_channel: fc.record({ room: groupChannel, club: groupChannel }),
  open_channel: fc.record({ hall: openChannel }),
  type: fc.tuple(roles, line).map(([found, lines]) => ({ allow_links: true, ...peopleOf(found, lines, false) })),
});

/** What the emulator lets a user do. Listing changes nothing, so it comes before joining and writing. */
function tryAs(rig: Rig, userId: string, channel: Address, blocksJoin: boolean): Readonly<Record<string, boolean>> {
  const isOpen = channel.startsWith('open_channel.');
  const path = `/${isOpen ? 'open' : 'group'}_channels/${keyOf(channel)}`;
  const ask = (method: 'GET' | 'PUT' | 'POST', route: string, body?: JsonObject): JsonObject | undefined => {
    const answer = rig.answer({ method, route, ...(body === undefined ? {} : { body }) });
    return answer.type === 'ok' ? answer.body : undefined;
  };
  if (ask('GET', `/users/${userId}`)?.is_active !== true) return {};
  const type = ask('GET', path)?.custom_type;
  const operated = [path, ...(type === '' ? [] : [`/applications/settings_by_channel_custom_type/${String(type)}`])];
  const isOperator = operated.some((place) => {
    const listed = ask('GET', `${place}/operators`)?.operators;
    return Array.isArray(listed) && listed.some((one) => isObject(one) && one.user_id === userId);
  });
  const standing = () => ask('GET', `${path}/members/${userId}`)?.state;
  // Joining by this call is for servers. The emulator has no client that is kept from joining.
  if (!isOpen && standing() === 'none' && !blocksJoin) ask('PUT', `${path}/join`, { user_id: userId });
  const message = { message_type: 'MESG', user_id: userId, message: 'hello' };
  const isBanned = ask('GET', `${path}/ban/${userId}`) !== undefined || isBannedByType();
  const isInside = isOpen ? !isBanned : standing() === 'joined';
  const isSent = isInside && ask('POST', `${path}/messages`, message) !== undefined;
  return { read: isInside, write: isSent, moderate: isInside && isOperator };

  function isBannedByType(): boolean {
    const listed =
      type === '' ? [] : ask('GET', `/applications/settings_by_channel_custom_type/${String(type)}/ban`)?.banned_list;
    return (
      Array.isArray(listed) && listed.some((ban) => isObject(ban) && isObject(ban.user) && ban.user.user_id === userId)
    );
  }
}

const verdicts = ['by_entering', 'no', 'not_known', 'yes'];

test('whoever may do something by the declarations can do it, and nobody else', async () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(application, ({ type, ...sections }) => {
      const rig = new Rig();
      rig.apply(resources(sections));
      rig.apply(resources({ ...sections, custom_type: { sales: type } }));
      const objectNamed = (address: Address) => ({ address, attributes: rig.state.get(address)?.attributes });
      for (const id of users) {
        for (const address of ['group_channel.room', 'group_channel.club', 'open_channel.hall'] as const) {
          const channel = objectNamed(address);
          const { custom_type: ofType, block_sdk_user_channel_join: blocksJoin } = channel.attributes ?? {};
          const found = rulingsIn({
            channel,
            type: ofType === 'sales' ? objectNamed('custom_type.sales') : undefined,
            person: objectNamed(addressOf('user', id)),
            userId: id,
            nowMs,
          });
          const tried = tryAs(rig, id, address, blocksJoin === true);
          for (const right of rights) {
            const { verdict, because } = found[right];
            const [first] = because;
            const ground = `${verdict} ${first?.code}`;
            seen.add(ground);
            if (verdict === 'not_known') continue;
            expect(verdict !== 'no', `${id} ${right} ${address}: ${ground}`).toBe(tried[right] === true);
          }
        }
      }
    }),
    { numRuns: inSuite(40, 1_500) },
  );
  expect([...new Set([...seen].map((ground) => ground.split(' ')[0]))].sort()).toEqual(verdicts);
});
