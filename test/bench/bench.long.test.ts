// Benchmarks start and give figures, whatever these are. `apply`, `manifest`, `messages` and `state` have one size, which takes
// minutes, and are left out.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bundleOf } from '../support/bundled.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { Row } from './measure.ts';

const run = promisify(execFile);
const project = join(import.meta.dirname, '../..');

/** The smallest size that gives a row, or for `growth` one of which a hundredth gives a channel. */
const sizes = { command: 1_000, convert: 10_000, 'convert-table': 10_000, growth: 100, startup: 1 };

/** Those of `growth`. The others run the same commands over other manifests. */
const estates = 'mixed,state in S3,30 folders,one file';

test.for(Object.entries(sizes))('%s gives figures at a small size', async ([name, size]) => {
  const file = join(await temporaryFolder(), 'figures.json');
  const main = await bundleOf(join(project, 'test/bench/main.ts'));
  await run(process.execPath, [main, name, '--json', file], {
    cwd: project,
    env: { ...process.env, CHATFORM_BENCH_MOST: String(size), CHATFORM_BENCH_ESTATES: estates },
  });
  const { results } = JSON.parse(await readFile(file, 'utf8')) as { readonly results: Record<string, Row[]> };
  const rows = results[name] ?? [];
  expect(rows).not.toEqual([]);
  // JSON has null for what is no finite number.
  expect(rows.filter((row) => Object.values(row).some((value) => value === null))).toEqual([]);
});
