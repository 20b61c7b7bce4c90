// The program as it is installed: built, in a folder of its own.
import { execFile } from 'node:child_process';
import { copyFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const project = join(import.meta.dirname, '../..');

/** The program is `dist/cli/main.js` in the folder. */
export async function buildInto(folder: string): Promise<void> {
  await run(process.execPath, [
    join(project, 'node_modules/typescript/bin/tsc'),
    ...['-p', join(project, 'test/config/tsconfig.build.json'), '--outDir', join(folder, 'dist')],
  ]);
  await copyFile(join(project, 'package.json'), join(folder, 'package.json'));
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
}
