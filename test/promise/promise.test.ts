// Tests the promise (semantics §13) over a few random schedules; promise.long.test.ts and promise-more.long.test.ts play
// thousands. Whatever crashes, fails or is interrupted, running again reaches the declaration: nothing is created twice, nothing is refused, and the next plan is empty.
import { describe, expect, test } from 'vitest';
import { leftOut } from '../support/planning/arbitrary-estates.ts';
import { fastTest, inSuite, seedOfRun } from '../support/suite.ts';
import type { Estate } from './support/estates.ts';
import { desiredOf, play } from './support/play.ts';
import { playMany } from './support/report.ts';
import { returningScenarioOf } from './support/returns.ts';
import { abandoned, calm, kill, type Scenario, scenarioOf, stage } from './support/scenario.ts';
import { removalsOf } from './support/world.ts';

const schedules = 5;

describe('the promise', () => {
  fastTest.for([
    [`${schedules} schedules`, scenarioOf],
    [`${schedules} schedules that remove and restore channels and history files between kills`, returningScenarioOf],
  ] as const)('is kept in %s', async ([, scenarioFrom]) => {
    const tally = await playMany(seedOfRun(), schedules, scenarioFrom);
    expect(tally.schedules).toBe(schedules);
    expect(tally.runs).toBeGreaterThan(schedules);
  });

  test('plays a schedule the same way twice', async () => {
    for (const seed of inSuite([15], [3, 14, 15])) {
      const [first, second] = [await play(scenarioOf(seed)), await play(scenarioOf(seed))];
      expect(first.story).toEqual(second.story);
    }
  });

  test('gets no 429 without disturbances, faults and other interpretations', async () => {
    for (let seed = 1; seed <= inSuite(1, 15); seed++) {
      const whole = scenarioOf(seed);
      const undisturbed: Scenario = {
        ...whole,
        restMs: 2_000,
        faults: [],
        behaviours: { migrationUnhides: seed % 2 === 0 },
        stages: whole.stages.map(({ estate }) => stage(estate)),
      };
      const { broken, limited } = await play(undisturbed);
      expect({ seed, broken, limited }).toEqual({ seed, broken: [], limited: 0 });
    }
  });
});

/** Fails if a run assumes that an open bracket is still open instead of closing it first (semantics §3). */
fastTest('reopens a bracket whose close took effect unseen while work remains', async () => {
  const estate = (line: Readonly<Record<string, string>>): Estate => ({
    user: { alice: { nickname: 'one', deactivated: true } },
    open_channel: {},
    group_channel: { 'room-1': { members: { alice: line } } },
  });
  const stages = [
    stage(estate({})),
    // The hiding fails eight times. Then the kill comes with the answer to the deactivation.
    stage(estate({ hidden_status: 'hidden_allow_auto_unhide' }), kill(5 + 8 * 3 + 3, 100)),
  ];
  const route = 'PUT /group_channels/{channel_url}/hide';
  const faults = [{ fault: 'error_503' as const, route, at: [1, 2, 3, 4, 5, 6, 7, 8] }];
  expect((await play({ ...calm, stages, faults })).broken).toEqual([]);
});

/** A run is killed between a call's effect and its entry, and the declaration is edited before the next run. */
describe('an edit between a kill and the next run', () => {
  const user = (nickname: string): Estate => ({ user: { alice: { nickname } }, open_channel: {}, group_channel: {} });
  const room = (block: Estate['open_channel'][string]): Estate => ({
    user: {},
    open_channel: { room: block },
    group_channel: {},
  });

  fastTest.for<[title: string, before: readonly Estate[], interrupted: Estate, after: Estate]>([
    ['updates a user who was created unseen and has another nickname now', [], user('one'), user('two')],
    ['removes a user who was created unseen and is no longer declared', [], user('one'), room({})],
    [
      'unfreezes a channel that was frozen unseen and is no longer declared frozen',
      [room({})],
      room({ frozen: true }),
      room({}),
    ],
    [
      'restores the old name after another one took effect unseen',
      [room({ name: 'old' })],
      room({ name: 'new' }),
      room({ name: 'old' }),
    ],
  ])('%s', async ([, before, interrupted, after]) => {
    // Every moment of the first run, so that its call is not sent, took effect unseen, or has finished.
    for (let atMoment = 1; atMoment <= 14; atMoment++) {
      const stages = [
        ...before.map((estate) => stage(estate)),
        abandoned(interrupted, kill(atMoment, 100)),
        stage(after),
      ];
      const { broken } = await play({ ...calm, stages });
      expect({ atMoment, broken }).toEqual({ atMoment, broken: [] });
    }
  });
});

describe('the schedules', () => {
  const scenarios = Array.from({ length: 150 }, (_, place) => scenarioOf(place + 1));

  fastTest('declare every attribute of every kind', () => {
    const missing = leftOut(scenarios.flatMap(({ stages }) => stages.map(({ estate }) => desiredOf(estate))));
    // Emojis and keys of forgotten settings stay on the platform, which the schedules do not play.
    expect(missing).toEqual(['settings.emojis', 'settings.fcm_key']);
  });

  fastTest('contain every disturbance, storage and kind of fault', () => {
    const disturbances = scenarios.flatMap(({ stages }) => stages.flatMap((stage) => stage.disturbances));
    expect(new Set(disturbances.map(({ type }) => type)).size).toBe(6);
    const removals = scenarios.flatMap((scenario) => scenario.stages.map((stage) => removalsOf(scenario, stage)?.user));
    expect(new Set(removals)).toEqual(new Set([undefined, 'deactivate', 'delete', 'erase']));
    expect(new Set(scenarios.map(({ storage }) => storage)).size).toBe(2);
    expect(new Set(scenarios.flatMap(({ faults }) => faults.map(({ fault }) => fault))).size).toBe(11);
    const largest = scenarios.map(({ stages }) =>
      Math.max(...stages.flatMap(({ estate }) => members(estate.group_channel)), 0),
    );
    expect(Math.max(...largest)).toBeGreaterThan(100);
  });
});

function members(channels: Scenario['stages'][number]['estate']['group_channel']): number[] {
  return Object.values(channels).map((block) => Object.keys(block.members ?? {}).length);
}
