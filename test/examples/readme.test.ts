// Tests that README's manifest can be applied, that chatform prints the plan below it, and that its picture shows this plan.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFiles } from '../support/folders.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { terminalPicture } from '../support/terminal-picture.ts';

const project = join(import.meta.dirname, '../..');
const page = join(project, 'README.md');

test('the manifest can be applied, and its edit is planned as the page and its picture show', async () => {
  const readme = await readFile(page, 'utf8');
  const manifest = /```yaml\n([\s\S]*?)```/u.exec(readme)?.[1] ?? '';
  const cwd = await temporaryFolder({ 'chat.yaml': manifest });
  expect(await runCli(['apply', '--auto-approve'], { cwd })).toMatchObject({ exit: 0 });
  const edited = manifest.replace(/^ {6}bob:.*\n/mu, '').replace('[alice] }', '[alice], frozen: true }');
  await writeFiles(cwd, { 'chat.yaml': edited });
  const { stdout } = await runCli(['plan', '--color', 'always'], { cwd });
  const title = 'A plan: bob leaves support-42, and the lobby is frozen';
  const picture = terminalPicture(title, `$ chatform plan\n\n${stdout.trimStart()}`);
  await expect(picture).toMatchFileSnapshot(join(project, 'examples/plan.svg'));
  expect(readme).toContain(`![${title}](examples/plan.svg)`);
});

test('is short: at most 120 lines and 800 words', async () => {
  const readme = await readFile(page, 'utf8');
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
  const prose = readme.replaceAll(/^```[\s\S]*?^```/gmu, '').replaceAll(/\]\([^)]*\)/gu, ']');
  expect(prose.split(/\s+/u).filter((word) => /\p{L}/u.test(word)).length).toBeLessThanOrEqual(800);
});
