// Tests the promise with state in a real PostgreSQL, for a minute and a half.
import { describe, expect, test } from 'vitest';
import { noPostgres, usePostgres } from '../support/postgres.ts';
import { play } from './support/play.ts';
import { scenarioOf } from './support/scenario.ts';
import { postgresStorage } from './support/storage.ts';

const forMs = 90_000;
const firstSeed = 10_000;
const least = 20;

describe.runIf(noPostgres === undefined)('over PostgreSQL', () => {
  const server = usePostgres();

  test('schedules keep the promise', async () => {
    const untilMs = performance.now() + forMs;
    let seed = firstSeed;
    // Virtual time stands still while the database works.
    for (; performance.now() < untilMs; seed += 1) {
      const name = `promise-${seed}`;
      const expire = () =>
        server().sql(
          `UPDATE chatform.objects SET at = at - interval '1 hour' WHERE application = '?state=${name}' AND key LIKE 'head/%'`,
        );
      const { broken, story } = await play(scenarioOf(seed), (clock) =>
        postgresStorage(clock, `${server().url()}?state=${name}`, expire),
      );
      expect(broken, `seed ${seed}\n${story.join('\n')}`).toEqual([]);
    }
    process.stdout.write(`${seed - firstSeed} schedules over PostgreSQL\n`);
    expect(seed - firstSeed).toBeGreaterThan(least);
  });
});
