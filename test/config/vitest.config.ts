import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The fast suite: everything under test/ but what ends in .long.test.ts. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    globalSetup: 'test/config/install-program.ts',
    include: ['test/**/*.test.ts'],
    exclude: ['**/*.long.test.ts', '**/node_modules/**'],
    // Machines may show more cores than a container is allowed to use.
    maxWorkers: Math.min(4, availableParallelism()),
    // Modules are loaded once for each worker instead of once for each file.
    isolate: false,
    // Ends what hangs. A busy machine may stand still for half a minute.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
