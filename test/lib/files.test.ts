// Tests that a file is written completely or not at all, that pipes and links are kept, and that trees of files are read.

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { lstat, open, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { writeOutput } from '../../src/core/app/context/output-files.ts';
import { writeWhole } from '../../src/lib/durable-files.ts';
import { openFileTree } from '../../src/lib/file-tree.ts';
import { zipOf } from '../migration/convert/support/zip.ts';
import { contentOf } from '../support/folders.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('writes a new file in a new folder, and replaces it', async () => {
  const folder = await temporaryFolder({});
  await writeWhole(join(folder, 'in/report.json'), 'first');
  await writeWhole(join(folder, 'in/report.json'), ['sec', 'ond']);
  expect(await contentOf(folder)).toMatchObject({ 'in/report.json': 'second' });
});

test('removes what a process left that was killed while it wrote, but not what another one is writing', async () => {
  const dead = `old.json.chatform-${randomUUID()}.tmp`;
  const live = `report.json.chatform-${randomUUID()}.tmp`;
  const other = `report.json.${randomUUID()}.tmp`;
  const folder = await temporaryFolder({ [dead]: '{', [live]: '{', [other]: '{' });
  const twoDaysAgo = Date.now() / 1000 - 2 * 24 * 3600;
  for (const name of [dead, other]) await utimes(join(folder, name), twoDaysAgo, twoDaysAgo);
  await writeWhole(join(folder, 'report.json'), 'new');
  expect((await readdir(folder)).sort()).toEqual(['report.json', live, other].sort());
});

test('writes the file behind a link', async () => {
  const folder = await temporaryFolder({ 'kept/report.json': 'old' });
  const link = join(folder, 'report.json');
  await symlink('kept/report.json', link);
  await writeWhole(link, 'new');
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(await readFile(join(folder, 'kept/report.json'), 'utf8')).toBe('new');
});

test('writes to a pipe', async () => {
  const folder = await temporaryFolder({});
  const pipe = join(folder, 'pipe');
  await promisify(execFile)('mkfifo', [pipe]);
  const [read] = await Promise.all([readFile(pipe, 'utf8'), writeWhole(pipe, 'text')]);
  expect(read).toBe('text');
  expect((await lstat(pipe)).isFIFO()).toBe(true);
});

test('waits for the reader of a pipe on the event loop, where no thread keeps the process from ending', async () => {
  const folder = await temporaryFolder({});
  const pipe = join(folder, 'pipe');
  await promisify(execFile)('mkfifo', [pipe]);
  // More than the threads of libuv, which would all wait and let nobody open the other end.
  const writing = Array.from({ length: 8 }, () => writeWhole(pipe, 'text'));
  const reader = await open(pipe, constants.O_RDWR);
  onTestFinished(() => reader.close());
  await Promise.all(writing);
  const { buffer, bytesRead } = await reader.read(Buffer.alloc(100));
  expect(buffer.toString('utf8', 0, bytesRead)).toBe('text'.repeat(8));
});

test('writes to a character device, and refuses a socket', async () => {
  const folder = await temporaryFolder({});
  await symlink('/dev/null', join(folder, 'null'));
  await writeWhole(join(folder, 'null'), 'text');
  expect((await stat(join(folder, 'null'))).isCharacterDevice()).toBe(true);
  const socket = join(folder, 'socket');
  const server = createServer().listen(socket);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  await expect(writeOutput(socket, 'text')).rejects.toMatchObject({ code: 'file.unwritable' });
  expect((await lstat(socket)).isSocket()).toBe(true);
  expect((await readdir(folder)).sort()).toEqual(['null', 'socket']);
});

test('names a file that it cannot write, and leaves nothing behind', async () => {
  const folder = await temporaryFolder({ 'file.txt': 'x', 'folder/x.txt': 'x' });
  const before = await contentOf(folder);
  for (const name of ['file.txt/report.json', 'folder']) {
    await expect(writeOutput(join(folder, name), 'text')).rejects.toMatchObject({
      code: 'file.unwritable',
      message: expect.stringContaining(name),
    });
  }
  expect(await contentOf(folder)).toEqual(before);
});

const texts = { 'a.json': 'one', 'b/c.json': 'x'.repeat(3_000), 'b/d.json': '' };

test.for(['folder', 'zip', 'file'] as const)(
  'reads a tree of files, here a %s, and refuses longer ones',
  async (type) => {
    const folder = await temporaryFolder(texts);
    const zip = join(await temporaryFolder(), 'a.zip');
    await writeFile(zip, zipOf(texts));
    const names = type === 'file' ? ['a.json'] : Object.keys(texts);
    const tree = await openFileTree(type === 'zip' ? zip : type === 'folder' ? folder : join(folder, 'a.json'), true);
    expect(tree.type).toBe(type);
    for (const [name, text] of Object.entries(texts).filter(([one]) => names.includes(one))) {
      expect((await tree.read(name, text.length)).toString()).toBe(text);
      await expect(tree.read(name, text.length - 1)).rejects.toThrow('more than');
    }
    tree.close();
  },
);

test('reads names in a zip archive that are UTF-8 without a flag, and others as CP437', async () => {
  const folder = await temporaryFolder({});
  const names = ['основной-канал/a.json', 'plain.json', 'r\u00e4ume.json'];
  await writeFile(join(folder, 'export.zip'), zipOf(names.map((name) => ({ name, content: name, isUnflagged: true }))));
  const tree = await openFileTree(join(folder, 'export.zip'), false);
  onTestFinished(() => tree.close());
  expect(tree.files.map(({ path }) => path)).toEqual(names);
  for (const name of names) expect(String(await tree.read(name, 100))).toBe(name);
  const bytes = zipOf([{ name: 'r__ume.json', content: 'x', isUnflagged: true }]);
  await writeFile(
    join(folder, 'old.zip'),
    Buffer.from(bytes.toString('latin1').replaceAll('__', '\u0084\u0084'), 'latin1'),
  );
  const old = await openFileTree(join(folder, 'old.zip'), false);
  onTestFinished(() => old.close());
  expect(old.files.map(({ path }) => path)).toEqual(['r\u00e4\u00e4ume.json']);
});
