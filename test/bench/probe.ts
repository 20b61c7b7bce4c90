// What a process takes: its processor time and its memory, written when it ends.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

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
