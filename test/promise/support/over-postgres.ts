// Support: plays schedules with state in a database, and reports the seed of a schedule that breaks the promise.
import type { Postgres } from '../../support/postgres.ts';
import { play } from './play.ts';
import { scenarioOf } from './scenario.ts';
import { postgresStorage } from './storage.ts';

export interface PlayedOver {
  readonly schedules: number;
  readonly runs: number;
}

/** Plays seeds from `from` until the time is up (by `performance.now`). Virtual time stands still while the database works. */
export async function playOverPostgres(
  server: Pick<Postgres, 'url' | 'sql'>,
  from: number,
  untilMs: number,
): Promise<PlayedOver> {
  let played = 0;
  let seed = from;
  for (; performance.now() < untilMs; seed += 1) {
    const name = `promise-${seed}`;
    const expire = () =>
      server.sql(
        `UPDATE chatform.objects SET at = at - interval '1 hour' WHERE application = '?state=${name}' AND key LIKE 'head/%'`,
      );
    const { broken, story, runs } = await play(scenarioOf(seed), (clock) =>
      postgresStorage(clock, `${server.url()}?state=${name}`, expire),
    );
    if (broken.length > 0) {
      throw new Error([`The promise is broken by the seed ${seed}, over PostgreSQL:`, ...broken, ...story].join('\n'));
    }
    played += runs;
  }
  return { schedules: seed - from, runs: played };
}
