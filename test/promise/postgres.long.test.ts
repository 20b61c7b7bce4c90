// Tests the promise with state in a real PostgreSQL, for a minute and a half.
import { describe, expect, test } from 'vitest';
import { noPostgres, usePostgres } from '../support/postgres.ts';
import { playOverPostgres } from './support/over-postgres.ts';

const forMs = 90_000;
const least = 20;

describe.runIf(noPostgres === undefined)('over PostgreSQL', () => {
  const server = usePostgres();

  test('schedules keep the promise', async () => {
    const { schedules, runs } = await playOverPostgres(server(), 10_000, performance.now() + forMs);
    process.stdout.write(`${schedules} schedules over PostgreSQL, ${runs} runs\n`);
    expect(schedules).toBeGreaterThan(least);
  });
});
