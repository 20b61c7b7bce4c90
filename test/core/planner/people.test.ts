// Tests what plans say about people: each effect on its own, grouped by the fewer of people and places.
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../../src/core/model/plan.ts';
import type { Policy } from '../../../src/core/model/policy.ts';
import { peopleLines } from '../../../src/core/view/summary/people.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { openPolicy, planFor, resources, stateAfter } from '../../support/planning/planning.ts';

type Blocks = Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;

const user = (ids: string, more: JsonObject = {}): Readonly<Record<string, JsonObject>> =>
  Object.fromEntries(ids.split(' ').map((id) => [id, { nickname: id, ...more }]));
const members = (ids: string): JsonObject => Object.fromEntries(ids.split(' ').map((id) => [id, {}]));
const rooms = (count: number, block: JsonObject): Readonly<Record<string, JsonObject>> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`room-${at + 1}`, block]));

function planBetween(before: Blocks, after: Blocks, appliedOn = '2026-06-01', more: Partial<Policy> = {}): Plan {
  const first = planFor(resources(before), new Map(), { today: appliedOn });
  expect(first.problems).toEqual([]);
  return planFor(resources(after), stateAfter(new Map(), first.plan.steps), { policy: { ...openPolicy, ...more } })
    .plan;
}

function linesOf({ people }: Plan): string[] {
  return (people?.effects ?? []).flatMap((effect) =>
    [...peopleLines(effect)].map(({ text, names, more }) =>
      [text, ...names, ...(more > 0 ? [`+${more}`] : [])].join('|'),
    ),
  );
}

const users = user('ann ben cem eve');
const room = { members: members('ann ben') };

const restricting = {
  calm: { allow_links: true },
  strict: { allow_links: true, banned: { ben: {} }, muted: { ann: {} } },
};

