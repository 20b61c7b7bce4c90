// Tests that a spooled series returns the pushed values, in memory and on disk, and leaves no file behind, and that a temporary
// file keeps its bytes and belongs to its user alone.
import { readdirSync, writeSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolderUnusable } from '../../src/core/app/context/this-process.ts';
import { Spool } from '../../src/lib/spool.ts';
import { TempFile } from '../../src/lib/temp-file.ts';
import { soon } from '../support/soon.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function spoolOf(inMemory: number): Promise<{ spool: Spool; folder: string }> {
  const folder = await temporaryFolder();
  const spool = new Spool({ folder, inMemory });
  onTestFinished(() => spool.close());
  return { spool, folder };
}

test('returns values in order and by position, any number of times', async () => {
  const { spool, folder } = await spoolOf(20);
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { maxLength: 12 }), (values) => {
      const plain = JSON.parse(JSON.stringify(values)) as unknown[];
      const collector = spool.collect<unknown>();
      for (const value of plain) collector.push(value);
      const series = collector.end();
      expect(series.length).toBe(plain.length);
      expect([...series]).toEqual(plain);
      expect([...series]).toEqual(plain);
      expect(plain.map((_value, index) => series.at(index))).toEqual(plain);
      expect(series.at(plain.length)).toBe(undefined);
    }),
    { numRuns: 50 },
  );
  expect(readdirSync(folder)).toEqual([]);
});

test('returns values over several chunks, and one that is larger than a chunk', async () => {
  const { spool } = await spoolOf(0);
  const collector = spool.collect<{ id: number; text: string }>();
  const textOf = (id: number): string => (id === 50 ? 'é'.repeat(800_000) : `${id}`.repeat(3000));
  for (let id = 0; id < 400; id += 1) collector.push({ id, text: textOf(id) });
  const series = collector.end();
  let next = 0;
  for (const { id, text } of series) {
    expect(id).toBe(next);
    expect(text === textOf(id)).toBe(true);
    next += 1;
  }
  expect(next).toBe(400);
  expect(series.at(50)?.text.length).toBe(800_000);
});

test('closes the file of a series that is garbage', async () => {
  setFlagsFromString('--expose_gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const { spool } = await spoolOf(0);
  const make = (value: number) => {
    const collector = spool.collect<number>();
    collector.push(value);
    return collector.end();
  };
  const kept = make(1);
  const openFiles = () => readdirSync('/dev/fd').length;
  const before = openFiles();
  for (let value = 0; value < 50; value += 1) make(value);
  expect(openFiles()).toBeGreaterThanOrEqual(before + 50);
  await soon(() => {
    collectGarbage();
    return openFiles() < before + 25;
  });
  expect([...kept]).toEqual([1]);
});

test('gives each iteration its own position', async () => {
  const { spool } = await spoolOf(0);
  const collector = spool.collect<number>();
  for (const value of [1, 2, 3]) collector.push(value);
  const series = collector.end();
  const pairs: number[][] = [];
  for (const left of series) for (const right of series) pairs.push([left, right]);
  expect(pairs).toHaveLength(9);
  expect(pairs[5]).toEqual([2, 3]);
});

test.for([
  ['no room left', 'ENOSPC', 'is full.'],
  ['a quota that is used up', 'EDQUOT', 'is full.'],
  ['a disk that fails', 'EIO', 'cannot be used (EIO).'],
] as const)('%s is reported, with advice', async ([, code, says]) => {
  const folder = await temporaryFolder();
  const write = (): number => {
    throw Object.assign(new Error('raw'), { code });
  };
  const spool = new Spool({ folder, inMemory: 0, write, onFailure: temporaryFolderUnusable });
  onTestFinished(() => spool.close());
  const collector = spool.collect<string>();
  collector.push('one');
  expect(() => collector.end()).toThrow(
    expect.objectContaining({
      code: 'file.no-room',
      exitCode: 1,
      message: expect.stringMatching(new RegExp(`^.*${folder}.*${says.replace(/[().]/gu, '.')}$`, 'u')),
      advice: expect.stringContaining('TMPDIR='),
    }),
  );
});

test('reports a missing folder', () => {
  const spool = new Spool({ folder: '/nowhere/at/all', inMemory: 0, onFailure: temporaryFolderUnusable });
  expect(() => spool.collect<string>().push('one')).toThrow('/nowhere/at/all, cannot be used (ENOENT).');
});

test('a temporary file returns bytes from their position and has no name', async () => {
  const folder = await temporaryFolder();
  const file = new TempFile(folder);
  expect(readdirSync(folder)).toEqual([]);
  file.write(Buffer.from('later'), 3);
  file.write(Buffer.from('now'), 0);
  const all = file.read(8, 0);
  expect(file.read(5, 3).toString()).toBe('later');
  expect(all.toString()).toBe('nowlater');
  expect(() => file.read(8, 1)).toThrow('cut');
  file.close();
});

test('a temporary file returns as many bytes as are asked for', async () => {
  const bytes = Buffer.alloc(3 << 18, 'a text that repeats');
  const file = new TempFile(await temporaryFolder());
  file.write(bytes, 0);
  const reads = [1, 1 << 18, (1 << 18) + 1, bytes.length].map((length) => file.read(length, 0));
  for (const read of reads) expect(read.equals(bytes.subarray(0, read.length))).toBe(true);
  expect(reads.map(({ length }) => length)).toEqual([1, 262_144, 262_145, 786_432]);
});

test('a temporary file continues a partial write, and encrypts what reaches the disk', async () => {
  const written: Buffer[] = [];
  const text = 'a name that is nobody else on the disk';
  const few = (descriptor: number, bytes: Uint8Array, offset: number, _length: number, position: number): number => {
    const part = Buffer.from(bytes).subarray(offset, offset + 5);
    written.push(part);
    return writeSync(descriptor, part, 0, part.length, position);
  };
  const file = new TempFile(await temporaryFolder(), few as typeof writeSync);
  file.write(Buffer.from(text), 0);
  expect(file.read(text.length, 0).toString()).toBe(text);
  expect(written.length).toBe(Math.ceil(text.length / 5));
  expect(Buffer.concat(written).toString('latin1')).not.toContain('name');
  // Any part of it, from any position.
  expect(file.read(7, 18).toString()).toBe(text.slice(18, 25));
});
