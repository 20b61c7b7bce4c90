// Tests which folders are accepted for state: only regular files are read and replaced, and a file system without hard links
// or flushes is refused.
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stateBackend } from '../../../../src/core/state/engine/backend.ts';
import { journalKey } from '../../../../src/core/state/engine/layout.ts';
import { folderAddress } from '../../../../src/core/state/stores/folder.ts';
import { type FolderFiles, nodeFiles } from '../../../../src/core/state/stores/folder-files.ts';
import {
  application,
  contentsOf,
  now,
  Processes,
  put,
  readBy,
  recordOf,
  refusalOf,
} from '../../../support/state/fixtures.ts';
import { Disk, type Operation } from '../../../support/state/simulated-disk.ts';
import { longTest } from '../../../support/suite.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const others: readonly (readonly [string, (at: string) => void])[] = [
  ['a device', (at) => symlinkSync('/dev/zero', at)],
  ['a pipe', (at) => void execFileSync('mkfifo', [at])],
  ['a folder', (at) => mkdirSync(at)],
];

test.for(others)('%s in place of the snapshot is not read, waited for or replaced', async ([, make]) => {
  const folder = await temporaryFolder();
  const at = join(folder, 'state.ndjson');
  make(at);
  const before = lstatSync(at);
  const backend = stateBackend(folderAddress('file:s', folder), new Processes().start());
  for (const use of [() => backend.read(application), () => backend.open(now)])
    expect((await refusalOf(use())).code).toBe('state.corrupt');
  writeFileSync(join(folder, 'state.7.ndjson'), '');
  await expect(nodeFiles.rename(join(folder, 'state.7.ndjson'), at)).rejects.toThrow('is not a regular file');
  expect(lstatSync(at)).toMatchObject({ ino: before.ino, mode: before.mode });
});

test('reads a large file again after others have replaced it, so that nobody keeps its bytes', async () => {
  const folder = await temporaryFolder();
  const at = join(folder, 'snapshot');
  writeFileSync(at, `${'a'.repeat(5 << 20)}end`);
  writeFileSync(join(folder, 'small'), 'b');
  const large = await nodeFiles.read(at);
  await nodeFiles.rename(join(folder, 'small'), at);
  expect(large?.readAgain?.((5 << 20) - 1, 4).toString()).toBe('aend');
  expect((await nodeFiles.read(at))?.readAgain).toBeUndefined();
});

test('a process whose clock is ahead of the file system is refused a live lock', async () => {
  const folder = await temporaryFolder();
  const processes = new Processes();
  const ahead: FolderFiles = {
    ...nodeFiles,
    read: async (path) => {
      const found = await nodeFiles.read(path);
      return found && { ...found, ageMs: found.ageMs + 7_200_000 };
    },
  };
  const open = (files: FolderFiles, host: string) =>
    stateBackend(folderAddress('file:s', folder, files), processes.start(host)).open(now);
  const holder = await open(nodeFiles, 'host-b');
  expect((await refusalOf(open(ahead, 'host-a'))).code).toBe('state.locked');
  await holder.done('1', put('a'));
  await holder.close();
});

describe('a file system', () => {
  const lacks = (operation: Operation, code: string) => {
    const disk = new Disk();
    const files = disk.mount();
    files.fail = (tried) => (tried === operation ? { code } : undefined);
    const backend = stateBackend(folderAddress('file:s', '/s', files), new Processes().start());
    return { disk, opening: refusalOf(backend.open(now)) };
  };

  test.for<[what: string, operation: Operation, code: string]>([
    ['hard links', 'link', 'EPERM'],
    ['hard links', 'link', 'ENOTSUP'],
    ['hard links', 'link', 'ENOSYS'],
    ['flushes', 'sync', 'EINVAL'],
    ['flushes', 'syncFolder', 'EINVAL'],
    ['flushes', 'syncFolder', 'EOPNOTSUPP'],
  ])('without %s is refused, and left as it was (%s: %s)', async ([what, operation, code]) => {
    const { disk, opening } = lacks(operation, code);
    const refusal = await opening;
    expect(refusal).toMatchObject({ code: 'state.store-unsafe', exitCode: 1 });
    expect(refusal.message).toContain(`cannot be used: its file system has no ${what} (${code}).`);
    expect(refusal.advice).toContain('Keep the state on a local disk, in a database or in a bucket.');
    expect(disk.contents()).toEqual({});
  });

  test('that is full is not mistaken for one without flushes', async () => {
    expect((await lacks('sync', 'ENOSPC').opening).code).toBe('state.write-failed');
  });
});

test('timers fire while folded objects are removed', async () => {
  const folder = await temporaryFolder();
  const store = await folderAddress('file:s', folder).connect(application);
  const keys = Array.from({ length: 50 }, (_, index) => journalKey(1, index + 1));
  for (const key of keys) writeFileSync(join(folder, key.replaceAll('/', '_')), '');
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await store.remove(keys);
  isOver = true;
  expect(turns).toBeGreaterThan(10);
  expect(readdirSync(folder)).toEqual([]);
});

longTest('a run that writes more than memory keeps can be read meanwhile and opens with the same records', async () => {
  const count = 2_000;
  const filler = 'ü'.repeat(6_000);
  const keyOf = (index: number) => String(index).padStart(5, '0');
  const recordAt = (index: number, round: number) => recordOf(keyOf(index), { filler, round });
  const path = join(await temporaryFolder(), 'state');
  const processes = new Processes();
  const start = () => stateBackend(folderAddress('file:s', path), processes.start());
  const writer = await start().open(now);
  const write = (from: number, to: number, round: number) =>
    Promise.all(
      Array.from({ length: to - from }, (_, index) =>
        writer.done(`${from + index}`, put(keyOf(from + index), { filler, round })),
      ),
    );
  await write(0, count, 1);
  expect(writer.get(`user.${keyOf(7)}`)).toEqual(recordAt(7, 1));
  await write(count / 2, count, 2);
  await writer.done('x', {
    type: 'patch',
    address: `user.${keyOf(1_999)}`,
    edits: [{ op: 'set', path: ['round'], value: 3 }],
  });
  await writer.done('y', { type: 'delete', address: `user.${keyOf(0)}` });
  const roundOf = (index: number) => (index === 1_999 ? 3 : index >= count / 2 ? 2 : 1);
  const expected = Array.from({ length: count - 1 }, (_, index) => recordAt(index + 1, roundOf(index + 1)));
  expect(writer.size).toBe(count - 1);
  expect(contentsOf(writer).records).toEqual(expected);
  // Another process has only the journal.
  expect((await readBy(start)).records).toEqual(expected);
  await writer.close();
  // The snapshot that this writer opened is still readable, although it has been replaced.
  expect(contentsOf(writer).records).toEqual(expected);
  expect((await readBy(start)).records).toEqual(expected);
});
