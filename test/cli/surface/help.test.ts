// Tests that every command has a description and helps with misspelt words: one conformance test over the registry.
import { describe, expect, test } from 'vitest';
import { allCommands, commands } from '../../../src/cli/commands/index.ts';
import { allVariables } from '../../../src/cli/flags/all-variables.ts';
import { listExits } from '../../../src/cli/flags/exits.ts';
import { longName, variableOf } from '../../../src/cli/flags/flag-names.ts';
import { meantCommands, meantFlags } from '../../../src/cli/flags/meant.ts';
import { desk } from '../../support/desk.ts';
import { place } from '../../support/place.ts';
import { expectEnd, runCli } from '../../support/run-cli.ts';

describe.for(await allCommands())(
  'chatform $name --help',
  ({ name, summary, help, exits, options, arguments: takes = [] }) => {
    const shown = async () => {
      const { stdout } = await expectEnd(runCli([name, '--help'], { cwd: '/' }), 0);
      return stdout.replace(/\s+/gu, ' ');
    };

    test('gives its purpose, then examples', async () => {
      expect(await shown()).toContain(summary.slice(1));
      const [title, first = ''] = help.split('\n');
      expect(title).toBe('Examples:');
      expect(first).toMatch(new RegExp(`^  (?:[A-Z_]+=\\S+ )*chatform ${name}\\b`, 'u'));
    });

    test('fits into its window, except for the usage line', async () => {
      const { stdout } = await runCli([name, '--help'], { cwd: '/' });
      const [, ...lines] = stdout.split('\n');
      expect(lines.filter((line) => line.length > 100)).toEqual([]);
      // A reader has to reach the flags.
      expect(lines.findIndex((line) => /^(?:Arguments|Options|Commands):$/u.test(line))).toBeLessThanOrEqual(40);
      expect(stdout).not.toContain('CHATFORM_HELP');
    });

    test('describes every flag with its effect and its variable', async () => {
      const text = await shown();
      for (const { flags, description } of options) {
        expect(text).toContain(flags);
        expect(description).not.toBe('');
        const names = variableOf(name, longName(flags)) ?? '';
        if (names !== '') expect(text).toContain(`env: ${names})`);
      }
      for (const { description } of takes) expect(text).toContain(description.replace(/\s+/gu, ' '));
    });

    test('names only variables that chatform reads', async () => {
      const variables = allVariables(await allCommands());
      const named = [...(await shown()).matchAll(/env: (CHATFORM_\w+)/gu)].map(([, variable = '']) => variable);
      expect(named.filter((variable) => !variables.includes(variable))).toEqual([]);
    });

    test('lists its exit codes with their meanings', async () => {
      const text = await shown();
      expect(exits[''], name).toHaveProperty('0');
      for (const { code, meaning, when } of listExits(exits)) {
        const group = text.slice(text.indexOf(when === undefined ? 'Exit codes:' : `With ${when}:`));
        expect(group).toContain(`${code} ${meaning}`);
        expect(when === undefined || options.some(({ flags }) => flags.startsWith(when))).toBe(true);
      }
      expect(help).not.toContain('Exit codes');
    });
  },
);

test('lists each command on a line that fits', async () => {
  const { stdout } = await runCli(['--help'], { cwd: '/' });
  const lines = stdout.split('\n');
  expect(lines.filter((line) => line.length > 100)).toEqual([]);
  for (const { name, summary } of await allCommands()) {
    expect(lines.filter((line) => line.startsWith(`  ${name} `) && line.endsWith(`  ${summary}`))).toHaveLength(1);
  }
});

test('registers every command under its name', async () => {
  expect((await allCommands()).map(({ name }) => name)).toEqual(Object.keys(commands));
});

test('prints help for a command and for itself, and refuses an unknown command', async () => {
  const [asked, flag] = [await runCli(['help', 'plan'], { cwd: '/' }), await runCli(['plan', '--help'], { cwd: '/' })];
  expect(asked).toEqual(flag);
  const unknown = await runCli(['help', 'nosuch'], { cwd: '/' });
  expect(unknown).toEqual({ exit: 64, stdout: '', stderr: "error: unknown command 'nosuch'\n" });
  expect(await runCli(['help', 'help'], { cwd: '/' })).toEqual(await runCli(['help'], { cwd: '/' }));
});

test('words of other tools are none of ours, and what to type instead exists', async () => {
  const definitions = await allCommands();
  const flags = new Set(definitions.flatMap(({ options }) => options.map(({ flags: name }) => longName(name))));
  for (const [word, sentence] of Object.entries({ ...meantCommands, ...meantFlags })) {
    expect(Object.keys(commands), word).not.toContain(word);
    for (const [, name = ''] of String(sentence).matchAll(/chatform ([a-z]+)/gu))
      expect(Object.keys(commands)).toContain(name);
    for (const [, name = ''] of String(sentence).matchAll(/--([\w-]+)/gu)) {
      if (name !== 'version') expect([...flags]).toContain(name);
    }
  }
  for (const [, verb = ''] of Object.values(meantCommands)
    .join(' ')
    .matchAll(/chatform state ([a-z]+)/gu))
    expect(definitions.find(({ name }) => name === 'state')?.arguments?.[0]?.usage).toContain(verb);
});

test.for([
  ['vlidate', 'Did you mean validate?'],
  ['help vlidate', "unknown command 'vlidate' (Did you mean validate?"],
  ['plan --fromat json', 'Did you mean --format?'],
  ['plan --target user.alise', 'Did you mean "user.alice"?'],
  ['explode', "error: unknown command 'explode'\n"],
  ['plan --fmt json', "error: unknown option '--fmt'\nSee chatform plan --help."],
  ['unlock', "unknown command 'unlock' Type chatform state unlock."],
  ['help import', 'Type chatform adopt'],
  ['state rm user.alice', 'Type chatform state forget.'],
  ['apply -auto-approve', 'Type --auto-approve, with two dashes.'],
  ['plan -out=x', 'Type --out x, with two dashes.'],
  ['apply --dry-run', 'Type chatform plan, which changes nothing.'],
  ['plan --no-colour', 'Type --color never'],
  ['-C folder plan', 'The folder of -C does not exist'],
  ['plan --quiet', 'Type -q.'],
  ['state forget user.alice --yes', 'Type --auto-approve.'],
  ['destroy --auto-approve', 'Type --confirm'],
] as const)('asks what was meant by %s', async ([command, says]) => {
  await (await place(desk)).ends(command, 64, says);
});
