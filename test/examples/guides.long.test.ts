// Tests the guides of examples/operations: every command is run and must print what the guide shows.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleOf } from '../support/bundled.ts';
import { copyManifests } from '../support/folders.ts';
import { playGuide, readGuide } from '../support/guide.ts';
import { azurite } from '../support/object-servers.ts';
import { noPostgres, usePostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const guides = join(root, 'examples/operations/');
const storeAddress = '127.0.0.1:10000';
const names = readdirSync(guides, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test('guides exist', () => {
  expect(names.length).toBeGreaterThan(0);
});

/** As a guide names a database. The test uses one of its own. */
const databaseUrl = 'postgres://chat:secret@127.0.0.1:5432/chat';
const databasePlace = '127.0.0.1:5432/chat';

/** Replaces the database of a page by one of the server, and back. */
const server = usePostgres();
async function withDatabase(page: string, play: (page: string) => Promise<string>): Promise<string> {
  const url = server().url();
  const place = url.slice(url.lastIndexOf('@') + 1);
  const played = await play(page.replaceAll(databaseUrl, url));
  return played.replaceAll(url, databaseUrl).replaceAll(place, databasePlace);
}

test.for(names)('%s', async (name, { skip }) => {
  const from = join(guides, name);
  const folder = await temporaryFolder();
  await copyManifests(from, folder);
  const page = await readGuide(from);
  if (page.includes(databaseUrl)) {
    skip(noPostgres !== undefined, noPostgres);
    const psql = `'${process.execPath}' '${await bundleOf(join(root, 'test/support/psql-child.ts'))}'`;
    const played = await withDatabase(page, (own) => playGuide(own, folder, { psql }));
    await expect(played).toMatchFileSnapshot(join(from, 'README.md'));
    return;
  }
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
