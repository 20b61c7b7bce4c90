// Tests that a temporary file keeps its bytes, has no name, and belongs to its user alone.
import { readdirSync, writeSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TempFile } from '../../src/lib/temp-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('returns bytes from their position and has no name', async () => {
  const folder = await temporaryFolder();
  const file = new TempFile(folder);
  expect(readdirSync(folder)).toEqual([]);
  file.write(Buffer.from('later'), 3);
  file.write(Buffer.from('now'), 0);
  const bytes = Buffer.alloc(8);
  file.read(bytes, 0);
  expect(bytes.toString()).toBe('nowlater');
  expect(() => file.read(bytes, 1)).toThrow('cut');
  file.close();
});

test('throws for a missing folder', () => {
  expect(() => new TempFile('/nowhere/at/all')).toThrow('ENOENT');
});

test('continues a partial write, and encrypts what reaches the disk', async () => {
  const written: Buffer[] = [];
  const text = 'a name that is nobody else on the disk';
  const few = (descriptor: number, bytes: Uint8Array, offset: number, _length: number, position: number): number => {
    const part = Buffer.from(bytes).subarray(offset, offset + 5);
    written.push(part);
    return writeSync(descriptor, part, 0, part.length, position);
  };
  const file = new TempFile(await temporaryFolder(), few as typeof writeSync);
  file.write(Buffer.from(text), 0);
  const back = Buffer.alloc(text.length);
  file.read(back, 0);
  expect(back.toString()).toBe(text);
  expect(written.length).toBe(Math.ceil(text.length / 5));
  expect(Buffer.concat(written).toString('latin1')).not.toContain('name');
  // Any part of it, from any position.
  const middle = Buffer.alloc(7);
  file.read(middle, 18);
  expect(middle.toString()).toBe(text.slice(18, 25));
});
