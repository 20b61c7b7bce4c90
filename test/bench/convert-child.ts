// Bench child: converts a Slack export, or only reads and parses its files, and prints what that cost.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { convertExport } from '../../src/app/convert.ts';

const [mode = '', exported = '', out = ''] = process.argv.slice(2);
const started = performance.now();
if (mode === 'convert') await convertExport({ source: 'slack', exported, out });
else {
  for (const entry of await readdir(exported, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) JSON.parse(await readFile(join(entry.parentPath, entry.name), 'utf8'));
  }
}
const { user, system } = process.cpuUsage();
const rssMb = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ ms: performance.now() - started, cpuMs: (user + system) / 1000, rssMb }));
