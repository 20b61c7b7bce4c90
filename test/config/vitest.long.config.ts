import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The longest files, the longest first. Begun last, one of these would run alone at the end. Vitest knows how long files take
 * only where it has run them, and orders them by their size elsewhere.
 */
const longest = [
  'promise/promise',
  'promise/promise-more',
  'promise/undos',
  'cli/interrupted/kill',
  'bench/bench',
  'core/state/shares',
  'terminal/stops',
  'cli/apply/staged-stores',
  'soak/soak',
  'promise/schedules',
  'cli/postgres/state-postgres',
  'core/state/stores/servers',
  'promise/conversions',
  'package/on-node',
  'package/pack',
  'core/platform/pacing',
  'package/managers',
  'examples/guides',
  'migration/convert/properties',
  'promise/postgres',
  'core/app/run/approved-writes',
  'tools/properties',
  'bench/work',
  'cli/memory',
  'promise/bound',
  'migration/convert/kill',
  'core/resources/properties',
  'core/state/stores/postgres-chaos',
  'core/app/properties',
  'cli/commands/rare',
  'core/view/html/run-page-in-browser',
  'examples/ci',
  'promise/returns',
  'core/view/html/page-in-browser',
  'examples/planted-bugs',
  'migration/convert/windows',
  'core/manifest/properties',
  'tools/calibration/conformance',
  'migration/convert/sources/table/database-move',
  'terminal/progress',
  'examples/community',
  'cli/trail-acts',
  'core/access/properties',
].map((name) => `/test/${name}.long.test.ts`);

for (const file of longest) {
  if (!existsSync(join(import.meta.dirname, '../..', file))) throw new Error(`vitest.long.config.ts: no file ${file}`);
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((file) => moduleId.endsWith(file));
      return place === -1 ? longest.length : place;
    };
    return (await super.sort(files)).sort((left, right) => rank(left) - rank(right));
  }
}

/** The long suite: crash schedules, big estates. Bounded to fifteen minutes in all. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    globalSetup: ['memory-folder', 'install-program', 'choose-seed'].map((name) => `test/config/${name}.ts`),
    setupFiles: ['test/config/seed.ts', 'test/config/open-files.ts'],
    include: ['test/**/*.long.test.ts'],
    env: { LONG_SUITE: '1' },
    // As in vitest.config.ts.
    experimental: { fsModuleCache: true },
    // More than cores: kills, soaks and paused processes mostly wait.
    maxWorkers: 3,
    // The first as in vitest.config.ts. Schedules in virtual time make much garbage that is short-lived: with a young generation
    // of at most 16 MB, as usual, copying what is in use takes a sixth of their processor time.
    execArgv: ['--initial-heap-size=512', '--min-semi-space-size=64', '--max-semi-space-size=64'],
    sequence: { sequencer: LongestFirst },
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
