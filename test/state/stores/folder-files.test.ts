// Tests that the file backend reads and replaces regular files alone: a device or a pipe stays what it is.
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stateBackend } from '../../../src/state/engine/backend.ts';
import { folderAddress } from '../../../src/state/stores/folder.ts';
import { nodeFiles } from '../../../src/state/stores/folder-files.ts';
import { application, Processes, refusalOf } from '../../support/state/fixtures.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const others: readonly (readonly [string, (at: string) => void])[] = [
  ['a device', (at) => symlinkSync('/dev/zero', at)],
  ['a pipe', (at) => void execFileSync('mkfifo', [at])],
  ['a folder', (at) => mkdirSync(at)],
];

test.for(others)('%s in the place of the snapshot: neither read, waited for nor replaced', async ([, make]) => {
  const folder = await temporaryFolder();
  const at = join(folder, 'state.ndjson');
  make(at);
  const before = lstatSync(at);
  const backend = stateBackend(folderAddress('file:s', folder), new Processes().start());
  const read = await refusalOf(backend.read(application));
  expect(read).toMatchObject({ code: 'state.read-failed', message: expect.stringContaining('is not a regular file') });
  expect((await refusalOf(backend.open({ application, lockTimeoutMs: 0 }))).code).toMatch(
    /^state\.(?:read|write)-failed$/u,
  );
  writeFileSync(join(folder, 'state.7.ndjson'), '');
  await expect(nodeFiles.rename(join(folder, 'state.7.ndjson'), at)).rejects.toThrow('is not a regular file');
  expect(lstatSync(at)).toMatchObject({ ino: before.ino, mode: before.mode });
});
