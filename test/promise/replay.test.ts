// Tests schedules that once broke the promise, as the shrinker printed them.
import { expect, test } from 'vitest';
import { play } from './support/play.ts';
import type { Scenario } from './support/scenario.ts';

const scenarios: readonly { readonly name: string; readonly scenario: Scenario }[] = [
  {
    name: 'a batch settled under another number, and a kill before its old begin was said to be over',
    scenario: {
      seed: 1003171,
      stages: [
        {
          estate: {
            user: { 'a.b': { nickname: 'drei ü' }, 'c/d': { nickname: 'two' }, ümlaut: { nickname: 'one' } },
            open_channel: { 'open-2': {} },
            group_channel: {
              'group-2': { members: { ümlaut: { invitation_status: 'invited_by_non_friend' } } },
              'group-4': { members: { 'c/d': { invitation_status: 'invited_by_non_friend' } } },
            },
            messages: { 'group-2': { senders: ['a.b', 'c/d'], count: 16, sameTime: 4 } },
          },
          disturbances: [
            { type: 'kill', pauseMs: 2540, atMoment: 32 },
            { type: 'kill', pauseMs: 0, atMoment: 44 },
            { type: 'kill', pauseMs: 0, atMoment: 9 },
          ],
        },
      ],
      deletes: false,
      storage: 'memory',
      readings: {},
      faults: [
        { fault: 'latency', probability: 0.02728113278280944, ms: 100, distribution: 'exponential' },
        { fault: 'reset_before', probability: 0.03705145337153226 },
        { fault: 'reset_after', probability: 0.02376323573989794 },
        { fault: 'error_500_before', probability: 0.025944595586042854 },
        { fault: 'error_503', probability: 0.036483223096001896 },
        { fault: 'rate_limited', probability: 0.0012921055313199759, ms: 2614, times: 2 },
      ],
      window: 'sliding',
      latencyMs: [20, 60],
    },
  },
  {
    name: 'an invitation whose answer was lost, where the platform refuses members who are there',
    scenario: {
      seed: 342,
      stages: [
        {
          estate: {
            user: { alice: { nickname: 'one' }, bob: { nickname: 'one' } },
            open_channel: {},
            group_channel: { 'group-1': { members: { alice: {} } } },
          },
          disturbances: [],
        },
        {
          estate: {
            user: { alice: { nickname: 'one' }, bob: { nickname: 'one' } },
            open_channel: {},
            group_channel: { 'group-1': { members: { alice: {}, bob: {} } } },
          },
          disturbances: [{ type: 'kill', atMoment: 3, pauseMs: 0 }],
        },
      ],
      deletes: false,
      storage: 'memory',
      readings: { inviteOfMember: 'refused' },
      faults: [],
      window: 'gcra',
      latencyMs: [20, 300],
    },
  },
  {
    name: 'a creation that arrives after its channel was taken out of the manifest, and after the next run has looked for it',
    scenario: {
      seed: 1180,
      stages: [
        {
          estate: {
            user: { dora: { nickname: 'dora' } },
            open_channel: { 'lobby-1': {} },
            group_channel: {},
            messages: {},
          },
          disturbances: [{ type: 'kill', pauseMs: 0, atMoment: 8 }],
          onRemove: { user: 'deactivate', open_channel: 'delete', group_channel: 'delete' },
          isAbandoned: true,
        },
        {
          estate: { user: { dora: { nickname: 'dora' } }, open_channel: {}, group_channel: {}, messages: {} },
          disturbances: [],
          onRemove: { user: 'deactivate', open_channel: 'delete', group_channel: 'delete' },
        },
      ],
      deletes: false,
      storage: 'disk',
      readings: {},
      faults: [],
      window: 'sliding',
      latencyMs: [20, 300],
    },
  },
  {
    name: 'a deletion that arrives after its channel was declared again, and after the next run has found it there',
    scenario: {
      seed: 1015,
      stages: [
        {
          estate: {
            user: { bob: { nickname: 'bob' } },
            open_channel: { 'lobby-1': {} },
            group_channel: {},
            messages: {},
          },
          disturbances: [{ type: 'kill', pauseMs: 1236, atMoment: 13 }],
          onRemove: { user: 'deactivate', open_channel: 'delete', group_channel: 'delete' },
          isAbandoned: true,
        },
        {
          estate: { user: {}, open_channel: {}, group_channel: {} },
          disturbances: [{ type: 'kill', pauseMs: 0, atMoment: 11 }],
          onRemove: { user: 'deactivate', open_channel: 'delete', group_channel: 'delete' },
          isAbandoned: true,
        },
        {
          estate: { user: {}, open_channel: { 'lobby-1': {} }, group_channel: {} },
          disturbances: [],
          onRemove: { user: 'deactivate', open_channel: 'freeze', group_channel: 'freeze' },
        },
      ],
      deletes: false,
      storage: 'memory',
      readings: {},
      faults: [],
      window: 'sliding',
      latencyMs: [20, 3000],
    },
  },
  {
    name: 'a channel taken out with its archive and brought back, where the run that was to delete it was killed',
    scenario: {
      seed: 786,
      stages: [
        {
          estate: {
            user: { alice: { nickname: 'alice' }, bob: { nickname: 'bob' } },
            open_channel: {},
            group_channel: { 'room-1': { members: { bob: {} } } },
            messages: { 'room-1': { senders: ['alice', 'bob'], count: 4, sameTime: 1, perCall: 3 } },
          },
          disturbances: [{ type: 'kill', pauseMs: 0, atMoment: 37 }],
          onRemove: { user: 'deactivate', open_channel: 'freeze', group_channel: 'freeze' },
          isAbandoned: true,
        },
        {
          estate: {
            user: { alice: { nickname: 'alice' }, bob: { nickname: 'bob' }, dora: { nickname: 'dora' } },
            open_channel: {},
            group_channel: {},
            messages: {},
          },
          disturbances: [{ type: 'kill', pauseMs: 1960, atMoment: 9 }],
          onRemove: { user: 'deactivate', open_channel: 'delete', group_channel: 'delete' },
          isAbandoned: true,
        },
        {
          estate: {
            user: { alice: { nickname: 'alice' }, bob: { nickname: 'bob' } },
            open_channel: {},
            group_channel: { 'room-1': { members: { bob: {} } } },
            messages: { 'room-1': { senders: ['alice', 'bob'], count: 4, sameTime: 1, perCall: 3 } },
          },
          disturbances: [],
          onRemove: { user: 'deactivate', open_channel: 'delete', group_channel: 'delete' },
        },
      ],
      deletes: false,
      storage: 'memory',
      readings: { dedup: 'ignore' },
      faults: [],
      window: 'sliding',
      latencyMs: [20, 300],
    },
  },
  {
    name: 'a hidden channel whose predecessor was deleted with its messages, which it gets again',
    scenario: {
      seed: 1002327,
      deletes: true,
      storage: 'memory',
      window: 'fixed',
      latencyMs: [1, 5],
      stages: [
        {
          estate: {
            user: { 'c/d': { nickname: 'one' }, dora: { nickname: 'drei ü' } },
            open_channel: {},
            group_channel: { 'group-2': { members: { dora: { hidden_status: 'hidden_allow_auto_unhide' } } } },
            messages: { 'group-2': { senders: ['c/d', 'dora'], count: 10, sameTime: 4 } },
            bot: {},
            settings: {},
          },
          disturbances: [],
        },
        {
          estate: { user: {}, open_channel: {}, group_channel: {}, messages: {}, bot: {}, settings: {} },
          disturbances: [],
        },
        {
          estate: {
            user: { 'a.b': { nickname: 'one' } },
            open_channel: {},
            group_channel: { 'group-2': { members: { 'a.b': { hidden_status: 'hidden_allow_auto_unhide' } } } },
            messages: {},
            bot: {},
            settings: {},
          },
          disturbances: [],
        },
        {
          estate: {
            user: { 'a.b': { nickname: 'one' }, 'c/d': { nickname: 'drei ü' }, dora: { nickname: 'one' } },
            open_channel: {},
            group_channel: {
              'group-2': { members: { 'a.b': { hidden_status: 'hidden_allow_auto_unhide' }, dora: {} } },
            },
            messages: { 'group-2': { senders: ['c/d', 'dora'], count: 10, sameTime: 4 } },
            bot: {},
            settings: {},
          },
          disturbances: [],
        },
      ],
      faults: [],
      readings: {},
    },
  },
];

test.for(scenarios)('$name', async ({ scenario }) => {
  expect((await play(scenario)).broken).toEqual([]);
});
