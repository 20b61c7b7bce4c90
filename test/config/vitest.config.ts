import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The fast suite: everything under test/ but what ends in .long.test.ts. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    globalSetup: ['memory-folder', 'install-program', 'choose-seed'].map((name) => `test/config/${name}.ts`),
    setupFiles: ['test/config/seed.ts', 'test/config/open-files.ts'],
    include: ['test/**/*.test.ts'],
    exclude: ['**/*.long.test.ts', '**/node_modules/**'],
    // Machines may show more cores than a container is allowed to use.
    maxWorkers: Math.min(4, availableParallelism()),
    // Modules are loaded once for each worker instead of once for each file.
    isolate: false,
    // The next run need not transform files that have not changed. Their content is part of the key of the cache.
    experimental: { fsModuleCache: true },
    execArgv: [
      // A worker lives for hundreds of files. With the heap of a young process, V8 marks the whole heap for every few large buffers.
      '--initial-heap-size=512',
      // Functions of tests are rarely hot for long. V8 of Node 20 spends more time optimising them than they save.
      ...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=1000000'] : []),
    ],
    // Ends a test that hangs; a slow machine needs half of it at most.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
