// Tests shell completion: the answers word by word, and a real bash that asks for them.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../../src/cli/commands/index.ts';
import { desk } from '../../support/desk.ts';
import { makeFolder, removeFolder } from '../../support/folders.ts';
import { runProgram } from '../../support/program.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const addresses = ['group_channel.support-42', 'open_channel.lobby', 'user.alice', 'user.bob', 'user.carol'];
/** Applied once, for every test of this file. */
let cwd = '';
beforeAll(async () => {
  cwd = await makeFolder(desk);
  const { exit, stderr } = await runCli(['apply', '--auto-approve'], { cwd });
  expect({ exit, stderr: exit === 0 ? '' : stderr }).toEqual({
    exit: 0,
    stderr: '',
  });
});
afterAll(() => removeFolder(cwd));

async function answer(...words: readonly string[]): Promise<string[]> {
  const { exit, stdout, stderr } = await runCli(['__complete', ...words], {
    cwd,
  });
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
    ['addresses to exclude', ['plan', '--exclude', 'user.'], ['user.alice', 'user.bob', 'user.carol']],
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
    const ended = await runCli(['__complete', 'state', 'show', ''], {
      cwd,
      env: { CHATFORM_STATE: '' },
    });
    expect(ended).toMatchObject({
      exit: 0,
      stderr: '',
      stdout: addresses.map((address) => `${address}\n`).join(''),
    });
  });

  test('offers addresses of the state that a manifest declares', async () => {
    const declared = (desk['chat.yaml'] ?? '').replace('application:\n', 'application:\n  state: file:elsewhere\n');
    const folder = await temporaryFolder({ ...desk, 'chat.yaml': declared });
    const applied = await runCli(['apply', '--auto-approve'], { cwd: folder });
    expect(applied.exit, applied.stderr).toBe(0);
    expect(existsSync(join(folder, '.chatform/state'))).toBe(false);
    const ended = await runCli(['__complete', 'state', 'show', 'user.b'], { cwd: folder });
    expect(ended).toMatchObject({ exit: 0, stderr: '', stdout: 'user.bob\n' });
  });

  test('offers every command, and no flag twice', async () => {
    expect(await answer('')).toEqual(expect.arrayContaining(Object.keys(commands)));
    expect(await answer('plan', '--detailed-exitcode', '--det')).toEqual([]);
  });
});

/**
 * A folder with a `chatform` and an `npx` that shells find. This npx would install nothing: it runs only what is there. Either starts
 * the program once for the same words, because nothing here changes the answer.
 */
async function program(): Promise<string> {
  const npx = `[ "$1 $2" = "--no-install chatform" ] || exit 1\nshift 2`;
  const answered = `answer="answer of $*"\n[ -e "$answer" ] || ${runProgram} "$@" > "$answer" || exit\nexec cat "$answer"`;
  for (const [name, first] of [
    ['chatform', ''],
    ['npx', npx],
  ] as const) {
    const file = join(cwd, name);
    await writeFile(file, `#!/bin/sh\n${first}\n${answered}\n`);
    await chmod(file, 0o755);
  }
  return cwd;
}

/** The file with the completion script of a shell. */
async function scriptOf(shell: string): Promise<string> {
  const file = join(cwd, `completion.${shell}`);
  const { stdout } = await runCli(['completion', shell], { cwd });
  await writeFile(file, stdout);
  return `'${file}'`;
}

/** The completions of a shell. Undefined if the shell is not installed. */
async function ask(shell: string, script: string): Promise<string[] | undefined> {
  const path = `${await program()}${delimiter}${process.env.PATH ?? ''}`;
  const { stdout, error } = spawnSync(shell, ['-c', script], {
    cwd,
    encoding: 'utf8',
    env: { PATH: path, HOME: cwd, LC_ALL: 'C.UTF-8' },
  });
  return error === undefined ? stdout.split('\n').filter((line) => line !== '') : undefined;
}

/** What the words before are, and what is completed. */
const commandLines = ['chatform', 'npx --no-install chatform', 'npx chatform'];

test.for(commandLines)('completes commands, addresses and files after %s in bash', async (line, { skip }) => {
  const typed = (words: string) =>
    `COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMPREPLY=(); _chatform; printf '%s\\n' "\${COMPREPLY[@]}" next`;
  const found = await ask(
    'bash',
    `source ${await scriptOf('bash')}; complete -p npx | grep -q _chatform || echo npx; compopt() { :; }
    ${typed(`${line} plan --target 'user.b'`)}
    ${typed(`${line} val`)}
    ${typed(`${line} validate chat.`)}`,
  );
  skip(found === undefined, 'bash is not installed');
  expect(found).toEqual(['user.bob', 'next', 'validate', 'next', 'chat.yaml', 'next']);
});

test('leaves other words after npx to bash', async ({ skip }) => {
  const found = await ask(
    'bash',
    `source ${await scriptOf('bash')}; COMP_WORDS=(npx cowsay v); COMP_CWORD=2; _chatform || echo other`,
  );
  skip(found === undefined, 'bash is not installed');
  expect(found).toEqual(['other']);
});

test.for(commandLines)('completes commands and addresses after %s in zsh', async (line, { skip }) => {
  const words = line.split(' ').map((word) => `'${word}'`);
  const typed = (more: string) =>
    `words=(${words.join(' ')} ${more}); CURRENT=\${#words}; _chatform; print $_comps[npx]`;
  const found = await ask(
    'zsh',
    `autoload -U compinit; compinit -u; source ${await scriptOf('zsh')}
    compadd() { print -l $found }; _files() { print files }
    ${typed("plan --target 'user.b'")}
    ${typed('val')}
    ${typed("validate 'chat.'")}`,
  );
  skip(found === undefined, 'zsh is not installed');
  expect(found).toEqual(['user.bob', '_chatform', 'validate', '_chatform', 'files', '_chatform']);
});

test.for(commandLines)('completes commands and addresses after %s in fish', async (line, { skip }) => {
  const typed = (words: string) => `complete -C '${line} ${words}'; echo next`;
  const found = await ask(
    'fish',
    `source ${await scriptOf('fish')}; ${typed('plan --target user.b')}; ${typed('val')}`,
  );
  skip(found === undefined, 'fish is not installed');
  expect(found).toEqual(['user.bob', 'next', 'validate', 'next']);
});
