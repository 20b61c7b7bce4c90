// Tests the promise with state in a real PostgreSQL.
import { describe, expect, test } from 'vitest';
import { noPostgres, usePostgres } from '../support/postgres.ts';
import { play } from './support/play.ts';
import { scenarioOf } from './support/scenario.ts';
import { postgresStorage } from './support/storage.ts';

/** A number, so that it is the same work on every machine. */
const schedules = 45;
const firstSeed = 10_000;

describe.runIf(noPostgres === undefined)('over PostgreSQL', () => {
  const server = usePostgres();

  test(`${schedules} schedules keep the promise`, async () => {
    // Virtual time stands still while the database works.
    for (let seed = firstSeed; seed < firstSeed + schedules; seed += 1) {
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
  });
});
