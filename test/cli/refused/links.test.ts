// Tests that a command replaces no file outside of its folder through a symbolic link, which a request could add.
import { mkdir, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { Place, place } from '../../support/place.ts';

/** A repository beside other files, with the manifests and what a command writes. */
async function repository(files: Readonly<Record<string, string>>) {
  const inside = Object.entries(files).map(([name, text]) => [`repository/${name}`, text]);
  const around = await place({ 'outside/precious.txt': 'precious', ...Object.fromEntries(inside) });
  const at = new Place(around.path('repository'));
  const link = async (to: string, name: string) => {
    await mkdir(dirname(at.path(name)), { recursive: true });
    await symlink(to, at.path(name));
  };
  const refuses = async (command: string) => {
    await at.ends(command, 1, 'error[file.leads-outside]');
    expect(await around.content('outside')).toEqual({ 'precious.txt': 'precious' });
  };
  return { around, at, link, refuses };
}

test.for([
  'plan --write markdown=out',
  'plan --out out',
  'apply --auto-approve --report out',
  'apply --auto-approve --events out',
  'apply --auto-approve --tokens-out out',
  'state pull out',
  'plan --write json=.folder/precious.txt',
  'apply --auto-approve --events nowhere',
])('%s', async (command) => {
  const { at, link, refuses } = await repository(desk);
  await link('../outside/precious.txt', 'out');
  await link('../outside', '.folder');
  await link('../outside/new.txt', 'nowhere');
  if (command.startsWith('state')) await at.does('apply --auto-approve');
  await refuses(command);
});

test('writes through a link that stays in the folder, and to a file that is named outside of it', async () => {
  const { around, at, link } = await repository(desk);
  await mkdir(at.path('reports'));
  await link('reports/plan.md', 'plan.md');
  for (const file of ['plan.md', '../outside/plan.md']) await at.does(`plan --write markdown=${file}`);
  expect(await around.read('outside/plan.md')).toContain('chatform');
});

test.for(['history', 'conversion', 'conversion/decisions.yaml'])(
  'a conversion is refused when %s of its folder leads out of it',
  async (name) => {
    const { around, link, refuses } = await repository({
      'export/users.json': '[{"id":"U1","name":"ann"}]',
      'export/channels.json': '[{"id":"C1","name":"all","members":["U1"]}]',
      'export/all/2024-01-01.json': '[{"type":"message","user":"U1","text":"hi","ts":"1704096000.000100"}]',
    });
    await link(around.path(name.endsWith('.yaml') ? 'outside/new.yaml' : 'outside'), `chat/${name}`);
    await refuses('convert slack export --out-dir chat');
  },
);
