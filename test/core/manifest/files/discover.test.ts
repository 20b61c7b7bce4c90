// Tests which files are found on a real disk, including links and missing paths.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { disk } from '../../../../src/core/manifest/files/access.ts';
import { discover } from '../../../../src/core/manifest/files/discover.ts';
import { Problems } from '../../../../src/core/manifest/problems/problems.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chatform-discover-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function write(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), 'version: 1\n');
  }
}

async function ignore(name: string, ...patterns: readonly string[]): Promise<void> {
  await writeFile(join(folder, name), `${patterns.join('\n')}\n`);
}

async function found(...paths: readonly string[]) {
  const problems = new Problems();
  const files = await discover(paths, folder, disk, problems);
  return { names: files.map(({ name }) => name), codes: problems.sorted().map(({ code }) => code) };
}

test('searches folders in order without dot-folders and node_modules', async () => {
  await write('b.yaml', 'a/z.yml', 'a/B.yaml', '.git/c.yaml', 'node_modules/d.yaml', 'e.json', '.hidden.yaml');
  expect(await found()).toEqual({ names: ['a/B.yaml', 'a/z.yml', 'b.yaml'], codes: [] });
});

test('reads no hidden file or folder through a link', async () => {
  await write('a.yaml', '.secrets.yaml', '.private/b.yaml', 'm/.more/c.yaml');
  await symlink('.secrets.yaml', join(folder, 'b.yaml'));
  await symlink('.private', join(folder, 'c'));
  await symlink('.more/c.yaml', join(folder, 'm/d.yaml'));
  expect(await found()).toEqual({ names: ['a.yaml'], codes: Array(3).fill('manifest.hidden-file') });
});

test('accepts a named file with any extension', async () => {
  await write('m/manifest.txt');
  expect(await found('m/manifest.txt')).toEqual({ names: ['m/manifest.txt'], codes: [] });
});

test('distinguishes missing, empty and unreadable folders', async () => {
  await write('empty/readme.txt', 'links/a.yaml');
  await symlink(join(folder, 'nowhere'), join(folder, 'links/b.yaml'));
  expect(await found('absent')).toEqual({ names: [], codes: ['manifest.not-found'] });
  expect(await found('empty')).toEqual({ names: [], codes: ['manifest.no-manifests'] });
  expect(await found('links')).toEqual({ names: ['links/a.yaml'], codes: ['manifest.unreadable'] });
});

test('follows links within the folder and refuses those that lead out', async () => {
  await write('m/a.yaml', 'm/deep/b.yaml', 'outside/c.yaml');
  await symlink(join(folder, 'm/a.yaml'), join(folder, 'm/same.yaml'));
  await symlink(join(folder, 'm'), join(folder, 'm/deep/circle'));
  await symlink(join(folder, 'outside'), join(folder, 'm/out'));
  await symlink(join(folder, 'outside/c.yaml'), join(folder, 'm/out.yaml'));
  expect(await found('m')).toEqual({
    names: ['m/a.yaml', 'm/deep/b.yaml'],
    codes: ['manifest.leaves-folder', 'manifest.leaves-folder'],
  });
});

test('.chatformignore leaves out files and folders, in the syntax of .gitignore', async () => {
  await write('a.yaml', 'values.yaml', 'helm/b.yaml', 'teams/c.yaml', 'teams/drafts/d.yaml', 'teams/drafts/e.yaml');
  await ignore('.chatformignore', '# other programs', '/values.yaml', 'helm/', '**/drafts/*', '!**/drafts/e.yaml');
  expect(await found()).toEqual({ names: ['a.yaml', 'teams/c.yaml', 'teams/drafts/e.yaml'], codes: [] });
  // The list of the working folder applies to a folder below it, too.
  expect(await found('teams')).toEqual({ names: ['teams/c.yaml', 'teams/drafts/e.yaml'], codes: [] });
});

test('refuses lists and folders that would take long to match', async () => {
  await write('a.yaml', `${'a/'.repeat(101)}deep.yaml`);
  expect(await found()).toEqual({ names: ['a.yaml'], codes: ['manifest.unreadable'] });
  await ignore('.chatformignore', '# ** ** **', '**/a/**/b', 'a/', '**/a/**/a/**/b');
  await write('b/c/d.yaml');
  expect((await found('b')).codes).toEqual(['manifest.unreadable']);
});

test('lets an inner .chatformignore win over an outer one', async () => {
  await write('a.yaml', 'teams/a.yaml', 'teams/b.yaml');
  await ignore('.chatformignore', 'a.yaml');
  await ignore('teams/.chatformignore', '!a.yaml', 'b.yaml');
  expect(await found()).toEqual({ names: ['teams/a.yaml'], codes: [] });
});

test('reads files given by name, whatever .chatformignore says', async () => {
  await write('a.yaml', 'helm/b.yaml');
  await ignore('.chatformignore', 'a.yaml', 'helm/');
  expect(await found('a.yaml')).toEqual({ names: ['a.yaml'], codes: [] });
  expect(await found('helm')).toEqual({ names: ['helm/b.yaml'], codes: [] });
  expect(await found(`../${basename(folder)}`)).toEqual(await found());
  expect(await found()).toEqual({ names: [], codes: ['manifest.no-manifests'] });
});

test('treats a folder whose name extends the name of the working folder as outside', async () => {
  await write('m/a.yaml', 'm-more/a.yaml');
  await ignore('m/.chatformignore', '*.yaml');
  const problems = new Problems();
  const files = await discover([join(folder, 'm-more')], join(folder, 'm'), disk, problems);
  expect(files.map(({ name }) => name)).toEqual(['../m-more/a.yaml']);
});
