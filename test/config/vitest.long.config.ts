import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The long suite: crash schedules, big estates. Bounded to fifteen minutes in all. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    include: ['test/**/*.long.test.ts'],
    // More than cores: kills, soaks and paused processes mostly wait.
    maxWorkers: 3,
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
