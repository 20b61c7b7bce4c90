// Tests shell completion: the answers word by word, and a real bash that asks for them.
import { spawnSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../../src/cli/commands/index.ts';
import { desk } from '../../support/desk.ts';
import { makeFolder, removeFolder } from '../../support/folders.ts';
import { runProgram } from '../../support/program.ts';
import { runCli } from '../../support/run-cli.ts';

const addresses = ['group_channel.support-42', 'open_channel.lobby', 'user.alice', 'user.bob', 'user.carol'];
/** Applied once, for every test of this file. */
let cwd = '';
beforeAll(async () => {
  cwd = await makeFolder(desk);
  const { exit, stderr } = await runCli(['apply', '--auto-approve'], { cwd });
  expect({ exit, stderr: exit === 0 ? '' : stderr }).toEqual({ exit: 0, stderr: '' });
});
afterAll(() => removeFolder(cwd));

async function answer(...words: readonly string[]): Promise<string[]> {
  const { exit, stdout, stderr } = await runCli(['__complete', ...words], { cwd });
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return stdout.split('\n').filter((line) => line !== '');
}

describe('the answer', () => {
  const cases: readonly [string, readonly string[], readonly string[]][] = [
    ['commands', ['va'], ['validate']],
    ['flags of the command', ['plan', '--det'], ['--detailed-exitcode']],
    ['choices of a flag', ['validate', '--format', 's'], ['sarif']],
    ['choices after =, as zsh and fish ask', ['validate', '--format=s'], ['--format=sarif']],
    ['choices after =, as bash asks', ['validate', '--format', '=', 's'], ['sarif']],
    ['files for a flag that takes one', ['apply', '--report', ''], [':files']],
    ['files for paths', ['plan', 'ch'], [':files']],
    ['addresses for a flag', ['plan', '--target', 'user.'], ['user.alice', 'user.bob', 'user.carol']],
    ['more addresses for the same flag', ['plan', '--target', 'user.bob', 'open'], ['open_channel.lobby']],
    ['addresses for an argument', ['explain', 'g'], ['group_channel.support-42']],
    ['what a command can do', ['state', 'li'], ['list']],
    ['addresses of state show', ['state', 'show', ''], addresses],
    ['names of schemas', ['schema', 'man'], ['manifest']],
    ['shells', ['completion', ''], ['bash', 'zsh', 'fish']],
    ['nothing for an unknown command', ['nonsense', ''], []],
    ['nothing for a value that is free text', ['plan', '--base-url', ''], []],
    ['nothing from a state that is not there', ['plan', '--state', 'file:none', '--target', ''], []],
  ];
  test.for(cases)('%s', async ([, words, expected]) => {
    expect(await answer(...words)).toEqual(expected);
  });

  test('offers addresses of the default state when the environment variable is empty', async () => {
    const ended = await runCli(['__complete', 'state', 'show', ''], { cwd, env: { CHATFORM_STATE: '' } });
    expect(ended).toMatchObject({ exit: 0, stderr: '', stdout: addresses.map((address) => `${address}\n`).join('') });
  });

  test('offers every command, and no flag twice', async () => {
    expect(await answer('')).toEqual(expect.arrayContaining(Object.keys(commands)));
    expect(await answer('plan', '--detailed-exitcode', '--det')).toEqual([]);
  });
});

/** A folder with a `chatform` that shells find. */
async function program(): Promise<string> {
  const file = join(cwd, 'chatform');
  await writeFile(file, `#!/bin/sh\nexec ${runProgram} "$@"\n`);
  await chmod(file, 0o755);
  return cwd;
}

/** The completions of a shell. Undefined if the shell is not installed. */
async function ask(shell: string, script: string): Promise<string[] | undefined> {
  const path = `${await program()}${delimiter}${process.env.PATH ?? ''}`;
  const { stdout, error } = spawnSync(shell, ['-c', script], { cwd, encoding: 'utf8', env: { PATH: path, HOME: cwd } });
  return error === undefined ? stdout.split('\n').filter((line) => line !== '') : undefined;
}

test('completes commands, addresses and files in bash', async ({ skip }) => {
  const typed = (words: string) =>
    `source <(chatform completion bash); COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); compopt() { :; }; _chatform; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const found = await ask('bash', typed("chatform plan --target 'user.b'"));
  skip(found === undefined, 'bash is not installed');
  expect(found).toEqual(['user.bob']);
  expect(await ask('bash', typed('chatform val'))).toEqual(['validate']);
  expect(await ask('bash', typed('chatform validate chat.'))).toEqual(['chat.yaml']);
});

test('has a script that zsh can read', async ({ skip }) => {
  const found = await ask('zsh', 'autoload -U compinit; compinit -u; source <(chatform completion zsh); print ok');
  skip(found === undefined, 'zsh is not installed');
  expect(found).toEqual(['ok']);
});

test('completes addresses in fish', async ({ skip }) => {
  const found = await ask('fish', "chatform completion fish | source; complete -C 'chatform plan --target user.b'");
  skip(found === undefined, 'fish is not installed');
  expect(found).toEqual(['user.bob']);
});
