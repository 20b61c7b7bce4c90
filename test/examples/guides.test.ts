// Tests the guides of examples/operations: every command is run and must print what the guide shows.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyManifests } from '../support/folders.ts';
import { playGuide, readGuide } from '../support/guide.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const guides = new URL('../../examples/operations/', import.meta.url).pathname;
const names = readdirSync(guides, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test('there are guides', () => {
  expect(names.length).toBeGreaterThan(0);
});

test.for(names)('%s', async (name) => {
  const from = join(guides, name);
  const folder = await temporaryFolder();
  await copyManifests(from, folder);
  const page = await readGuide(from);
  await expect(await playGuide(page, folder)).toMatchFileSnapshot(join(from, 'README.md'));
});
