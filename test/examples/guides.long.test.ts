// Tests the guides of examples/operations: every command is run and must print what the guide shows.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyManifests } from '../support/folders.ts';
import { playGuide, readGuide } from '../support/guide.ts';
import { azurite } from '../support/object-servers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const guides = join(import.meta.dirname, '../../examples/operations/');
const storeAddress = '127.0.0.1:10000';
const names = readdirSync(guides, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test('guides exist', () => {
  expect(names.length).toBeGreaterThan(0);
});

test.for(names)('%s', async (name) => {
  const from = join(guides, name);
  const folder = await temporaryFolder();
  await copyManifests(from, folder);
  const page = await readGuide(from);
  // A guide names the default address of azurite. The test uses any free port.
  const store = page.includes(storeAddress) ? await azurite.start() : undefined;
  const address = new URL(/endpoint=(\S+)/u.exec(store?.newSpec() ?? '')?.[1] ?? `http://${storeAddress}`).host;
  try {
    const played = await playGuide(page.replaceAll(storeAddress, address), folder);
    await expect(played.replaceAll(address, storeAddress)).toMatchFileSnapshot(join(from, 'README.md'));
  } finally {
    await store?.stop();
  }
});
