// Tests an apply in stages under kills (semantics §16): nothing of a later stage before its gate, no gate twice, and the declared end.
import { expect, test } from 'vitest';
import { inSuite } from '../support/suite.ts';
import { scenarioOf } from './support/scenario.ts';
import { playStages } from './support/stages.ts';

/** Schedules whose plans can be divided. The long suite also plays some with long lists of members. */
const fastSeeds = [2, 3, 4, 5, 8, 9, 18];
const longSeeds = Array.from({ length: 100 }, (_, place) => place + 1);
/** In the last one, a saved plan deactivates an operator in its first stage and creates the channel in its last one. */
const seeds = [...inSuite(fastSeeds, longSeeds), 223];

test('an apply in stages that is killed at any moment keeps later stages back, asks no gate that passed, and gets done', async () => {
  const played = { divided: 0, kills: 0, asked: 0, killedAtGate: 0 };
  for (const seed of seeds) {
    const scenario = { ...scenarioOf(seed), faults: [], behaviours: {} };
    const { broken, story, kills, asked, killedAtGate } = await playStages(scenario);
    expect({ seed, broken, story: broken.length === 0 ? [] : story }).toEqual({ seed, broken: [], story: [] });
    if (kills === undefined) continue;
    played.divided += 1;
    played.kills += kills;
    played.asked += asked;
    played.killedAtGate += killedAtGate;
  }
  expect(played.divided).toBeGreaterThan(seeds.length / 4);
  expect(played.kills).toBeGreaterThan(seeds.length / 4);
  expect(played.asked).toBeGreaterThan(seeds.length / 4);
  expect(played.killedAtGate).toBeGreaterThan(seeds.length / 20);
});
