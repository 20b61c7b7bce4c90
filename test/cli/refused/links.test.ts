// Tests that a command replaces no file outside of its folder through a symbolic link, which a request could add.
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { contentOf, writeFiles } from '../../support/folders.ts';
import { expectEnd, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A repository beside other files, with the manifests and what a command writes. */
async function repository(): Promise<{ readonly around: string; readonly cwd: string }> {
  const around = await temporaryFolder({
    'outside/precious.txt': 'precious',
    'repository/chat.yaml': desk['chat.yaml'] ?? '',
  });
  return { around, cwd: join(around, 'repository') };
}

test.for([
  ['plan', '--write', 'markdown=out'],
  ['plan', '--out', 'out'],
  ['apply', '--auto-approve', '--report', 'out'],
  ['apply', '--auto-approve', '--events', 'out'],
  ['apply', '--auto-approve', '--tokens-out', 'out'],
  ['state', 'pull', 'out'],
  ['plan', '--write', 'json=.folder/precious.txt'],
  ['apply', '--auto-approve', '--events', 'nowhere'],
])('%j', async (args) => {
  const { around, cwd } = await repository();
  await symlink('../outside/precious.txt', join(cwd, 'out'));
  await symlink('../outside', join(cwd, '.folder'));
  await symlink('../outside/new.txt', join(cwd, 'nowhere'));
  if (args[0] === 'state') expect((await runCli(['apply', '--auto-approve'], { cwd })).exit).toBe(0);
  await expectEnd(runCli(args, { cwd }), 1, 'error[file.leads-outside]');
  expect(await contentOf(join(around, 'outside'))).toEqual({ 'precious.txt': 'precious' });
});

test('writes through a link that stays in the folder, and to a file that is named outside of it', async () => {
  const { around, cwd } = await repository();
  await mkdir(join(cwd, 'reports'));
  await symlink('reports/plan.md', join(cwd, 'plan.md'));
  for (const file of ['plan.md', '../outside/plan.md']) {
    await expectEnd(runCli(['plan', '--write', `markdown=${file}`], { cwd }), 0);
  }
  expect(await readFile(join(around, 'outside/plan.md'), 'utf8')).toContain('chatform');
});

const exported = {
  'users.json': '[{"id":"U1","name":"ann"}]',
  'channels.json': '[{"id":"C1","name":"all","members":["U1"]}]',
  'all/2024-01-01.json': '[{"type":"message","user":"U1","text":"hi","ts":"1704096000.000100"}]',
};

test.for(['history', 'conversion', 'conversion/decisions.yaml'])(
  'a conversion is refused when %s of its folder leads out of it',
  async (name) => {
    const around = await temporaryFolder({ 'outside/precious.txt': 'precious' });
    const files = Object.fromEntries(Object.entries(exported).map(([file, text]) => [`export/${file}`, text]));
    await writeFiles(around, files);
    const link = join(around, 'chat', name);
    await mkdir(join(link, '..'), { recursive: true });
    await symlink(join(around, name.endsWith('.yaml') ? 'outside/new.yaml' : 'outside'), link);
    await expectEnd(
      runCli(['convert', 'slack', 'export', '--out', 'chat'], { cwd: around }),
      1,
      'error[file.leads-outside]',
    );
    expect(await contentOf(join(around, 'outside'))).toEqual({ 'precious.txt': 'precious' });
  },
);
