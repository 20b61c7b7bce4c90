// Tests trees of files: a folder, a zip archive, a single file.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFileTree } from '../../src/lib/file-tree.ts';
import { zipOf } from '../convert/support/zip.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const texts = { 'a.json': 'one', 'b/c.json': 'x'.repeat(3_000), 'b/d.json': '' };

test.for(['folder', 'zip', 'file'] as const)('reads the files of a %s and refuses longer ones', async (type) => {
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
});