const cases: Readonly<Record<string, readonly [Blocks, Blocks, readonly string[], string?]>> = {
  'a plan that changes nothing for people says nothing': [
    { user: users },
    { user: { ...users, ann: { nickname: 'Anna' } } },
    [],
  ],
  'the last declared operator of two channels': [
    { user: users, group_channel: rooms(2, { ...room, operators: ['ann'] }) },
    { user: users, group_channel: rooms(2, { ...room, operators: [] }) },
    [
      'ann no longer moderates 2 channels|room-1|room-2',
      'no declared operator is left to moderate 2 channels|room-1|room-2',
    ],
  ],
  'one of two operators': [
    { user: users, open_channel: { hall: { name: 'Hall', operators: ['ann', 'ben'] } } },
    { user: users, open_channel: { hall: { name: 'Hall', operators: ['ben'] } } },
    ['ann no longer moderates hall'],
  ],
  'push notifications that are switched off, also where nothing was declared': [
    { user: users },
    { user: users, settings: { application: { push_enabled: false } } },
    ['nobody gets push notifications any more'],
  ],
  'a new user gains nothing by that alone': [{}, { user: users }, []],
  'one person in many channels': [
    { user: users, group_channel: rooms(14, { members: members('ann') }) },
    { user: users, group_channel: rooms(14, room) },
    [
      `ben can newly read 14 channels|${Array.from({ length: 10 }, (_, at) => [1, 10, 11, 12, 13, 14, 2, 3, 4, 5][at])
        .map((at) => `room-${at}`)
        .join('|')}|+4`,
    ],
  ],
  'several people in one channel': [
    { user: users, group_channel: { desk: { members: members('ann ben cem') } } },
    { user: users, group_channel: { desk: { members: members('ann') } } },
    ['2 people lose access to desk|ben|cem'],
  ],
  'an operator': [
    { user: users, group_channel: { desk: room } },
    { user: users, group_channel: { desk: { ...room, operators: ['ann'] } } },
    ['ann newly moderates desk'],
  ],
  'a mute, and its end': [
    { user: users, group_channel: { desk: { ...room, muted: { ann: {} } } } },
    { user: users, group_channel: { desk: { ...room, muted: { ben: {} } } } },
    ['ann can newly write in desk', 'ben can no longer write in desk'],
  ],
  'a freeze spares operators': [
    { user: users, group_channel: { desk: { ...room, operators: ['ann'] } } },
    { user: users, group_channel: { desk: { ...room, operators: ['ann'], frozen: true } } },
    ['ben can no longer write in desk'],
  ],
  'a freeze of an open channel concerns everybody': [
    { user: users, open_channel: { hall: {} } },
    { user: users, open_channel: { hall: { frozen: true } } },
    ['anybody can no longer write in hall'],
  ],
  'a public channel is open to everybody': [
    { user: users, group_channel: { desk: room } },
    { user: users, group_channel: { desk: { ...room, is_public: true } } },
    ['anybody can newly read desk'],
  ],
  'an invitation that has to be accepted is not known': [
    { user: users, group_channel: { desk: room } },
    {
      user: users,
      group_channel: { desk: { members: { ...room.members, cem: { invitation_status: 'invited_by_friend' } } } },
    },
    ['cem may be able to read (not known) desk'],
  ],
  'a ban': [
    { user: users, group_channel: { desk: room } },
    { user: users, group_channel: { desk: { members: members('ann'), banned: { ben: {} } } } },
    ['ben loses access to desk'],
  ],
  'a deletion': [
    { user: users, group_channel: { desk: { ...room, lifecycle: { on_remove: 'delete' } } } },
    { user: users },
    ['2 people lose access to desk|ann|ben'],
  ],
  'forgetting changes nothing': [
    { user: users, group_channel: { desk: { ...room, lifecycle: { on_remove: 'forget' } } } },
    { user: users },
    [],
  ],
  'a deactivated user, who does not count in channels as well': [
    { user: users, group_channel: { desk: room } },
    { user: { ...users, ...user('ben', { deactivated: true }) }, group_channel: { desk: { ...room, frozen: true } } },
    ['ann can no longer write in desk', 'ben can no longer connect'],
  ],
  'a reactivated user': [
    { user: { ...users, ...user('ben', { deactivated: true }) } },
    { user: { ...users, ...user('ben', { deactivated: false }) } },
    ['ben can connect again'],
  ],
  'operators and mutes of a custom type': [
    { user: users, custom_type: { sales: { allow_links: true } } },
    { user: users, custom_type: { sales: { allow_links: true, operators: ['ann'], muted: { ben: {} } } } },
    [
      'ben can no longer write in every channel of the custom type sales',
      'ann newly moderates every channel of the custom type sales',
    ],
  ],
  'a member who accepts invitations by hand is not known': [
    { user: { ...users, ...user('cem', { auto_accept: false }) }, group_channel: { desk: room } },
    {
      user: { ...users, ...user('cem', { auto_accept: false }) },
      group_channel: { desk: { members: members('ann ben cem') } },
    },
    ['cem may be able to read (not known) desk'],
  ],
  'another preference for invitations': [
    { user: { ...users, ...user('ben', { auto_accept: false }) } },
    { user: { ...user('ann', { auto_accept: false }), ...user('ben', { auto_accept: true }), ...user('cem eve') } },
    [
      'ben can newly enter channels by invitation alone, without accepting it',
      'ann can no longer enter channels by invitation alone, without accepting it',
    ],
  ],
  'an access code that is new, and another one': [
    {
      user: users,
      group_channel: {
        desk: { ...room, is_public: true },
        club: { ...room, is_public: true, access_code: { env: 'CODE', revision: 1 } },
      },
    },
    {
      user: users,
      group_channel: {
        desk: { ...room, is_public: true, access_code: { env: 'CODE', revision: 1 } },
        club: { ...room, is_public: true, access_code: { env: 'CODE', revision: 2 } },
      },
    },
    ['anybody can no longer enter 2 channels without its new access code|club|desk'],
  ],
  'another custom type of an open channel, whose people no line of the channel names': [
    { user: users, custom_type: restricting, open_channel: { hall: { custom_type: 'calm' } } },
    { user: users, custom_type: restricting, open_channel: { hall: { custom_type: 'strict' } } },
    ['ben loses access to hall', 'ann can no longer write in hall'],
  ],
  'an open channel that leaves a custom type': [
    { user: users, custom_type: restricting, open_channel: { hall: { custom_type: 'strict' } } },
    { user: users, custom_type: restricting, open_channel: { hall: { custom_type: 'calm' } } },
    ['ben can newly read hall', 'ann can newly write in hall'],
  ],
  'a ban of a custom type that ends': [
    { user: users, custom_type: restricting },
    { user: users, custom_type: { ...restricting, strict: { allow_links: true, muted: { ann: {} } } } },
    ['ben can newly enter every channel of the custom type strict'],
  ],
  'a mute of a custom type that ended and is imposed again': [
    { user: users, custom_type: { sales: { allow_links: true, muted: { ann: { until: '2026-03-02T00:00:00Z' } } } } },
    { user: users, custom_type: { sales: { allow_links: true, muted: { ann: {} } } } },
    ['ann can no longer write in every channel of the custom type sales'],
    '2026-03-01',
  ],
  'a deactivated operator of a custom type gains nothing': [
    { user: { ...users, ...user('ben', { deactivated: true }) }, custom_type: { sales: { allow_links: true } } },
    {
      user: { ...users, ...user('ben', { deactivated: true }) },
      custom_type: { sales: { allow_links: true, operators: ['ben'] } },
    },
    [],
  ],
  'mutes that a custom type no longer declares, in a channel that opens in the same plan': [
    {
      user: users,
      custom_type: { sales: { allow_links: true, muted: { ben: {} } } },
      group_channel: { desk: { ...room, custom_type: 'sales', frozen: true } },
    },
    {
      user: users,
      custom_type: { sales: { allow_links: true } },
      group_channel: { desk: { ...room, custom_type: 'sales', frozen: false } },
    },
    ['ben can newly write in 2 channels|desk|every channel of the custom type sales', 'ann can newly write in desk'],
  ],
  'bots are not people': [
    {
      user: users,
      bot: { helper: { bot_nickname: 'H', bot_type: 't', bot_callback_url: 'https://a.example' } },
      group_channel: { desk: room },
    },
    {
      user: users,
      bot: { helper: { bot_nickname: 'H', bot_type: 't', bot_callback_url: 'https://a.example' } },
      group_channel: { desk: { members: { ...room.members, helper: {} } } },
    },
    [],
  ],
};

