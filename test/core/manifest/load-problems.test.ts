// Tests the report for each kind of bad input: a file or folder under cases/ with the expected text beside it.
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadManifests } from '../../../src/core/manifest/load.ts';
import type { Diagnostic } from '../../../src/core/model/diagnostic.ts';
import { printPosition } from '../../../src/core/model/source.ts';
import { registry } from '../../../src/core/resources/index.ts';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'cases');
const cases = readdirSync(folder).filter((name) => !name.endsWith('.expected.txt'));
const variables: Readonly<Record<string, string>> = {
  APP_ID: 'test-app',
  DOOR_CODE: 'hunter2',
  EMPTY: '',
  SIDE_CODE: 'hunter3',
};

test.for(cases)('reports %s', async (name) => {
  const loaded = await loadManifests([name], { kinds: registry, cwd: folder, variables: (key) => variables[key] });
  const expected = join(folder, `${basename(name, '.yaml')}.expected.txt`);
  await expect(`${loaded.diagnostics.map(shown).join('\n')}`).toMatchFileSnapshot(expected);
});

function shown({ severity, code, summary, detail, address, source, excerpt }: Diagnostic): string {
  const place = source === undefined ? '' : ` ${printPosition(source)}`;
  const lines = [
    `${severity} ${code}${place}${address === undefined ? '' : ` ${address}`}`,
    `  ${summary}`,
    `  ${detail}`,
  ];
  if (excerpt !== undefined) lines.push(`  | ${excerpt}`, `  | ${' '.repeat((source?.column ?? 1) - 1)}^`);
  return `${lines.join('\n')}\n`;
}
