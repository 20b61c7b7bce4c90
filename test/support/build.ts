// Support: builds the program and the types of the library into another folder than dist, as `npm run build` does.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const project = join(import.meta.dirname, '../..');

/** The validators must be there already; `npm ci` makes them. */
export async function buildTo(dist: string): Promise<void> {
  const tool = (path: string, ...args: string[]) =>
    run(process.execPath, [join(project, 'node_modules', path), ...args], { cwd: project });
  await tool('typescript/bin/tsc', '-p', 'test/config/tsconfig.build.json', '--outDir', dist);
  await tool('rolldown/bin/cli.mjs', '-c', 'test/config/rolldown.config.ts', '--dir', dist);
}
