import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** How a test file imports the supports that start programs. */
const importsStarter = /\/support\/(?:git|signers|spawn-cli|program)\.ts'/u;

/**
 * The files that start programs come first: a worker keeps its modules, so its memory grows with each file, and each start copies the
 * tables of that memory.
 */
class StartersFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      importsStarter.test(readFileSync(moduleId, 'utf8')) ? 0 : 1;
    return (await super.sort(files)).sort((left, right) => rank(left) - rank(right));
  }
}

/** The fast suite: everything under test/ but what ends in .long.test.ts. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    globalSetup: ['memory-folder', 'install-program', 'choose-seed'].map((name) => `test/config/${name}.ts`),
    setupFiles: ['test/config/seed.ts', 'test/config/open-files.ts', 'test/config/cost.ts'],
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
    sequence: { sequencer: StartersFirst },
    // Ends a test that hangs; a slow machine needs half of it at most.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Of a busy machine, a second, which is the usual limit, says nothing.
    expect: { poll: { timeout: 30_000 } },
  },
});
