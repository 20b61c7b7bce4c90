// Tests the promise on schedules that once broke it, as the shrinker printed them; a new one is one more line.
import { expect, test } from 'vitest';
import { play } from './support/play.ts';
import type { Scenario } from './support/scenario.ts';

const scenarios: readonly { readonly name: string; readonly scenario: Scenario }[] = [
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
];

test.for(scenarios)('$name', async ({ scenario }) => {
  expect((await play(scenario)).broken).toEqual([]);
});
