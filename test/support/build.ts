// Support: builds the program into another folder than dist, as `npm run build` does. The validators must be there already;
// `npm ci` makes them.
import { execFile } from 'node:child_process';
import { copyFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const project = join(import.meta.dirname, '../..');

/** The environment variable with the folder in which the program is installed already. */
export const installedIn = 'INSTALLED_IN';

/** For the compiler: the memory of a process this short need not be collected. */
export const uncollected = { ...process.env, GOGC: 'off' };

/** The types of the library. With `--noCheck`, which is faster, the sources may have errors. */
export async function typesTo(dist: string, ...flags: readonly string[]): Promise<void> {
  await tool('typescript/bin/tsc', '-p', 'test/config/tsconfig.build.json', '--outDir', dist, ...flags);
}

/** The installed program: `dist/cli/main.js` in the folder, next to the other files of its package. */
export async function installInto(folder: string): Promise<void> {
  await bundleTo(join(folder, 'dist'));
  await copyFile(join(project, 'package.json'), join(folder, 'package.json'));
  for (const name of ['node_modules', 'schema', 'examples', 'src'])
    await symlink(join(project, name), join(folder, name));
}

async function bundleTo(dist: string): Promise<void> {
  await tool('rolldown/bin/cli.mjs', '-c', 'test/config/rolldown.config.ts', '--dir', dist);
}

async function tool(path: string, ...args: string[]): Promise<void> {
  await run(process.execPath, [join(project, 'node_modules', path), ...args], { cwd: project, env: uncollected });
}
