import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import fast from './vitest.config.ts';

/**
 * The longest files, the longest first. Begun last, one of these would run alone at the end. Vitest knows how long files take
 * only where it has run them, and orders them by their size elsewhere. The soak comes before them: it compares its heap, and the
 * first file of each worker has a new process.
 */
const longest = [
  'soak/soak',
  'promise/promise',
  'promise/promise-more',
  'cli/interrupted/kill',
  'promise/conversions',
  'convert/properties',
  'state/shares',
  'promise/schedules',
  'bench/bench',
  'platform/pacing',
  'terminal/stops',
  'cli/postgres/state-postgres',
  'promise/returns',
  'promise/postgres',
  'state/stores/servers',
  'package/on-node',
  'package/pack',
  'examples/guides',
  'tools/properties',
  'package/managers',
  'convert/kill',
  'tools/calibration/conformance',
  'bench/work',
  'convert/sources/table/database-move',
  'examples/ci',
  'state/stores/postgres-chaos',
  'view/html/page-in-browser',
  'cli/memory',
  'app/properties',
  'examples/planted-bugs',
  'convert/windows',
  'resources/properties',
  'promise/bound',
  'cli/commands/rare',
  'view/html/run-page-in-browser',
].map((name) => `/test/${name}.long.test.ts`);

for (const file of longest) {
  if (!existsSync(join(import.meta.dirname, '../..', file))) throw new Error(`vitest.long.config.ts: no file ${file}`);
}

// A worker loads a module once, so a test that two of its files import would not run in the second one.
const tests = join(import.meta.dirname, '..');
const imported = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.long.test.ts'))
  .flatMap((path) => {
    const text = readFileSync(join(tests, path), 'utf8');
    return Array.from(text.matchAll(/'(\.[^']+\.test\.ts)'/gu), ([, name = '']) => join(dirname(path), name));
  });
const twice = imported.filter((path, place) => imported.indexOf(path) !== place);
if (twice.length > 0) throw new Error(`vitest.long.config.ts: several files import ${twice.join(', ')}`);

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
    ...fast.test,
    include: ['test/**/*.long.test.ts'],
    exclude: ['**/node_modules/**'],
    env: { LONG_SUITE: '1' },
    // Twice as many as cores: kills, rate limits and paused processes mostly wait.
    maxWorkers: 4,
    execArgv: [
      ...(fast.test?.execArgv ?? []),
      // Schedules in virtual time make much garbage that is short-lived: with a young generation of at most 16 MB, as usual, copying
      // what is in use takes a sixth of their processor time.
      '--min-semi-space-size=64',
      '--max-semi-space-size=64',
      // Compiled at once, and with what they met from their first call on, functions of properties take a twentieth less time.
      '--always-sparkplug',
      '--no-lazy-feedback-allocation',
    ],
    sequence: { sequencer: LongestFirst },
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
});
