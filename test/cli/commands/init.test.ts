// Tests that init writes the necessary files, overwrites nothing, and gives instructions that work.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { schemaText } from '../../../src/app/schemas.ts';
import { commands } from '../../../src/cli/commands/index.ts';
import { contentOf } from '../../support/folders.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const files = ['.chatform/manifest.schema.json', '.github/workflows/chatform.yaml', '.gitignore', 'chatform.yaml'];

async function filesIn(folder: string): Promise<string[]> {
  return Object.entries(await contentOf(folder))
    .filter(([, content]) => content !== 'folder')
    .map(([name]) => name)
    .sort();
}

test('the next commands do as they are told', async () => {
  const cwd = await temporaryFolder();
  const { exit, stdout } = await runCli(['init'], { cwd });
  expect(exit).toBe(0);
  expect(await filesIn(cwd)).toEqual(files);
  const next = [...stdout.matchAll(/^ {2}chatform (\w+) {2}/gmu)].map(([, command]) => command ?? '');
  expect(next).toEqual(['validate', 'plan', 'apply']);
  for (const command of next) {
    const end = await runCli([command], { cwd, answers: ['yes'] });
    expect({ command, exit: end.exit, stderr: end.exit === 0 ? '' : end.stderr }).toEqual({
      command,
      exit: 0,
      stderr: '',
    });
  }
  expect((await runCli(['plan', '--detailed-exitcode'], { cwd })).exit).toBe(0);
  expect((await runCli(['fmt', '--check'], { cwd })).exit).toBe(0);
});

test('the schema is the one of this version, where the manifest says that it is', async () => {
  const cwd = await temporaryFolder();
  await runCli(['init', 'chat'], { cwd });
  const manifest = await readFile(join(cwd, 'chat/chatform.yaml'), 'utf8');
  const path = /\$schema=(\S+)/u.exec(manifest)?.[1] ?? '';
  expect(await readFile(join(cwd, 'chat', path), 'utf8')).toBe(schemaText('manifest'));
});

test('a second run changes nothing', async () => {
  const cwd = await temporaryFolder();
  await runCli(['init'], { cwd });
  const before = await contentOf(cwd);
  const { stdout } = await runCli(['init'], { cwd });
  expect(await contentOf(cwd)).toEqual(before);
  expect(stdout.match(/^ {2}kept/gmu)).toHaveLength(4);
});

test('what is there is kept, .gitignore gets what it lacks', async () => {
  const cwd = await temporaryFolder({
    'chatform.yaml': 'version: 1\nusers: {}\n',
    '.gitignore': 'plan.json\nnode_modules',
  });
  const { stdout } = await runCli(['init'], { cwd });
  expect(await readFile(join(cwd, 'chatform.yaml'), 'utf8')).toBe('version: 1\nusers: {}\n');
  expect(await readFile(join(cwd, '.gitignore'), 'utf8')).toBe(
    'plan.json\nnode_modules\n.chatform/*\n!.chatform/manifest.schema.json\n',
  );
  expect(stdout).toContain('kept      chatform.yaml  (there is one already)');
  expect(stdout).toContain('added to  .gitignore');
});

test('beside other manifests no new one is written', async () => {
  const cwd = await temporaryFolder({ 'teams/a.yaml': 'version: 1\nusers: {}\n' });
  const { stdout } = await runCli(['init'], { cwd });
  expect(stdout).toContain('left out  chatform.yaml  (there are manifests already)');
  expect(await filesIn(cwd)).not.toContain('chatform.yaml');
});

test('in a folder of a repository the workflow stands at its root and works in the folder', async () => {
  const cwd = await temporaryFolder({ '.git/HEAD': 'ref: refs/heads/main\n' });
  await mkdir(join(cwd, 'infra'));
  await writeFile(join(cwd, 'infra/notes.txt'), '');
  const { stdout } = await runCli(['init', 'infra/chat'], { cwd });
  expect(stdout).toContain('  cd infra/chat\n');
  const text = await readFile(join(cwd, '.github/workflows/chatform.yaml'), 'utf8');
  expect(parse(text)).toMatchObject({ defaults: { run: { 'working-directory': 'infra/chat' } } });
});

test('every command and flag of the workflow is one', async () => {
  const cwd = await temporaryFolder();
  await runCli(['init'], { cwd });
  const workflow = parse(await readFile(join(cwd, '.github/workflows/chatform.yaml'), 'utf8')) as {
    readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>;
  };
  const runs = Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  const lines = runs.filter((run) => run.startsWith('chatform '));
  expect(lines).toHaveLength(4);
  for (const line of lines) {
    const [, name, ...words] = line.split(' ');
    const definition = await commands[name ?? '']?.();
    const known = definition?.options.map(({ flags }) => flags.split(' ')[0]) ?? [];
    expect(known).toEqual(expect.arrayContaining(words.filter((word) => word.startsWith('--'))));
  }
});
