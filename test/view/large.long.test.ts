// Tests that every format writes a plan of 100,000 changes within its size limit and without keeping it in memory.

import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const child = join(import.meta.dirname, 'large-child.ts');
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** A tenth of the text of all changes. */
const mostHeapMiB = 24;

async function measure(...args: readonly string[]): Promise<{ bytes: number; heapMiB: number }> {
  const { stdout } = await run(process.execPath, ['--expose-gc', '--import', tsx, child, ...args]);
  return JSON.parse(stdout);
}

test.for([
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
] as const)('%s, %s bytes', async ([format, maxBytes]) => {
  const { bytes, heapMiB } = await measure(format, '100000', ...(maxBytes === undefined ? [] : [String(maxBytes)]));
  expect(heapMiB).toBeLessThan(mostHeapMiB);
  if (maxBytes !== undefined) expect(bytes).toBeLessThanOrEqual(maxBytes);
  if (format === 'markdown') expect(bytes).toBeLessThanOrEqual(maxBytes ?? 65_536);
  if ((format === 'json' || format === 'html') && maxBytes === undefined) expect(bytes).toBeGreaterThan(20_000_000);
});
