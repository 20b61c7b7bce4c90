// Tests chatform fmt: files are rewritten completely or not at all and keep their mode; --check and standard input write nothing.
import { readdirSync } from 'node:fs';
import { chmod, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { place } from '../../support/place.ts';
import { runCli } from '../../support/run-cli.ts';

const crooked = 'users:\n    alice: {nickname: "Alice"} # the first\nversion: 1\n';
const straight = 'version: 1\nusers:\n  alice: { nickname: Alice } # the first\n';

test('rewrites files, names them and changes nothing the second time', async () => {
  const at = await place({ 'a.yaml': crooked, 'teams/b.yml': straight });
  await chmod(at.path('a.yaml'), 0o664);
  expect(await at.run('fmt')).toEqual({ exit: 0, stdout: 'a.yaml\n', stderr: '1 of 2 files rewritten.\n' });
  expect(await at.content()).toEqual({ 'a.yaml': straight, teams: 'folder', 'teams/b.yml': straight });
  expect((await stat(at.path('a.yaml'))).mode & 0o777).toBe(0o664);
  expect(await at.run('fmt --check')).toEqual({
    exit: 0,
    stdout: '',
    stderr: '2 files, all in canonical form.\n',
  });
});

test('writes nothing with --check, and shows the changes with --diff', async () => {
  const at = await place({ 'a.yaml': crooked });
  const { exit, stdout, stderr } = await at.run('fmt --check --diff');
  expect({ exit, stderr }).toEqual({ exit: 65, stderr: '1 of 1 file would change. Run: chatform fmt\n' });
  expect(stdout).toBe(`a.yaml
--- a/a.yaml
+++ b/a.yaml
@@ -1,3 +1,3 @@
-users:
-    alice: {nickname: "Alice"} # the first
 version: 1
+users:
+  alice: { nickname: Alice } # the first
`);
  expect(await readFile(at.path('a.yaml'), 'utf8')).toBe(crooked);
});

test('formats the other files when one cannot be read', async () => {
  const at = await place({ 'a.yaml': crooked, 'b.yaml': 'version: 1\nusers: [\n' });
  const { exit, stdout, stderr } = await at.run('fmt');
  expect({ exit, stdout }).toEqual({ exit: 65, stdout: 'a.yaml\n' });
  expect(stderr).toContain('error[manifest.syntax]');
  expect(stderr).toContain('1 file of 2 rewritten; unreadable files were skipped.');
  expect(await at.content()).toEqual({ 'a.yaml': straight, 'b.yaml': 'version: 1\nusers: [\n' });
});

test('removes a byte order mark, and keeps a link', async () => {
  const at = await place({ 'a.yaml': `\ufeff${straight}` });
  await symlink('a.yaml', at.path('b.yaml'));
  expect(await at.run('fmt --check')).toMatchObject({ exit: 65, stdout: 'a.yaml\n' });
  expect(await at.run('fmt b.yaml')).toMatchObject({ exit: 0, stdout: 'b.yaml\n' });
  expect(await readFile(at.path('a.yaml'), 'utf8')).toBe(straight);
});

test('formats standard input to standard output', async () => {
  const at = await place();
  const format = (input: string, ...flags: string[]) => at.with({ input }).run(['fmt', '-', ...flags]);
  expect(await format(crooked)).toEqual({ exit: 0, stdout: straight, stderr: '' });
  expect(await format(crooked, '--check')).toEqual({ exit: 65, stdout: '', stderr: '' });
  expect(await format(straight, '--check')).toEqual({ exit: 0, stdout: '', stderr: '' });
  const broken = await format('users: [');
  expect(broken).toMatchObject({ exit: 65, stdout: '' });
  expect(broken.stderr).toContain('<stdin>:1:9');
  await at.ends('fmt - a.yaml', 64);
});

test('refuses a missing path', async () => {
  const at = await place();
  await writeFile(at.path('a.txt'), '');
  await at.ends('fmt missing.yaml', 65);
});

test('leaves the examples as they are', async () => {
  const cwd = join(import.meta.dirname, '../../../examples');
  // These have no manifests; workflows of CI systems are YAML, too.
  const folders = readdirSync(cwd, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['agents', 'ci', 'container'].includes(entry.name))
    .map(({ name }) => name);
  expect(await runCli(['fmt', '--check', ...folders], { cwd })).toMatchObject({ exit: 0, stdout: '' });
});
