// Support: builds the program into another folder than dist, as `npm run build` does. The validators must be there already;
// `npm ci` makes them.
import { execFile } from 'node:child_process';
import { copyFile, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const project = join(import.meta.dirname, '../..');

/** The environment variable with the folder in which the program is installed already. */
export const installedIn = 'INSTALLED_IN';

/** For the compiler: the memory of a process this short need not be collected. */
export const uncollected = { ...process.env, GOGC: 'off' };

/** What a test of the bundles looks at, beside the code in `dist`. */
export interface Bundle {
  readonly name: string;
  readonly fileName: string;
  readonly imports: readonly string[];
  readonly moduleIds: readonly string[];
}

/** The types of the library. With `--noCheck`, which is faster, the sources may have errors. */
export async function typesTo(dist: string, ...flags: readonly string[]): Promise<void> {
  const compiler = join(project, 'node_modules/typescript/bin/tsc');
  const args = [compiler, '-p', 'test/config/tsconfig.build.json', '--outDir', dist, ...flags];
  await promisify(execFile)(process.execPath, args, { cwd: project, env: uncollected });
}

/**
 * The installed program: `dist/cli/main.js` in the folder, next to the other files of its package, and its bundles as a list in
 * `bundles.json`.
 */
export async function installInto(folder: string): Promise<void> {
  await writeFile(join(folder, 'bundles.json'), JSON.stringify(await bundleTo(join(folder, 'dist'))));
  await copyFile(join(project, 'package.json'), join(folder, 'package.json'));
  for (const name of ['node_modules', 'schema', 'examples', 'src'])
    await symlink(join(project, name), join(folder, name));
}

/** The list that `installInto` wrote. */
export async function bundlesIn(folder: string): Promise<readonly Bundle[]> {
  return JSON.parse(await readFile(join(folder, 'bundles.json'), 'utf8'));
}

async function bundleTo(dist: string): Promise<readonly Bundle[]> {
  const [{ rolldown }, { default: config }] = await Promise.all([
    import('rolldown'),
    import('../config/rolldown.config.ts'),
  ]);
  const bundle = await rolldown({ ...config, cwd: project });
  const { output } = await bundle.write({ ...config.output, dir: dist });
  await bundle.close();
  return output.flatMap((made) => {
    if (made.type !== 'chunk') return [];
    const { name, fileName, imports, moduleIds } = made;
    return [{ name, fileName, imports, moduleIds }];
  });
}
