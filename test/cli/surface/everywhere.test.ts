// Tests the short words that every command takes.
import { expect, test } from 'vitest';
import { allCommands } from '../../../src/cli/commands/index.ts';
import { shorthands } from '../../../src/cli/flags/everywhere.ts';
import { longName } from '../../../src/cli/flags/flag-names.ts';
import { desk } from '../../support/desk.ts';
import { type Place, place } from '../../support/place.ts';

async function inFolder(): Promise<Place> {
  return place(Object.fromEntries(Object.entries(desk).map(([name, text]) => [`app/${name}`, text])));
}

test('-C runs a command in a folder, before and behind its name, and advice names the folder', async () => {
  const at = await inFolder();
  expect((await at.does('validate -C app')).stdout).toEqual((await at.does('-C app validate')).stdout);
  const { stderr } = await at.does('-C app plan -o plan.chatform');
  expect(await at.content()).toHaveProperty(['app/plan.chatform']);
  expect(stderr).toContain('chatform -C app apply plan.chatform');
  await at.does('-C app apply plan.chatform --auto-approve');
  await at.ends('-C nowhere plan', 64, 'The folder of -C does not exist');
  await at.ends('plan -C app/chat.yaml', 64, '-C names a file, not a folder');
});

test('-C and -o take a value without a space', async () => {
  const at = await inFolder();
  expect((await at.does('validate -Capp')).stdout).toEqual((await at.does('-C app validate')).stdout);
  await at.does('-Capp plan -oplan.chatform');
  expect(await at.content()).toHaveProperty(['app/plan.chatform']);
});

test.for([
  ['validate -o x', 'This command writes no file or folder.'],
  ['validate -ox', 'This command writes no file or folder.'],
  ['plan -out=x', 'Type --out x, with two dashes.'],
] as const)('explains %s', async ([command, says]) => {
  await (await place(desk)).ends(command, 64, says);
});

test('--json is --format json, and -q leaves standard error empty', async () => {
  const at = await place(desk);
  const { stdout } = await at.does('plan --json');
  expect(stdout).toBe((await at.does('plan --format json')).stdout);
  expect((await at.does('--json plan')).stdout).toBe(stdout);
  expect((await at.does('plan -q -o p.plan')).stderr).toBe('');
  expect((await at.does('apply --auto-approve -q')).stderr).toBe('');
  expect((await at.does('state pull copy.ndjson -q')).stderr).toBe('');
  expect((await at.does('fmt --check -q')).stderr).toBe('');
  expect(JSON.parse((await at.ends('plan --json --targt x', 64)).stdout)).toHaveProperty('error');
});

const exported = JSON.stringify([{ type: 'user', item: { id: 'alice', name: 'Alice' } }]);
const copying = '--to copies --public-url https://cdn.example.com';

test.for([
  ['convert stream export.json --out-dir chat', ''],
  [`convert-files stream export.json --out-dir chat ${copying}`, ''],
  ['validate --each a b', expect.stringContaining('=== a')],
] as const)('-q hides the summary of %s', async ([command, stdout]) => {
  const application = (name: string) => `version: 1\napplication: { base_url: "emulator:.chatform/${name}" }\n`;
  const at = await place({ 'export.json': exported, 'a/chat.yaml': application('a'), 'b/chat.yaml': application('b') });
  await at.does('convert stream export.json --out-dir chat');
  const spoken = await at.does(command);
  expect(spoken.stdout + spoken.stderr).not.toBe('');
  expect(await at.does(`${command} -q`)).toMatchObject({ stdout, stderr: '' });
});

test('--no-color wins over a variable, and is taken by commands without colours', async () => {
  const at = (await place(desk)).with({ env: { CHATFORM_COLOR: 'always' } });
  const colourMark = '\u001b[';
  expect((await at.does('plan')).stdout).toContain(colourMark);
  expect((await at.does('plan --no-color')).stdout).not.toContain(colourMark);
  expect((await at.does('--no-color plan')).stdout).not.toContain(colourMark);
  await at.does('schema manifest --no-color');
});

test('no command has a word of these for something else, or two flags for -o', async () => {
  const words = new Set(shorthands.map(({ word }) => word));
  for (const { name, options } of await allCommands()) {
    const outputs = options.filter(({ flags }) => ['out', 'out-dir'].includes(longName(flags)));
    expect(outputs.length, name).toBeLessThan(2);
    for (const { flags } of options) for (const word of flags.split(/[ ,]+/u)) expect(words, name).not.toContain(word);
  }
});

test('commands describes only those that it is asked for', async () => {
  const at = await place();
  const { stdout } = await at.does('commands plan show --json');
  const { commands } = JSON.parse(stdout) as { readonly commands: readonly { readonly name: string }[] };
  expect(commands.map(({ name }) => name)).toEqual(['plan', 'show']);
  expect(stdout.length).toBeLessThan(30_000);
  await at.ends('commands plna', 64, 'No command is named plna. Did you mean "plan"?');
});
