// Do the files under schema/ say what the code says? Writes them; with --check only compares, and fails when stale.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { schemas } from './schemas.ts';

const folder = join(import.meta.dirname, '../../schema');
const check = process.argv.includes('--check');
const stale: string[] = [];

await mkdir(folder, { recursive: true });
for (const [name, print] of Object.entries(schemas)) {
  const file = join(folder, `${name}.schema.json`);
  const text = print();
  const found = await readFile(file, 'utf8').catch(() => undefined);
  if (found === text) continue;
  if (check) stale.push(`schema/${name}.schema.json`);
  else await writeFile(file, text);
}
if (stale.length > 0) {
  process.stderr.write(`Stale: ${stale.join(', ')}. Run: npm run schema\n`);
  process.exitCode = 1;
}
