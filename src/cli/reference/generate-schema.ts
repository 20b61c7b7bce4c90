// Writes the schemas, the validators compiled from them and the reference; with --check only compares them.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { schemas } from '../../app/schemas.ts';
import { diagnosticsPage } from './diagnostics.ts';
import { validatorsText } from './generate-validators.ts';
import { referencePage } from './reference.ts';

const root = join(import.meta.dirname, '../../..');
const check = process.argv.includes('--check');
const stale: string[] = [];

const texts: [string, string][] = [
  ...Object.entries(schemas).map(([name, print]): [string, string] => [`schema/${name}.schema.json`, print()]),
  ['schema/reference.md', referencePage()],
  ['schema/diagnostics.md', diagnosticsPage()],
  ['src/manifest/schema/generated/validators.ts', await validatorsText()],
];
for (const [name, text] of texts) {
  const file = join(root, name);
  const found = await readFile(file, 'utf8').catch(() => undefined);
  if (found === text) continue;
  if (check) stale.push(name);
  else {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
if (stale.length > 0) {
  process.stderr.write(`Stale: ${stale.join(', ')}. Run: npm run schema\n`);
  process.exitCode = 1;
}
