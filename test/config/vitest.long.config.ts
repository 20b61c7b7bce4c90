import { defineConfig } from 'vitest/config';

/** The long suite: crash schedules, big estates. Bounded to fifteen minutes in all. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/**/*.long.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
