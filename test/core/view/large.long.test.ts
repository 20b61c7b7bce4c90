// Tests that every format writes a plan of 100,000 changes within its size limit and without keeping it in memory.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bundleOf } from '../../support/bundled.ts';

const run = promisify(execFile);
const child = await bundleOf(join(import.meta.dirname, 'large-child.ts'));

/** A tenth of the text of all changes. */
const mostHeapMiB = 24;

const views = [
  ['human', undefined],
  ['human', 65_536],
  ['json', undefined],
  ['json', 1_000_000],
  ['markdown', undefined],
  ['markdown', 1_048_576],
  ['html', undefined],
  ['html', 2_000_000],
  ['sarif', undefined],
  ['sarif', 1_000_000],
  ['github', undefined],
] as const;

const nameOf = ([format, maxBytes]: (typeof views)[number]) => `${format}:${maxBytes ?? ''}`;

/** All views are measured in one process, because its start takes longer than most of them. */
const measured = run(process.execPath, ['--expose-gc', child, '100000', ...views.map(nameOf)]).then(({ stdout }) =>
  stdout
    .trim()
    .split('\n')
    .map((line): { view: string; bytes: number; heapMiB: number } => JSON.parse(line)),
);

test.for(views)('%s, %s bytes', async (view) => {
  const [format, maxBytes] = view;
  const figures = (await measured).find((other) => other.view === nameOf(view));
  const { bytes, heapMiB } = figures ?? expect.fail('was not measured');
  expect(heapMiB).toBeLessThan(mostHeapMiB);
  if (maxBytes !== undefined) expect(bytes).toBeLessThanOrEqual(maxBytes);
  if (format === 'markdown') expect(bytes).toBeLessThanOrEqual(maxBytes ?? 65_536);
  if ((format === 'json' || format === 'html') && maxBytes === undefined) expect(bytes).toBeGreaterThan(20_000_000);
});
