// Tests that messages arrive exactly once on a platform without deduplication, whatever happens to a call (semantics §5.5).
import { describe, expect, test } from 'vitest';
import type { Behaviours } from '../../src/emulator/api/behaviours.ts';
import type { FaultKind } from '../../src/emulator/faults.ts';
import { fastTest, inSuite } from '../support/suite.ts';
import type { Estate } from './support/estates.ts';
import { type HistoryFileDraft, historyFileTexts } from './support/history-files.ts';
import { desiredOf, play } from './support/play.ts';
import { abandoned, calm, kill, type Scenario, stage } from './support/scenario.ts';
import { World } from './support/world.ts';

const route = 'POST /migration/{channel_url}';
const draft: HistoryFileDraft = { senders: ['alice', 'bob'], count: 45, sameTime: 7 };

function estate(messages: HistoryFileDraft = draft): Estate {
  return {
    user: { alice: { nickname: 'A' }, bob: { nickname: 'B', deactivated: true } },
    open_channel: { 'lobby-1': { frozen: true } },
    group_channel: { 'room-1': { members: { alice: { hidden_status: 'hidden_allow_auto_unhide' }, bob: {} } } },
    messages: { 'room-1': messages, 'lobby-1': { ...messages, count: 12 } },
  };
}

const forgetful: Partial<Behaviours> = { dedup: 'ignore', migrationUnhides: true };
const careful: Scenario = { ...calm, behaviours: forgetful };

describe('sends every message once, whatever happens to a call', () => {
  const kinds: readonly FaultKind[] = [
    'reset_before',
    'reset_after',
    'error_500_before',
    'error_500_after',
    'error_503',
    'hang_before',
    'hang_after',
    'truncate',
    'partial_batch',
    'rate_limited',
  ];
  fastTest.for(kinds)('%s', async (fault) => {
    for (const at of [[1], [2, 3], [3, 4, 5, 6]]) {
      const faults = [{ fault, route, at }];
      const { broken } = await play({
        ...careful,
        faults,
        stages: [stage(estate()), stage(estate({ ...draft, count: 60 }))],
      });
      expect({ at, broken }).toEqual({ at, broken: [] });
    }
  });
});

describe('sends every message once when a run is killed', () => {
  const moments = Array.from({ length: inSuite(2, 10) }, (_, place) => place * inSuite(54, 11) + 3);
  test.for<{ name: string; latencyMs: Scenario['latencyMs']; after?: Estate }>([
    { name: 'at any moment', latencyMs: [20, 20] },
    { name: 'while its calls are slow: they take effect when the next run has begun', latencyMs: [4_000, 9_000] },
    {
      name: 'and whose history file has grown before the next one',
      latencyMs: [20, 3_000],
      after: estate({ ...draft, count: 58 }),
    },
  ])('$name', async ({ latencyMs, after }) => {
    for (const atMoment of moments) {
      const killed = kill(atMoment);
      const stages = after === undefined ? [stage(estate(), killed)] : [abandoned(estate(), killed), stage(after)];
      const { broken } = await play({ ...careful, latencyMs, stages });
      expect({ atMoment, broken }).toEqual({ atMoment, broken: [] });
    }
  });
});

test('sends every message once when a machine sleeps with queued calls and another takes over', async () => {
  const small = estate({ ...draft, count: 90, perCall: 2 });
  for (const atMs of inSuite([900], [300, 450, 900, 1_800, 2_550, 3_600, 4_200, 4_650])) {
    const stages = [stage(small, { type: 'takeover', atMs, pauseMs: 61_500 })];
    const { broken } = await play({ ...careful, storage: 'disk', stages });
    expect({ atMs, broken }).toEqual({ atMs, broken: [] });
  }
});

test('sends every message once after two killed runs with calls of different sizes', async () => {
  const smaller = estate({ ...draft, perCall: 3 });
  for (const first of inSuite([68], [52, 60, 68, 76])) {
    for (const second of inSuite([10, 25], [10, 15, 20, 25, 30])) {
      const stages = [abandoned(estate(), kill(first)), abandoned(smaller, kill(second)), stage(smaller)];
      const { broken } = await play({ ...careful, latencyMs: [20, 3_000], stages });
      expect({ first, second, broken }).toEqual({ first, second, broken: [] });
    }
  }
});

fastTest('continues with other channels while one waits for its search', async () => {
  const world = new World({ ...careful, faults: [{ fault: 'reset_after', route, at: [1] }] });
  const of = estate({ ...draft, count: 44 });
  world.historyFiles = historyFileTexts(of);
  const end = await world.clock.run(world.run(desiredOf(of)));
  expect(end).toMatchObject({ report: { outcome: 'done' } });
  const settled = world.story.length;
  expect(settled).toBeGreaterThan(0);
  // One wait of a minute, not several in a row.
  expect(end.type === 'report' ? end.report.duration_s : 0).toBeLessThan(75);
});

fastTest('hides a channel again for a member whose message unhid it', async () => {
  const hidden = { hidden_status: 'hidden_prevent_auto_unhide' };
  const of: Estate = { ...estate(), group_channel: { 'room-1': { members: { alice: hidden, bob: {} } } } };
  const behaviours = { ...forgetful, migrationUnhidesSender: true };
  expect((await play({ ...calm, behaviours, stages: [stage(of)] })).broken).toEqual([]);
});

/** Only the history file of the room. */
const roomOnly: Estate = { ...estate(), open_channel: {}, messages: { 'room-1': draft } };

fastTest.for([
  { does: 'leaves the channel unknown, and sends nothing twice', dedup: 'ignore', exits: [4, 4], arrived: 10 },
  { does: 'sends the call again with trust_dedup', dedup: 'skip', exits: [0, 0], arrived: draft.count },
] as const)('when messages cannot be listed, $does', async ({ dedup, exits, arrived }) => {
  const behaviours = { ...forgetful, dedup, messageRetrieval: 'off' as const };
  const world = new World({ ...calm, behaviours, faults: [{ fault: 'reset_after', route, at: [1] }] });
  world.trustDedup = dedup === 'skip';
  world.historyFiles = historyFileTexts(roomOnly);
  const runs = async () => [await world.run(desiredOf(roomOnly)), await world.run(desiredOf(roomOnly))];
  const ends = await world.clock.run(runs());
  expect(ends).toMatchObject(exits.map((exit_code) => ({ report: { exit_code } })));
  expect(world.emulator.state.messages('room-1').count).toBe(arrived);
});

fastTest('does not send the messages before a refused one again', async () => {
  const world = new World({ ...calm, behaviours: { ...forgetful, migrationBatch: 'up_to_first_bad' } });
  world.historyFiles = historyFileTexts(roomOnly);
  const arrived = () => world.emulator.state.messages('room-1').count;
  const runs = async () => {
    world.refuseText = 'text 3';
    expect(await world.run(desiredOf(roomOnly))).toMatchObject({ report: { exit_code: 4 } });
    expect(arrived()).toBe(3);
    world.refuseText = undefined;
    expect(await world.run(desiredOf(roomOnly))).toMatchObject({ report: { exit_code: 0 } });
    expect(arrived()).toBe(draft.count);
  };
  await world.clock.run(runs());
});
