// Tests that README's manifest can be applied, and that chatform prints the plan below it.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFiles } from '../support/folders.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const page = join(import.meta.dirname, '../../README.md');

test('the manifest can be applied, and its edit is planned as shown', async () => {
  const readme = await readFile(page, 'utf8');
  const manifest = /```yaml\n([\s\S]*?)```/u.exec(readme)?.[1] ?? '';
  const cwd = await temporaryFolder({ 'chat.yaml': manifest });
  expect(await runCli(['apply', '--auto-approve'], { cwd })).toMatchObject({ exit: 0 });
  const edited = manifest.replace(/^ {6}bob:.*\n/mu, '').replace('[alice] }', '[alice], frozen: true }');
  await writeFiles(cwd, { 'chat.yaml': edited });
  const { stdout } = await runCli(['plan'], { cwd });
  const shown = readme.replace(/(?<=\$ chatform plan\n)[\s\S]*?(?=```)/u, () => `\n${stdout.trimStart()}`);
  await expect(shown).toMatchFileSnapshot(page);
});