describe('says what changes', () => {
  test.for(Object.entries(cases))('%s', ([, [before, after, says, appliedOn]]) => {
    expect(linesOf(planBetween(before, after, appliedOn))).toEqual(says);
  });
});

test('is not sure of users of others', () => {
  const policy = { external: { users: ['ext'] } };
  const linesBetween = (before: JsonObject, after: JsonObject) =>
    linesOf(
      planBetween(
        { user: users, group_channel: { desk: { ...room, ...before } } },
        { user: users, group_channel: { desk: { ...room, ...after } } },
        undefined,
        policy,
      ),
    );
  const joined = { members: members('ann ben ext') };
  expect(linesBetween({}, joined)).toEqual(['ext may be able to read (not known) desk']);
  expect(linesBetween(joined, {})).toEqual(['ext loses access to desk']);
  expect(linesBetween(joined, { ...joined, operators: ['ext'] })).toEqual([
    'ext may be able to moderate (not known) desk',
  ]);
  expect(linesBetween(joined, { ...joined, muted: { ext: {} } })).toEqual(['ext can no longer write in desk']);
  expect(linesBetween({ ...joined, muted: { ext: {} } }, joined)).toEqual([
    'ext may be able to write in (not known) desk',
  ]);
});

test('counts what rules may ask for', () => {
  const after = { user: users, open_channel: { hall: {} }, group_channel: rooms(3, room) };
  expect(planBetween({ user: users }, after).people?.counts).toEqual({ newly_read: 2, anybody_newly_read: 1 });
});

test('counts people and channels that are too many to list', () => {
  const many = Array.from({ length: 1_100 }, (_, at) => `user-${at}`);
  const all = { user: Object.fromEntries(many.map((id) => [id, { nickname: id }])) };
  const after = {
    ...all,
    group_channel: Object.fromEntries(many.map((id) => [`room-of-${id}`, { members: { [id]: {} } }])),
  };
  const plan = planBetween(all, after);
  expect(linesOf(plan)).toEqual(['1,100 people can newly read 1,100 channels, too many to list']);
  expect(plan.people?.counts).toEqual({ newly_read: 1_100 });
});
