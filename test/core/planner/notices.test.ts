// Tests what plans say that people notice, and the limit of the policy.
import { describe, expect, test } from 'vitest';
import type { Policy } from '../../../src/core/model/policy.ts';
import type { JudgedPlan } from '../../../src/core/planner/judges/judge.ts';
import { noticeLines } from '../../../src/core/view/summary/notices.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { noLeaveMessages } from '../../support/leave-reasons.ts';
import { openPolicy, planFor, resources, stateAfter } from '../../support/planning/planning.ts';

type Blocks = Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;

const users = Object.fromEntries(['ann', 'ben', 'cem'].map((id) => [id, { nickname: id }]));
const off = {
  user_leave: noLeaveMessages,
  user_join: { user_join: false },
  channel_create: { public_channel: false, private_channel: false },
  channel_change: { channel_change: false },
};
const quiet = { application: { auto_event_message: off } };
const loud = {
  application: {
    auto_event_message: { ...off, user_join: { user_join: true }, channel_change: { channel_change: true } },
  },
};
const room = { members: { ann: {}, ben: {} } };
const larger = { members: { ...room.members, cem: {} } };

function judgedBetween(before: Blocks, after: Blocks, policy: Partial<Policy> = {}): JudgedPlan {
  const first = planFor(resources(before));
  expect(first.problems).toEqual([]);
  return planFor(resources(after), stateAfter(new Map(), first.plan.steps), { policy: { ...openPolicy, ...policy } });
}

const cases: Readonly<Record<string, readonly [Blocks, Blocks, readonly string[]]>> = {
  'users and open channels are not noticed': [{}, { user: users, open_channel: { hall: {} } }, []],
  'a new channel appears in the lists of its members': [
    { user: users, settings: quiet },
    { user: users, settings: quiet, group_channel: { desk: room } },
    ['2 people see a new channel in their list'],
  ],
  'a channel that begins hidden does not': [
    { user: users, settings: quiet },
    {
      user: users,
      settings: quiet,
      group_channel: { desk: { members: { ann: { hidden_status: 'hidden_prevent_auto_unhide' } } } },
    },
    [],
  ],
  'event messages that are declared on': [
    { user: users, settings: loud, group_channel: { desk: room } },
    { user: users, settings: loud, group_channel: { desk: larger } },
    ['1 person sees a new channel in their list', '3 people see at least 1 message'],
  ],
  'a new name, with event messages on': [
    { user: users, settings: loud, group_channel: { desk: { ...room, name: 'a' } } },
    { user: users, settings: loud, group_channel: { desk: { ...room, name: 'b' } } },
    ['2 people see at least 1 message'],
  ],
  'edits that mean anything for people, with event messages on': [
    { user: users, settings: loud, group_channel: { desk: { ...room, is_public: true } } },
    {
      user: users,
      settings: loud,
      group_channel: {
        desk: {
          ...room,
          is_public: true,
          access_code: { env: 'CODE', revision: 1 },
          operators: ['ann'],
          muted: { ben: {} },
          metadata: { a: 'b' },
          frozen: true,
        },
      },
    },
    ['2 people see at least 1 message', 'Not known: event messages of 4 calls,'],
  ],
  'edits that mean anything for people, whose switch is not declared': [
    { user: users, group_channel: { desk: room } },
    { user: users, group_channel: { desk: { ...room, frozen: true } } },
    ['Not known: event messages of 1 call,'],
  ],
  'a new name, with event messages off': [
    { user: users, settings: quiet, group_channel: { desk: { ...room, name: 'a' } } },
    { user: users, settings: quiet, group_channel: { desk: { ...room, name: 'b' } } },
    [],
  ],
  'event messages whose switch is not declared are not known': [
    { user: users, group_channel: { desk: larger } },
    { user: users, group_channel: { desk: room } },
    ['Not known: event messages of 1 call,'],
  ],
  'a hidden channel that appears again': [
    {
      user: users,
      settings: quiet,
      group_channel: { desk: { members: { ann: { hidden_status: 'hidden_prevent_auto_unhide' } } } },
    },
    { user: users, settings: quiet, group_channel: { desk: { members: { ann: {} } } } },
    ['1 person sees a hidden channel again'],
  ],
  'a freeze and its end': [
    { user: users, settings: quiet, group_channel: { desk: { ...room, frozen: true } } },
    { user: users, settings: quiet, group_channel: { desk: { ...room, frozen: false } } },
    [],
  ],
};

describe('says what people notice', () => {
  test.for(Object.entries(cases))('%s', ([, [before, after, says]]) => {
    const { notices } = judgedBetween(before, after).plan;
    const lines = notices === undefined ? [] : noticeLines(notices);
    expect(lines.map((line, at) => line.startsWith(says[at] ?? '?'))).toEqual(says.map(() => true));
    expect(lines).toHaveLength(says.length);
  });
});

describe('policy.notify', () => {
  const before = { user: users, settings: quiet };
  const after = { ...before, group_channel: { desk: room, club: room } };
  const refusalsOf = (policy: Partial<Policy>) => judgedBetween(before, after, policy).refusals;

  test('refuses a plan of which more people notice something', () => {
    const [refusal] = refusalsOf({ notify: { at_most: 1 } });
    expect(refusal).toMatchObject({ code: 'safety.notify', acknowledge: { effect: 'people.notify', count: 2 } });
    expect(refusal?.detail).toContain('2 people would notice something, and policy.notify allows 1.');
  });

  test.for<[string, Partial<Policy>]>([
    ['as many people as it allows', { notify: { at_most: 2 } }],
    ['an acknowledged number', { notify: { at_most: 0 }, acknowledge: [{ effect: 'people.notify', count: 2 }] }],
    ['no limit', {}],
  ])('lets %s pass', ([, policy]) => {
    expect(refusalsOf(policy)).toEqual([]);
  });

  test('refuses an acknowledgement of another number', () => {
    const found = refusalsOf({ notify: { at_most: 0 }, acknowledge: [{ effect: 'people.notify', count: 3 }] });
    expect(found.map(({ code }) => code)).toEqual(['safety.notify']);
  });
});
