// A temporary file keeps what was written, has no name, and belongs to its user alone.
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TempFile } from '../../src/lib/temp-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('bytes come back from where they were written, and no name is left', async () => {
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

test('the error of a folder that does not exist is thrown', () => {
  expect(() => new TempFile('/nowhere/at/all')).toThrow('ENOENT');
});

test('a write that takes only a part is continued', async () => {
  const written: string[] = [];
  const file = new TempFile(await temporaryFolder(), (_descriptor, bytes, offset) => {
    written.push(Buffer.from(bytes as Uint8Array).toString('utf8', offset as number, (offset as number) + 1));
    return 1;
  });
  file.write(Buffer.from('abc'), 0);
  expect(written.join('')).toBe('abc');
});
