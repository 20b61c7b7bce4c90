// The program as it is installed: built, in a folder of its own.
import { copyFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildTo } from '../support/build.ts';

const project = join(import.meta.dirname, '../..');

/** Writes to the file of the environment variable PROBE, at the end of a process, what that took. */
const probe = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const { maxRSS } = process.resourceUsage();
  require('node:fs').writeFileSync(process.env.PROBE, JSON.stringify({ cpuS: (user + system) / 1e6, rssMb: maxRSS / 1024 }));
});\n`;

/** Returns the file for `--require`. */
export async function writeProbe(folder: string): Promise<string> {
  const file = join(folder, 'probe.cjs');
  await writeFile(file, probe);
  return file;
}

/** The program is `dist/cli/main.js` in the folder. */
export async function buildInto(folder: string): Promise<void> {
  await buildTo(join(folder, 'dist'));
  await copyFile(join(project, 'package.json'), join(folder, 'package.json'));
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
}
