// Tests that YAML of other programs in the folder is skipped and named, and never hides that a manifest is missing.
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { writeFiles } from '../../support/folders.ts';
import { expectEnd, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const compose = 'version: "3.8"\nservices:\n    web: { image: nginx }\n';

test('works beside a compose file with every command', async () => {
  const cwd = await temporaryFolder({ 'docker-compose.yml': compose });
  const init = await runCli(['init'], { cwd });
  expect(init.stdout).toMatch(/written +chatform\.yaml/u);
  const commands = ['validate', 'fmt', 'plan', 'apply', 'rehearse', 'drift', 'verify', 'explain user.alice'];
  for (const command of commands) {
    const end = await expectEnd(
      runCli(command.split(' '), { cwd, env: { CHATFORM_RATE_PLAN: '100k_mau' }, answers: ['yes'] }),
      0,
    );
    const notes = `${end.stdout}${end.stderr}`.split('note[manifest.foreign]').length - 1;
    expect(notes, command).toBe(1);
  }
});

test('leaves a mapping beside manifests alone, also given by name', async () => {
  const mapping = await readFile('examples/operations/move-from-anything/postgresql/mapping.yaml', 'utf8');
  const cwd = await temporaryFolder({ ...desk, 'mapping.yaml': mapping });
  for (const args of [['validate'], ['validate', 'chat.yaml', 'mapping.yaml'], ['fmt', 'chat.yaml', 'mapping.yaml']]) {
    const end = await runCli(args, { cwd });
    expect(end, args.join(' ')).toMatchObject({ exit: 0 });
    expect(`${end.stdout}${end.stderr}`).toContain('mapping.yaml was skipped: a mapping is input of chatform convert');
  }
  expect(await readFile(join(cwd, 'mapping.yaml'), 'utf8')).toBe(mapping);
  expect(await runCli(['fmt', 'mapping.yaml'], { cwd })).toMatchObject({ exit: 65 });
});

test('refuses a compose file given by name', async () => {
  const cwd = await temporaryFolder({ ...desk, 'docker-compose.yml': compose });
  for (const args of [['docker-compose.yml'], ['.', 'docker-compose.yml']]) {
    const end = await expectEnd(runCli(['validate', ...args], { cwd }), 65);
    expect(end.stdout).toContain('manifest.unknown-key');
  }
});

test('counts an applied file as missing when it is no longer a manifest', async () => {
  const more = 'version: 1\nusers:\n  dave: { nickname: Dave }\n';
  const cwd = await temporaryFolder({ ...desk, 'more.yaml': more });
  expect(await runCli(['apply', '--auto-approve'], { cwd })).toMatchObject({ exit: 0 });
  for (const text of [compose, 'metadata: {{ .Release }}\n']) {
    await writeFiles(cwd, { 'more.yaml': text });
    for (const args of [['plan'], ['apply', '--auto-approve']]) {
      await expectEnd(runCli(args, { cwd }), 5, 'safety.input-shrank', 'note[manifest.foreign]');
    }
  }
});

test('refuses a folder with nothing else', async () => {
  const cwd = await temporaryFolder({ ...desk, 'other/docker-compose.yml': compose });
  expect(await runCli(['validate'], { cwd })).toMatchObject({ exit: 0 });
  await rename(join(cwd, 'chat.yaml'), join(cwd, 'other/chat.yaml'));
  expect(await runCli(['validate', 'other'], { cwd })).toMatchObject({ exit: 0 });
  await rm(join(cwd, 'other/chat.yaml'));
  await writeFiles(cwd, { 'desk/chat.yaml': desk['chat.yaml'] ?? '' });
  const end = await expectEnd(runCli(['validate', 'desk', 'other'], { cwd }), 65);
  expect(end.stdout).toContain('manifest.no-manifests');
});
