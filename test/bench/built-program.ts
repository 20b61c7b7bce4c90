// The program as it is installed: built, in a folder of its own.
import { copyFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { buildTo } from '../support/build.ts';

const project = join(import.meta.dirname, '../..');

/** The program is `dist/cli/main.js` in the folder. */
export async function buildInto(folder: string): Promise<void> {
  await buildTo(join(folder, 'dist'));
  await copyFile(join(project, 'package.json'), join(folder, 'package.json'));
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
}
