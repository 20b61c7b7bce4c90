// Tests that init writes the necessary files, overwrites nothing, and gives instructions that work.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { schemaText } from '../../../src/app/package-files.ts';
import { commands } from '../../../src/cli/commands/index.ts';
import { version } from '../../../src/version.ts';
import type { Workflow } from '../../examples/support/workflow.ts';
import { contentOf } from '../../support/folders.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const workflows = ['chatform-apply.yml', 'chatform-drift.yml', 'chatform-pull-request.yml'];
const files = [
  '.chatform/manifest.schema.json',
  '.chatform/test.schema.json',
  ...workflows.map((name) => `.github/workflows/${name}`),
  '.gitignore',
  'chatform.test.yaml',
  'chatform.yaml',
];
const examples = new URL('../../../examples/ci/github/', import.meta.url);

async function filesIn(folder: string): Promise<string[]> {
  return Object.entries(await contentOf(folder))
    .filter(([, content]) => content !== 'folder')
    .map(([name]) => name)
    .sort();
}

test('names next commands that work', async () => {
  const cwd = await temporaryFolder();
  const { exit, stdout } = await runCli(['init'], { cwd });
  expect(exit).toBe(0);
  expect(await filesIn(cwd)).toEqual(files);
  const next = [...stdout.matchAll(/^ {2}npx --no-install chatform (\w+) {2}/gmu)].map(([, command]) => command ?? '');
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

test('writes the schema of this version where the manifest names it', async () => {
  const cwd = await temporaryFolder();
  await runCli(['init', 'chat'], { cwd });
  const manifest = await readFile(join(cwd, 'chat/chatform.yaml'), 'utf8');
  const path = /\$schema=(\S+)/u.exec(manifest)?.[1] ?? '';
  expect(await readFile(join(cwd, 'chat', path), 'utf8')).toBe(schemaText('manifest'));
});

test('changes nothing the second time', async () => {
  const cwd = await temporaryFolder();
  await runCli(['init'], { cwd });
  const before = await contentOf(cwd);
  const { stdout } = await runCli(['init'], { cwd });
  expect(await contentOf(cwd)).toEqual(before);
  expect(stdout.match(/^ {2}kept/gmu)).toHaveLength(files.length);
});

test('keeps existing files, and completes .gitignore', async () => {
  const cwd = await temporaryFolder({
    'chatform.yaml': 'version: 1\nusers: {}\n',
    '.gitignore': 'plan.chatform\nnode_modules',
  });
  const { stdout } = await runCli(['init'], { cwd });
  expect(await readFile(join(cwd, 'chatform.yaml'), 'utf8')).toBe('version: 1\nusers: {}\n');
  expect(await readFile(join(cwd, '.gitignore'), 'utf8')).toBe(
    'plan.chatform\nnode_modules\n.chatform/*\n!.chatform/manifest.schema.json\n!.chatform/test.schema.json\n',
  );
  expect(stdout).toContain('kept      chatform.yaml  (it already exists)');
  expect(stdout).toContain('added to  .gitignore');
});

test('writes no manifest beside others', async () => {
  const cwd = await temporaryFolder({ 'teams/a.yaml': 'version: 1\nusers: {}\n' });
  const { stdout } = await runCli(['init'], { cwd });
  expect(stdout).toContain('left out  chatform.yaml  (the folder already contains manifests)');
  expect(await filesIn(cwd)).not.toContain('chatform.yaml');
});

test('writes the example workflows, which run what npm ci installed', async () => {
  const cwd = await temporaryFolder();
  await runCli(['init'], { cwd });
  for (const name of workflows) {
    const text = await readFile(join(cwd, '.github/workflows', name), 'utf8');
    const example = await readFile(new URL(name.slice('chatform-'.length), examples), 'utf8');
    expect(text).toBe(example.replace(' Copy to .github/workflows/.', ''));
    expect(text).not.toMatch(/install (?:--global|-g)|npx (?!--no-install chatform)/u);
    expect(text).toContain('npm ci --ignore-scripts\n');
    for (const [, command = '', words = ''] of text.matchAll(/chatform (\w+)((?: [^\n]*\\\n)*[^\n]*)/gu)) {
      if (!Object.hasOwn(commands, command)) continue;
      const known = (await commands[command]?.())?.options.map(({ flags }) => flags.split(' ')[0]) ?? [];
      expect(known).toEqual(expect.arrayContaining(words.match(/--[\w-]+/gu) ?? []));
    }
  }
});

test.for(['', 'infra/'])(
  'in a folder of a repository the workflows stand at its root and work in the folder (%j)',
  async (packages) => {
    const cwd = await temporaryFolder({
      '.git/HEAD': 'ref: refs/heads/main\n',
      'package.json': '{}',
      [`${packages}package.json`]: '{"devDependencies":{"chatform":"file:chatform-0.3.0.tgz"}}',
    });
    const { stdout } = await runCli(['init', 'infra/chat'], { cwd });
    expect(stdout).toContain('  cd infra/chat\n');
    expect(stdout).not.toContain('npm install');
    expect(await readFile(join(cwd, `${packages}.gitignore`), 'utf8')).toBe('node_modules/\n');
    for (const name of workflows) {
      const text = await readFile(join(cwd, '.github/workflows', name), 'utf8');
      const { defaults, jobs } = parse(text) as Workflow;
      expect(defaults).toEqual({ run: { 'working-directory': 'infra/chat' } });
      for (const step of Object.values(jobs).flatMap(({ steps }) => steps)) {
        const paths = String(step.with?.path ?? 'infra/chat')
          .trim()
          .split('\n');
        for (const path of paths) expect(`${path}/`).toMatch(/^infra\/chat\//u);
      }
      for (const [, path] of text.matchAll(/(?:hashFiles|readFileSync)\('([^']*)'/gu))
        expect(path).toMatch(/^infra\/chat\//u);
    }
  },
);

test('writes no workflow for a folder name that would need quotes', async () => {
  const cwd = await temporaryFolder({ '.git/HEAD': 'ref: refs/heads/main\n' });
  const { stdout } = await runCli(['init', "it's"], { cwd });
  expect(stdout).toContain('left out  .github/workflows/chatform-apply.yml  (the folder name');
});

test('names the exact package where no package.json names chatform', async () => {
  const cwd = await temporaryFolder({ 'package.json': '{"dependencies":{"other":"1.0.0"}}' });
  const { stdout } = await runCli(['init'], { cwd });
  expect(stdout).toContain(`Next:\n  npm install --save-dev ./chatform-${version}.tgz\n`);
  expect(stdout).toContain('Commit the tarball, package.json and its lock file');
  expect(stdout).not.toMatch(/(?<!--no-)install (?!--save-dev \.\/)|npx chatform/u);
});

test('names a workflow of an earlier version, which installs by a name', async () => {
  const former = 'jobs:\n  plan:\n    steps:\n      - run: npm install --global chatform@0.2.0\n';
  const cwd = await temporaryFolder({ '.github/workflows/chatform.yaml': former });
  const { stdout } = await runCli(['init'], { cwd });
  expect(stdout).toContain('kept      .github/workflows/chatform.yaml  (delete it:');
});

test('quotes a folder for the shell', async () => {
  const { stdout } = await runCli(['init', "we ird/it's"], { cwd: await temporaryFolder() });
  expect(stdout).toContain("cd 'we ird/it'\\''s'\n");
});
