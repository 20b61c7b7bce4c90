// Tests that README's manifest can be applied, and that chatform prints the plan below it.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../src/emulator/server.ts';
import { reaching } from '../support/desk.ts';
import { copyManifests, writeFiles } from '../support/folders.ts';
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

test("the check of an application of one's own runs as it is written", async () => {
  const running = await startEmulator({ rateLimits: false });
  onTestFinished(() => running.close());
  const cwd = await temporaryFolder();
  await copyManifests(join(import.meta.dirname, '../../examples/history'), cwd);
  const env = { ...reaching(running), CHATFORM_BASE_URL: running.url };
  const [, script = ''] =
    /cp -r examples\/history try && cd try\n([\s\S]*?)```/u.exec(await readFile(page, 'utf8')) ?? [];
  const commands = script.split('\n').map((line) => line.replace(/\s+#.*$/u, ''));
  expect(commands).toHaveLength(10);
  const said: string[] = [];
  for (const command of commands) {
    const [, words] = /^npx --no-install chatform (.*)$/u.exec(command) ?? [];
    if (command.startsWith('rm -r ')) await rm(join(cwd, command.slice(6)), { recursive: true });
    if (words === undefined) continue;
    const { exit, stdout, stderr } = await runCli(words.split(' '), { cwd, env });
    expect(exit, `${command}\n${stderr}`).toBe(0);
    said.push(stdout);
  }
  expect(said.join('')).toContain('No changes. The platform is as declared.');
});
