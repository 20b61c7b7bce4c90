// Tests schedules that once broke the promise, as the shrinker found them.
import { expect, test } from 'vitest';
import type { Estate, Section } from './support/estates.ts';
import { play } from './support/play.ts';
import { abandoned, calm, kill, type Scenario, type Stage, stage } from './support/scenario.ts';

/** Users by nickname, group channels by their members, and the rest of the estate. */
function estate(user: Section, members: Readonly<Record<string, Section>> = {}, rest: Partial<Estate> = {}): Estate {
  const group_channel = Object.fromEntries(Object.entries(members).map(([url, lines]) => [url, { members: lines }]));
  return { user, open_channel: {}, group_channel, ...rest };
}

const one = { nickname: 'one' };
const three = { nickname: 'drei ü' };
const byStranger = { invitation_status: 'invited_by_non_friend' };
const hidden = { hidden_status: 'hidden_allow_auto_unhide' };
const few = { senders: ['alice', 'bob'], count: 4, sameTime: 1, perCall: 3 };
const many = { senders: ['c/d', 'dora'], count: 10, sameTime: 4 };
const lobby = { open_channel: { 'lobby-1': {} } };
const room = estate({ alice: one, bob: one }, { 'room-1': { bob: {} } }, { messages: { 'room-1': few } });

/** The policy of a stage: removed channels are deleted, or frozen. */
const removing = (of: Stage, channels: 'delete' | 'freeze'): Stage => ({
  ...of,
  onRemove: { user: 'deactivate', open_channel: channels, group_channel: channels },
});

test.for<readonly [title: string, scenario: Partial<Scenario>]>([
  [
    'a batch settled under another number, and a kill before its old begin was said to be over',
    {
      seed: 1003171,
      stages: [
        stage(
          estate(
            { 'a.b': three, 'c/d': { nickname: 'two' }, ümlaut: one },
            { 'group-2': { ümlaut: byStranger }, 'group-4': { 'c/d': byStranger } },
            {
              open_channel: { 'open-2': {} },
              messages: { 'group-2': { senders: ['a.b', 'c/d'], count: 16, sameTime: 4 } },
            },
          ),
          kill(32, 2540),
          kill(44),
          kill(9),
        ),
      ],
      faults: [
        { fault: 'latency', probability: 0.02728113278280944, ms: 100, distribution: 'exponential' },
        { fault: 'reset_before', probability: 0.03705145337153226 },
        { fault: 'reset_after', probability: 0.02376323573989794 },
        { fault: 'error_500_before', probability: 0.025944595586042854 },
        { fault: 'error_503', probability: 0.036483223096001896 },
        { fault: 'rate_limited', probability: 0.0012921055313199759, ms: 2614, times: 2 },
      ],
      latencyMs: [20, 60],
    },
  ],
  [
    'an invitation whose answer was lost, where the platform refuses members who are there',
    {
      seed: 342,
      stages: [
        stage(estate({ alice: one, bob: one }, { 'group-1': { alice: {} } })),
        stage(estate({ alice: one, bob: one }, { 'group-1': { alice: {}, bob: {} } }), kill(3)),
      ],
      behaviours: { inviteOfMember: 'refused' },
      window: 'gcra',
    },
  ],
  ...(['not_found', 'invalid'] as const).map((leaveOfInvitee): [string, Partial<Scenario>] => [
    `an invitation that is taken back, where a leave of an invited user is ${leaveOfInvitee}`,
    {
      seed: 343,
      stages: [
        stage(
          estate(
            { alice: one, bob: one, dora: one },
            { 'group-1': { alice: {}, bob: { invitation_status: 'invited_by_friend' }, dora: {} } },
          ),
        ),
        stage(estate({ alice: one, bob: one, dora: one }, { 'group-1': { alice: {} } }), kill(3)),
      ],
      behaviours: { leaveOfInvitee },
    },
  ]),
  [
    'a creation that arrives after its channel was taken out of the manifest, and after the next run has looked for it',
    {
      seed: 1180,
      stages: [
        removing(abandoned(estate({ dora: { nickname: 'dora' } }, {}, { ...lobby, messages: {} }), kill(8)), 'delete'),
        removing(stage(estate({ dora: { nickname: 'dora' } }, {}, { messages: {} })), 'delete'),
      ],
      storage: 'disk',
    },
  ],
  [
    'a deletion that arrives after its channel was declared again, and after the next run has found it there',
    {
      seed: 1015,
      stages: [
        removing(
          abandoned(estate({ bob: { nickname: 'bob' } }, {}, { ...lobby, messages: {} }), kill(13, 1236)),
          'delete',
        ),
        removing(abandoned(estate({}), kill(11)), 'delete'),
        removing(stage(estate({}, {}, lobby)), 'freeze'),
      ],
      latencyMs: [20, 3000],
    },
  ],
  [
    'a channel taken out with its history file and brought back, where the run that was to delete it was killed',
    {
      seed: 786,
      stages: [
        removing(abandoned(room, kill(37)), 'freeze'),
        removing(abandoned(estate({ alice: one, bob: one, dora: one }, {}, { messages: {} }), kill(9, 1960)), 'delete'),
        removing(stage(room), 'delete'),
      ],
      behaviours: { dedup: 'ignore' },
    },
  ],
  [
    'a hidden channel whose predecessor was deleted with its messages, which it gets again',
    {
      seed: 1002327,
      deletes: true,
      window: 'fixed',
      latencyMs: [1, 5],
      stages: [
        stage(estate({ 'c/d': one, dora: three }, { 'group-2': { dora: hidden } }, { messages: { 'group-2': many } })),
        stage(estate({}, {}, { messages: {} })),
        stage(estate({ 'a.b': one }, { 'group-2': { 'a.b': hidden } }, { messages: {} })),
        stage(
          estate(
            { 'a.b': one, 'c/d': three, dora: one },
            { 'group-2': { 'a.b': hidden, dora: {} } },
            { messages: { 'group-2': many } },
          ),
        ),
      ],
    },
  ],
])('%s', async ([, scenario]) => {
  expect((await play({ ...calm, latencyMs: [20, 300], ...scenario })).broken).toEqual([]);
});
