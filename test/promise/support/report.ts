// Support: plays many scenarios and describes the first broken one, so that it can be understood and repeated.
import { play } from './play.ts';
import { type Scenario, scenarioOf } from './scenario.ts';
import { shrink } from './shrink.ts';

export interface Tally {
  schedules: number;
  runs: number;
  limited: number;
}

/** Plays `count` seeds from `from`. Throws for the first that breaks the promise. */
export async function playMany(from: number, count: number, scenarioFrom = scenarioOf): Promise<Tally> {
  const tally: Tally = { schedules: 0, runs: 0, limited: 0 };
  for (let seed = from; seed < from + count; seed++) {
    const scenario = scenarioFrom(seed);
    const { broken, runs, limited } = await play(scenario);
    if (broken.length > 0) throw new Error(await describe(scenario));
    tally.schedules++;
    tally.runs += runs;
    tally.limited += limited;
  }
  return tally;
}

async function describe(scenario: Scenario): Promise<string> {
  const smallest = await shrink(scenario);
  const { broken, story } = await play(smallest);
  return [
    `The promise is broken by the seed ${scenario.seed}:`,
    ...broken.slice(0, 10).map((fault) => `  ${fault}`),
    'What happened:',
    ...story.slice(0, 40).map((line) => `  ${line}`),
    'To play it again, add it to test/promise/replay.test.ts:',
    `  ${JSON.stringify(smallest)},`,
  ].join('\n');
}
