// Tests the promise (design §7) over a few hundred schedules: whatever crashes, fails or is cut off, running again
// reaches what is declared; nothing is created twice, no refusal is met, and the next plan is empty.
import { describe, expect, test } from 'vitest';
import { leftOut } from '../planner/support/estates.ts';
import { desiredOf, play } from './support/play.ts';
import { playMany } from './support/report.ts';
import { type Scenario, scenarioOf } from './support/scenario.ts';

const schedules = 200;

describe('the promise', () => {
  test(`is kept in ${schedules} schedules`, async () => {
    const tally = await playMany(1, schedules);
    expect(tally.schedules).toBe(schedules);
    expect(tally.runs).toBeGreaterThan(3 * schedules);
  }, 60_000);

  test('a schedule played twice goes the same way', async () => {
    for (const seed of [3, 14, 15]) {
      const [first, second] = [await play(scenarioOf(seed)), await play(scenarioOf(seed))];
      expect(first.story).toEqual(second.story);
    }
  });

  test('without disturbance, faults and foreign readings, no call is refused for the rate limit', async () => {
    for (let seed = 1; seed <= 25; seed++) {
      const whole = scenarioOf(seed);
      const calm: Scenario = {
        ...whole,
        faults: [],
        readings: {},
        stages: whole.stages.map(({ estate }) => ({ estate, disturbances: [] })),
      };
      const { broken, limited } = await play(calm);
      expect({ seed, broken, limited }).toEqual({ seed, broken: [], limited: 0 });
    }
  });
});

describe('the schedules', () => {
  const scenarios = Array.from({ length: 400 }, (_, place) => scenarioOf(place + 1));

  test('declare every attribute of every kind', () => {
    const missing = leftOut(scenarios.flatMap(({ stages }) => stages.map(({ estate }) => desiredOf(estate))));
    expect(missing).toEqual(['group_channel.strict']);
  });

  test('hold every disturbance, storage and kind of fault', () => {
    const disturbances = scenarios.flatMap(({ stages }) => stages.flatMap((stage) => stage.disturbances));
    expect(new Set(disturbances.map(({ type }) => type)).size).toBe(6);
    expect(new Set(scenarios.map(({ storage }) => storage)).size).toBe(2);
    expect(new Set(scenarios.flatMap(({ faults }) => faults.map(({ fault }) => fault))).size).toBe(10);
    const largest = scenarios.map(({ stages }) =>
      Math.max(...stages.flatMap(({ estate }) => members(estate.group_channel)), 0),
    );
    expect(Math.max(...largest)).toBeGreaterThan(100);
  });
});

function members(channels: Scenario['stages'][number]['estate']['group_channel']): number[] {
  return Object.values(channels).map((block) => Object.keys(block.members ?? {}).length);
}
