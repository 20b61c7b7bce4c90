import { defineConfig } from 'vitest/config';

/** The fast suite: everything under test/ but what ends in .long.test.ts. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: ['**/*.long.test.ts', '**/node_modules/**'],
    // One a core: what waits in one file is time for another.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
