// Tests the order of semantics §3, rule by rule: what each step waits for, and that it waits for nothing else.
import { expect, test } from 'vitest';
import type { Policy } from '../../../../src/core/model/policy.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { planFor, resources, stateOf } from '../../../support/planning/planning.ts';
import { expectPlans, type Given } from '../support/plans.ts';

type Blocks = Parameters<typeof resources>[0];

const n = { nickname: 'N' };
const off = { ...n, deactivated: true };
const bot = { bot_nickname: 'B', bot_type: 'b', bot_callback_url: 'https://bots.acme.example' };
const two = { alice: n, bob: n };
const members = (...ids: readonly string[]): JsonObject => ({ members: Object.fromEntries(ids.map((id) => [id, {}])) });
const hides = (status: string): JsonObject => ({ hidden_status: status });

function given(before: Blocks, after: Blocks, on_remove: Policy['on_remove'] = {}): Given {
  return { desired: resources(after), state: stateOf(resources(before)), policy: { on_remove } };
}

const rules: Readonly<Record<string, Given>> = {
  'users before the channels that name them, and only those': given(
    {},
    {
      user: { ...two, carol: n },
      group_channel: { room: { ...members('alice'), inviter_id: 'bob' }, other: members('carol') },
      open_channel: { hall: { operators: ['bob'] }, empty: {} },
    },
  ),
  'users before the invitations and operators that name them': given(
    { user: { alice: n }, group_channel: { room: members('alice') }, open_channel: { hall: {} } },
    {
      user: two,
      group_channel: { room: { ...members('alice', 'bob'), operators: ['bob'] } },
      open_channel: { hall: { operators: ['bob'] } },
    },
  ),
  'freezing and deactivating come last in a creation': given(
    {},
    { user: { alice: off }, group_channel: { room: { ...members('alice'), frozen: true } } },
  ),
  'cancelled and left, then deactivated': given(
    { user: two, group_channel: { room: { ...members('alice', 'bob'), operators: ['bob'] } } },
    { user: { alice: n, bob: off }, group_channel: { room: members('alice') } },
  ),
  'a removed user leaves before he is retired': given(
    { user: two, group_channel: { room: members('alice', 'bob') } },
    { user: { alice: n }, group_channel: { room: members('alice') } },
  ),
  'a removed user leaves and loses his rights before he is deleted': given(
    {
      user: two,
      group_channel: { room: members('alice', 'bob') },
      open_channel: { hall: { operators: ['bob'] } },
    },
    { user: { alice: n }, group_channel: { room: members('alice') }, open_channel: { hall: {} } },
    { user: 'delete' },
  ),
  'channels are deleted before the users that they name, and only those': given(
    { user: two, group_channel: { room: members('alice') } },
    {},
    { user: 'delete', group_channel: 'delete' },
  ),
  'reactivated before he is invited, made to leave, hidden': given(
    { user: { alice: off, bob: off }, group_channel: { room: members('bob'), other: members('bob') } },
    {
      user: two,
      group_channel: { room: members('alice'), other: { members: { bob: hides('hidden_allow_auto_unhide') } } },
    },
  ),
  'rights go before the user who had them is let in again': given(
    { user: { bob: off }, open_channel: { hall: { operators: ['bob'] } } },
    { user: { bob: n }, open_channel: { hall: {} } },
  ),
  'a channel opens after who may not be in it is out': given(
    { user: two, group_channel: { room: { ...members('alice', 'bob'), operators: ['bob'], frozen: true } } },
    { user: two, group_channel: { room: members('alice') } },
  ),
  'users accept invitations as declared before they are added, and get the default of the application': given(
    { bot: { helper: bot }, user: { bob: off }, group_channel: { room: members('bob') } },
    {
      settings: {
        application: {
          all_channels: { display_past_message: true },
          default_channel_invitation_preference: { auto_accept: false },
          push_enabled: false,
        },
      },
      bot: { helper: { ...bot, channel_invitation_preference: 1 } },
      user: { alice: { ...n, auto_accept: true }, bob: { ...n, auto_accept: false }, carol: n },
      group_channel: { room: members('alice', 'bob', 'helper'), other: members('alice', 'bob', 'carol') },
    },
  ),
  'a channel freezes after its members came and hid': given(
    { user: two, group_channel: { room: members('alice') } },
    {
      user: two,
      group_channel: { room: { members: { alice: hides('hidden_prevent_auto_unhide'), bob: {} }, frozen: true } },
    },
  ),
};

test('each step waits for what it needs, and for nothing else', async () => {
  await expectPlans('order', rules);
});

const estate = (bob: JsonObject, ...ids: readonly string[]): Blocks => ({
  user: { alice: n, bob },
  group_channel: { room: members(...ids), other: members(...ids) },
});
const inBoth = estate(off, 'alice', 'bob');

/** The channel and Bob are retired, in a state that has both. */
const apart = new Map(stateOf(resources({ user: two, group_channel: { room: members('alice', 'bob') } })));
for (const { address, attributes } of [...apart.values()].filter((record) => record.address !== 'user.alice')) {
  const end = address === 'user.bob' ? { deactivated: true } : { frozen: true };
  apart.set(address, { address, attributes: { ...attributes, ...end }, retired: true });
}

test('a disabled user is reopened for work, and disabled again however the work ends', async () => {
  const alice = resources({ user: { alice: n } });
  expect(planFor(alice, apart).plan.steps).toEqual([]);
  await expectPlans('reopening', {
    'a deactivated member leaves two channels': given(inBoth, estate(off, 'alice')),
    'a deactivated member is invited': given(estate(off, 'alice'), inBoth),
    'a retired user leaves a channel that is declared again': {
      desired: [...alice, ...resources({ group_channel: { room: members('alice') } })],
      state: apart,
    },
    'a target needs it: nothing else is planned': {
      ...given(inBoth, estate({ ...off, nickname: 'Robert' }, 'alice')),
      targets: ['group_channel.room'],
    },
    'a user who is reactivated needs no reopening': given(inBoth, estate(n, 'alice')),
  });
});
