// Tests the guide for agents: init writes it over nothing, and its commands work in their order.
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { allCommands } from '../../../src/cli/commands/index.ts';
import { place } from '../../support/place.ts';

const guide = await readFile(new URL('../../../examples/agents/guide.md', import.meta.url), 'utf8');
const init = ['init', '--agents', '--pipeline', 'none'];

/** The commands of the blocks of shell, without the name of the program. */
function commandsOf(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gmu)].map(([, block = '']) => block);
  return blocks.flatMap((block) => block.trim().split('\n')).map((line) => line.replace(/^chatform /u, ''));
}

test('a script that follows the guide gets a hash, and a person applies exactly that plan', async () => {
  const at = await place();
  await at.does(init);
  const text = await readFile(at.path('AGENTS.md'), 'utf8');
  let hash = '';
  const played: string[] = [];
  for (const line of commandsOf(text)) {
    const [command = ''] = line.split(' ');
    if (command === 'apply') {
      expect(await at.run(line.replace('HASH', '0'.repeat(64)).split(' '))).not.toMatchObject({ exit: 0 });
    }
    const end = await at.does(line.replace('HASH', hash).split(' '));
    if (line.includes('--format json')) {
      const document = JSON.parse(end.stdout);
      if (command === 'plan') hash = document.hash;
    }
    if (command === 'show') expect(end.stdout.split('\n').slice(0, 5).join('\n')).toContain(hash);
    played.push(command);
  }
  expect(played).toEqual(['fmt', 'validate', 'test', 'plan', 'rehearse', 'explain', 'show', 'apply']);
  await at.does('plan --detailed-exitcode');
});

test('names every command, and an agent is told to run none that it must never run', async () => {
  const [before = '', never = ''] = guide.split(/^## (?:Never|Hand over)$/mu);
  const forbidden = [...(/^- Never run .*?change the/msu.exec(never)?.[0] ?? '').matchAll(/`(\w+)`/gu)].map(
    ([, name]) => name ?? '',
  );
  expect(forbidden).toEqual(expect.arrayContaining(['apply', 'destroy', 'undo', 'adopt', 'export']));
  for (const command of commandsOf(before)) expect(forbidden).not.toContain(command.split(' ')[0]);
  const names = (await allCommands()).map(({ name }) => name);
  expect(names.filter((name) => !new RegExp(`(?:\`|chatform )${name}\\b`, 'u').test(guide))).toEqual([]);
});

test.for([
  ['another AGENTS.md', async (file: string) => writeFile(file, '# Our rules\n')],
  ['a link that leads nowhere', async (file: string) => symlink('elsewhere.md', file)],
] as const)('keeps %s, and writes the guide beside it', async ([, make]) => {
  const at = await place();
  await make(at.path('AGENTS.md'));
  const { stdout } = await at.run(init);
  expect(stdout).toContain('kept      AGENTS.md  (add to it: for chatform, read AGENTS.chatform.md first)');
  expect(await readFile(at.path('AGENTS.chatform.md'), 'utf8')).toBe(guide);
  expect(await readFile(at.path('AGENTS.md'), 'utf8').catch(() => '')).not.toContain('chatform');
});

test('keeps a guide that people edited, also the second time', async () => {
  const at = await place();
  await at.run(init);
  const edited = `${guide}\nOur own line.\n`;
  await writeFile(at.path('AGENTS.md'), edited);
  const { stdout } = await at.run(init);
  expect(stdout).toContain('kept      AGENTS.md  (from another version, or edited)');
  expect(stdout).not.toContain('AGENTS.chatform.md');
  expect(await readFile(at.path('AGENTS.md'), 'utf8')).toBe(edited);
});
