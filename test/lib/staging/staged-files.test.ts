// Tests that generated files are replaced all at once or not at all, and that edited files are found.
import { cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digestText } from '../../../src/lib/digest.ts';
import { FolderLock } from '../../../src/lib/staging/folder-lock.ts';
import { digestOfFile, StagedFiles } from '../../../src/lib/staging/staged-files.ts';
import { Turns } from '../../../src/lib/turns.ts';
import { contentOf } from '../../support/folders.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const locks = new Map<string, FolderLock>();

/** The files of a folder whose lock this test keeps. */
async function opened(root: string): Promise<StagedFiles> {
  const lock = locks.get(root) ?? (await FolderLock.take(root, 'home'));
  locks.set(root, lock);
  return StagedFiles.open(lock);
}

async function write(root: string, files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const staged = await opened(root);
  for (const [name, text] of Object.entries(files)) staged.append(name, text);
  return staged.commit();
}

async function generated(root: string): Promise<Readonly<Record<string, string>>> {
  const all = Object.entries(await contentOf(root)).filter(
    ([name, text]) => text !== 'folder' && !name.startsWith('home/'),
  );
  return Object.fromEntries(all);
}

test('replaces generated files, and keeps the others', async () => {
  const root = await temporaryFolder({ 'mine.txt': 'mine' });
  await write(root, { 'a.txt': '1', 'b/c.txt': '2' });
  expect(await write(root, { 'a.txt': '3', 'd.txt': '4' })).toEqual(['a.txt', 'd.txt']);
  expect(await generated(root)).toEqual({ 'a.txt': '3', 'd.txt': '4', 'mine.txt': 'mine' });
  await locks.get(root)?.release();
  expect(await readdir(join(root, 'home'))).toEqual(['generated.json']);
});

test('writes texts of every length and alphabet as they were appended, in whatever order', async () => {
  const root = await temporaryFolder();
  const staged = await opened(root);
  const wanted: Record<string, string> = {};
  // More than wait in memory, with characters of one to four bytes, and a file that is asked for in between.
  for (let number = 0; number < 400; number++) {
    const name = `${number % 7}.txt`;
    const text = ['a', 'é', '語', '😀'][number % 4]?.repeat((number * 131) % 30_000) ?? '';
    wanted[name] = `${wanted[name] ?? ''}${text}`;
    staged.append(name, text);
    if (number % 50 === 0) expect(staged.digestOf(name)).toBe(digestText(wanted[name]));
  }
  await staged.commit();
  expect(await generated(root)).toEqual(wanted);
  for (const [name, text] of Object.entries(wanted))
    expect(await digestOfFile(join(root, name))).toBe(digestText(text));
});

test('changes nothing without a commit', async () => {
  const root = await temporaryFolder();
  await write(root, { 'a.txt': '1' });
  const staged = await opened(root);
  staged.append('a.txt', '2');
  staged.pathOf('a.txt');
  expect(await generated(root)).toEqual({ 'a.txt': '1' });
  await opened(root);
  expect(await generated(root)).toEqual({ 'a.txt': '1' });
});

test.for([0, 1, 2])('completes a commit that was interrupted after %i files', async (moved) => {
  const root = await temporaryFolder();
  await write(root, { 'a.txt': '1', 'old.txt': '1' });
  const staged = await opened(root);
  for (const name of ['a.txt', 'b.txt', 'c.txt']) staged.append(name, '2');
  for (const name of ['a.txt', 'b.txt', 'c.txt']) staged.pathOf(name);
  const before = await temporaryFolder();
  await cp(join(root, 'home/.staged'), join(before, 'staged'), { recursive: true });
  await cp(join(root, 'home/generated.json'), join(before, 'generated.json'));
  await staged.commit();
  // A kill leaves the commit file and has done only some of the moves.
  const index = JSON.parse((await contentOf(join(root, 'home')))['generated.json'] ?? '');
  await writeFile(join(root, 'home/.commit.json'), JSON.stringify({ index, removed: ['old.txt'] }));
  await cp(join(before, 'generated.json'), join(root, 'home/generated.json'));
  await mkdir(join(root, 'home/.staged'));
  for (const name of ['a.txt', 'b.txt', 'c.txt'].slice(moved)) {
    await rename(join(before, 'staged', name), join(root, 'home/.staged', name));
    await rm(join(root, name));
  }
  await writeFile(join(root, 'old.txt'), '1');
  await opened(root);
  expect(await generated(root)).toEqual({ 'a.txt': '2', 'b.txt': '2', 'c.txt': '2' });
});

test('names edited files', async () => {
  const root = await temporaryFolder();
  await write(root, { 'a.txt': '1', 'b.txt': '1', 'c.txt': '1' });
  for (const name of ['a.txt', 'c.txt', 'd.txt']) await writeFile(join(root, name), 'edited');
  const staged = await opened(root);
  for (const name of ['a.txt', 'b.txt', 'd.txt']) staged.append(name, '2');
  expect(await staged.edited()).toEqual(['a.txt', 'c.txt', 'd.txt']);
});

test('recognises a rewritten file by its new text', async () => {
  const root = await temporaryFolder();
  const staged = await opened(root);
  staged.append('a.txt', 'before');
  await staged.rewrite('a.txt', ['af', 'ter'], new Turns(() => undefined));
  await staged.commit();
  const again = await opened(root);
  expect(await again.edited()).toEqual([]);
  expect(await generated(root)).toEqual({ 'a.txt': 'after' });
});

test('a signal ends the rewriting of a long file', async () => {
  const staged = await opened(await temporaryFolder());
  staged.append('a.txt', 'before');
  let isInterrupted = false;
  const turns = new Turns(() => {
    if (isInterrupted) throw new Error('interrupted');
  });
  setImmediate(() => {
    isInterrupted = true;
  });
  function* endless(): Generator<string> {
    for (;;) yield 'x';
  }
  await expect(staged.rewrite('a.txt', endless(), turns)).rejects.toThrow('interrupted');
});
