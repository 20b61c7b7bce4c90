// Tests that the generated validators of this checkout match the kinds.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { validatorFiles } from '../../../src/cli/reference/generate-validators.ts';

const folder = join(import.meta.dirname, '../../../src/manifest/schema/generated');

test('no validator is older than its schema', async () => {
  const files = await validatorFiles();
  expect(readdirSync(folder).sort()).toEqual([...files.keys()].sort());
  const stale = [...files].filter(([name, text]) => readFileSync(join(folder, name), 'utf8') !== text);
  expect(
    stale.map(([name]) => name),
    'stale: run npm run schema',
  ).toEqual([]);
});
