// Tests that the validators of this checkout were generated from the kinds as they are now.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { validatorsText } from '../../../src/cli/reference/generate-validators.ts';

test('the validators were made from the schemas as they are', async () => {
  const kept = readFileSync(join(import.meta.dirname, '../../../src/manifest/schema/generated/validators.ts'), 'utf8');
  expect(kept === (await validatorsText()), 'stale: run npm run schema').toBe(true);
});
