// Tests what people and pipelines may type: flags before the command, near misses, empty words, variables (semantics §12).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allCommands } from '../../../src/cli/commands/index.ts';
import { sources } from '../../../src/migration/convert/sources/index.ts';
import { desk } from '../../support/desk.ts';
import { type Command, type Place, place } from '../../support/place.ts';
import { runProgram } from '../../support/program.ts';

async function refuses(at: Place, command: Command, ...says: readonly string[]): Promise<void> {
  const before = await at.content();
  await at.ends(command, 64, ...says);
  expect(await at.content()).toEqual(before);
}

test.for([
  ['plan --frmat json', '--format'],
  ['plan --format xml', 'human, json'],
  ['aply', 'apply'],
  ['apply --yes', 'Type --auto-approve.'],
  ['apply --auto-approve --max-duration soon', '50m'],
  ['plan --target alice', 'user.alice'],
  ['plan --rate-plan gold', '25k_mau'],
  ['completion tcsh', 'Choose one of bash, zsh, fish.'],
  // Names that every JavaScript object has.
  ['schema constructor', 'constructor'],
  ['completion constructor', 'constructor'],
  ['constructor', 'constructor'],
  ['state constructor', 'constructor'],
  // A flag of one command, or of none, before the command.
  ['--detailed-exitcode plan', "unknown option '--detailed-exitcode'"],
  ['--plain', "unknown option '--plain'"],
  ['--state file:x fmt', "unknown option '--state"],
  ['--state', "unknown option '--state'"],
] as const)('refuses %s with 64, and says %s', async ([command, says]) => {
  await refuses(await place(desk), command, says);
});

test.for([
  ['apply', '--target'],
  ['apply', '--exclude'],
  ['rehearse', '--target'],
  ['rehearse', '--exclude'],
])('%s refuses %s with a saved plan', async ([command, flag]) => {
  const at = await place(desk);
  await at.does('plan --out plan.chatform');
  await refuses(at, `${command} plan.chatform ${flag} user.alice`, `${flag} cannot be combined with it`);
});

const takingArguments = (await allCommands()).filter(({ arguments: takes = [] }) => takes.length > 0);

test.for([
  ...takingArguments.map(({ name }) => ({ command: [name, ''], what: 'An argument' })),
  { command: ['apply', 'chat.yaml', '', '--auto-approve'], what: 'An argument' },
  { command: ['adopt', 'user.alice', '--path', ''], what: '--path' },
  { command: ['apply', '--auto-approve', '--approved-hash', ''], what: '--approved-hash' },
  { command: ['plan', '--target', 'user.alice', '--target', ''], what: '--target' },
  { command: ['plan', '--exclude', ''], what: '--exclude' },
])('refuses an empty argument, as an unset variable gives it: $command', async ({ command, what }) => {
  await refuses(await place(desk), command, `${what} is empty: it probably comes from a variable that is not set.`);
});

test.for([
  { command: 'plan', twin: 'CHATFORM_STATE', flag: '--state file:elsewhere' },
  { command: 'apply --auto-approve', twin: 'CHATFORM_APPROVED_HASH', flag: '' },
  { command: 'apply', twin: 'CHATFORM_AUTO_APPROVE', flag: '--auto-approve' },
  { command: 'plan', twin: 'CHATFORM_TARGET', flag: '--target user.alice' },
])('refuses an empty $twin instead of taking the default', async ({ command, twin, flag }) => {
  const at = await place(desk, { [twin]: '' });
  await refuses(at, command, `${twin} is empty`, 'Unset it or set a value.');
  // A flag overrides its variable, and a command needs no variable of a flag that it does not have.
  if (flag !== '') await at.does(`${command} ${flag}`);
  await at.with({ env: { CHATFORM_API_TOKEN: '' } }).does('validate');
});

test('reads a flag from the environment as pipelines spell it', async () => {
  const at = await place(desk);
  for (const [variable, value] of [
    ['CHATFORM_RATE_PLAN', 'gold'],
    ['CHATFORM_AUTO_APPROVE', 'maybe'],
  ] as const)
    await at.with({ env: { [variable]: value } }).ends('apply', 64, variable);
  for (const no of ['False', 'OFF', '0'])
    await at.with({ env: { CHATFORM_AUTO_APPROVE: no } }).ends('apply', 64, 'Approval is required');
  await at.with({ env: { CHATFORM_AUTO_APPROVE: 'True' } }).does('apply');
});

test.for([
  '--plain',
  '--color always',
  '--color=always --verbose',
  '--state file:elsewhere',
  '--base-url emulator:other --rate-plan 100k_mau',
])('takes %s before the command as after it', async (flags) => {
  const at = await place(desk);
  const before = await at.does(`${flags} plan`);
  expect(before).toEqual(await at.run(`plan ${flags}`));
  if (!flags.startsWith('--state')) expect(before.stdout).not.toBe((await at.run('plan')).stdout);
  expect((await at.json(`${flags} plan chat.yaml`)).summary).toEqual({ create: 5 });
});

test('ends with 0 after help and version', async () => {
  const at = await place();
  expect((await at.does('--version')).stdout).toBe('0.3.0\n');
  expect((await at.does('apply --help')).stdout).toContain('--auto-approve');
});

test('takes a manifest that ends in .YAML, and the name of a system in any case', async () => {
  const at = await place({ 'A.YAML': desk['chat.yaml'] ?? '', 'B.YML': 'version: 1\nusers: { d: { nickname: D } }\n' });
  expect((await at.run('validate')).stdout).toContain('in 2 files');
  expect((await at.run('convert Slack nowhere --out-dir chat')).stderr).not.toContain('is not a supported source');
  const help = (await at.run('convert --help')).stdout.replace(/\s+/gu, ' ');
  expect(help).toContain(`${sources.map(({ name }) => name).join(', ')} or table`);
});

test.skipIf(!existsSync('/dev/full'))('an output that cannot be written is an error in one line', async () => {
  const { cwd } = await place(desk);
  const { status, stderr } = spawnSync('sh', ['-c', `${runProgram} plan > /dev/full`], { cwd, encoding: 'utf8' });
  const says = expect.stringContaining('error: The output cannot be written: ENOSPC.\n') as unknown;
  expect({ status, stderr }).toEqual({ status: 1, stderr: says });
  expect(stderr).not.toContain('    at ');
});
