// Tests that one process at a time has the lock of a folder, and that a process that ended never keeps it.
import { readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FolderLock, FolderLockedError } from '../../../src/lib/staging/folder-lock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The file of a lock that this process takes, after it was renamed as if another process had left it. */
async function leftBehind(root: string, as: (name: string) => string): Promise<string> {
  await FolderLock.take(root, 'home');
  const [name = ''] = await readdir(join(root, 'home'));
  await rename(join(root, 'home', name), join(root, 'home', as(name)));
  return join(root, 'home', as(name));
}

const ofPid = (pid: number) => (name: string) =>
  name.replace(/^(\.chatform-lock-\w+-\w+-)\d+/u, (_whole, before: string) => `${before}${pid}`);
/** The largest pid that Linux allows, plus one. */
const noPid = 4_194_305;

test('lets exactly one of several that begin at once into the folder', async () => {
  for (let round = 0; round < 5; round++) {
    const root = await temporaryFolder();
    const ends = await Promise.allSettled(Array.from({ length: 6 }, () => FolderLock.take(root, 'home')));
    const taken = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    expect(taken).toHaveLength(1);
    for (const end of ends) if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(FolderLockedError);
    await taken[0]?.release();
    await (await FolderLock.take(root, 'home')).release();
  }
});

test('takes over the lock of a process that ended', async () => {
  const root = await temporaryFolder();
  await leftBehind(root, ofPid(noPid));
  await (await FolderLock.take(root, 'home')).release();
  expect(await readdir(join(root, 'home'))).toEqual([]);
});

test.runIf(process.platform === 'linux')('takes over a lock whose pid belongs to another process now', async () => {
  const root = await temporaryFolder();
  await leftBehind(root, (name) => name.replace(/^((?:[^-]*-){5})\d+/u, (_whole, before: string) => `${before}1`));
  await (await FolderLock.take(root, 'home')).release();
});

test('respects the lock of another machine, and names its file', async () => {
  const root = await temporaryFolder();
  const file = await leftBehind(root, (name) => ofPid(noPid)(name).replace(/[0-9a-f]{12}/u, '0123456789ab'));
  await expect(FolderLock.take(root, 'home')).rejects.toMatchObject({ file, pid: noPid, isHere: false });
});

test('ignores other files, and removes only empty folders that it created', async () => {
  const root = await temporaryFolder();
  const lock = await FolderLock.take(join(root, 'new'), 'home');
  await writeFile(join(root, 'new/file.txt'), '');
  await lock.release();
  expect(await readdir(join(root, 'new'))).toEqual(['file.txt']);
  await writeFile(join(root, '.chatform-lock-mine'), '');
  await (await FolderLock.take(root, '')).release();
  expect(await readdir(root)).toEqual(['.chatform-lock-mine', 'new']);
});
