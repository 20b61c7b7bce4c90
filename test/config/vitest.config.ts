import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The fast suite: everything under test/ but what ends in .long.test.ts. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    include: ['test/**/*.test.ts'],
    exclude: ['**/*.long.test.ts', '**/node_modules/**'],
    // Machines may show more cores than a container is allowed to use.
    maxWorkers: Math.min(4, availableParallelism()),
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
