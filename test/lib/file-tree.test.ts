// Tests that a file of a folder, of a zip archive or by itself is read whole, into a room that is large enough or not.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFileTree } from '../../src/lib/file-tree.ts';
import { zipOf } from '../convert/support/zip.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const texts = { 'a.json': 'one', 'b/c.json': 'x'.repeat(3_000), 'b/d.json': '' };

test.for(['folder', 'zip', 'file'] as const)('of a %s', async (type) => {
  const folder = await temporaryFolder(texts);
  const zip = join(await temporaryFolder(), 'a.zip');
  await writeFile(zip, zipOf(texts));
  const names = type === 'file' ? ['a.json'] : Object.keys(texts);
  const tree = await openFileTree(type === 'zip' ? zip : type === 'folder' ? folder : join(folder, 'a.json'), true);
  expect(tree.type).toBe(type);
  for (const [name, text] of Object.entries(texts).filter(([one]) => names.includes(one))) {
    for (const room of [undefined, 0, 1, text.length - 1, text.length, text.length + 1, 10_000].map((size) =>
      size === undefined ? undefined : Buffer.alloc(Math.max(0, size), '?'),
    )) {
      expect((await tree.read(name, 1_000_000, room)).toString()).toBe(text);
    }
    await expect(tree.read(name, text.length - 1)).rejects.toThrow('more than');
  }
  tree.close();
});
