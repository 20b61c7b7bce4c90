// Tests that each environment variable means one thing, whatever variables a pipeline sets for all of its commands (semantics §12).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { describe, expect, test } from 'vitest';
import { allCommands } from '../../../src/cli/commands/index.ts';
import { allVariables, otherVariables } from '../../../src/cli/flags/all-variables.ts';
import type { CommandDefinition, OptionDefinition } from '../../../src/cli/flags/command.ts';
import {
  camel,
  flagsWithoutVariable,
  longName,
  valuesElsewhere,
  variableOf,
} from '../../../src/cli/flags/flag-names.ts';
import { flagValues } from '../../../src/cli/flags/flag-values.ts';
import { desk } from '../../support/desk.ts';
import { connected, place } from '../../support/place.ts';

const definitions = await allCommands();
const uses = definitions.flatMap((definition) =>
  definition.options.map((option) => ({ definition, option, flag: longName(option.flags) })),
);

/** `<file...>` → `<...>`: whether a flag takes nothing, a value or several. */
function form({ flags }: OptionDefinition): string {
  return flags.replace(/^--[\w-]+ ?/u, '').replace(/\w[^.\]>]*/gu, '');
}

/** Descriptions that differ between commands although the flag means the same. A new one must be compared with the others. */
const rewordings: Readonly<Record<string, number>> = {
  'approved-hash': 2,
  'auto-approve': 4,
  'detailed-exitcode': 2,
  exclude: 2,
  faults: 2,
  format: 4,
  'keep-going': 2,
  latency: 2,
  'max-bytes': 2,
  'max-duration': 2,
  'rate-plan': 2,
  refresh: 3,
  window: 2,
};

test.for([
  ['state', 'autoApprove', [], { CHATFORM_AUTO_APPROVE: 'true' }, 'not set'],
  ['plan', 'state', [], { CHATFORM_STATE: 'file:x' }, 'file:x'],
  ['export', 'outDir', [], { CHATFORM_OUT_DIR: 'chat' }, 'not set'],
] as const)('%s has %s from %j with %j', async ([name, flag, words, env, expected]) => {
  const definition = definitions.find((each) => each.name === name);
  if (definition === undefined) throw new Error(`no command ${name}`);
  const command = new Command();
  for (const { flags } of definition.options) command.addOption(new Option(flags));
  command.argument('[words...]').parse(words, { from: 'user' });
  expect(flagValues(definition, command, env).values[flag] ?? 'not set').toBe(expected);
});

describe('the list of variables', () => {
  test('has one for each flag of each command, and none for a flag that the command does not have', () => {
    const without = uses.filter(({ definition: { name }, flag }) => variableOf(name, flag) === undefined);
    // An approval for plans must not end a lock or fill a test application.
    expect(
      without
        .filter(({ flag }) => !flagsWithoutVariable.includes(flag))
        .map(({ definition: { name }, flag }) => `${name} --${flag}`),
    ).toEqual(['calibrate --auto-approve', 'conformance --auto-approve', 'state --auto-approve']);
    expect(new Set(without.map(({ flag }) => flag))).toEqual(new Set([...flagsWithoutVariable, 'auto-approve']));
  });

  test('gives variables without a flag other names than variables of flags', () => {
    const ofFlags = uses.flatMap(({ definition: { name }, flag }) => variableOf(name, flag) ?? []);
    expect(Object.keys(otherVariables).filter((name) => ofFlags.includes(name))).toEqual([]);
  });

  test('has each name that the program, its pages and its pipelines speak of', () => {
    const root = join(import.meta.dirname, '../../..');
    const known = allVariables(definitions);
    const unknown = ['src', 'examples', 'README.md', 'schema'].flatMap((top) => {
      const isFile = top.endsWith('.md');
      const files = isFile ? [''] : readdirSync(join(root, top), { recursive: true, encoding: 'utf8' });
      return files
        .filter((file) => isFile || (/\.(?:ts|md|ya?ml|json|mjs)$/u.test(file) && !file.endsWith('CHANGELOG.md')))
        .flatMap((file) => {
          const text = readFileSync(join(root, top, file), 'utf8');
          return [...text.matchAll(/\bCHATFORM_[A-Z_0-9]+/gu)].flatMap(([name]) =>
            known.includes(name) || ['CHATFORM_VAR_', 'CHATFORM_API_TOKEN_'].some((begin) => name.startsWith(begin))
              ? []
              : [`${top}/${file}: ${name}`],
          );
        });
    });
    // A variable of our own tests, for contributors, and the mistake that the warning is about.
    expect(unknown.filter((line) => !/CHATFORM_(?:PAUSE_TRIALS|STAT)$/u.test(line))).toEqual([]);
  });

  test.for([...new Set(uses.map(({ flag }) => flag))].filter((flag) => !flagsWithoutVariable.includes(flag)))(
    'shares --%s only among commands in which it means the same',
    (flag) => {
      const options = uses.filter((use) => use.flag === flag).map(({ option }) => option);
      expect(new Set(options.map(form)).size).toBe(1);
      expect(new Set(options.map(({ description }) => description)).size).toBe(rewordings[flag] ?? 1);
      const choices = options.map(({ choices: values = [] }) => [...values].sort().join());
      if (valuesElsewhere(flag).length === 0) expect(new Set(choices).size).toBe(1);
      else
        expect(new Set(options.flatMap(({ choices: values = [] }) => values))).toEqual(new Set(valuesElsewhere(flag)));
    },
  );
});

/** The variables that a job may set once for all of its steps. */
const ofJob = {
  CHATFORM_OUT: 'plan.chatform',
  CHATFORM_OUT_DIR: 'chat',
  CHATFORM_REPORT: 'report.json',
  CHATFORM_EVENTS: 'events.ndjson',
  CHATFORM_WRITE: 'markdown=plan.md',
  CHATFORM_FORMAT: 'markdown',
  CHATFORM_CHECK: 'true',
  CHATFORM_VERIFY: 'true',
  CHATFORM_SEED: '7',
};

function parsed({ options }: CommandDefinition): Command {
  const command = new Command();
  for (const { flags, default: value } of options) command.addOption(new Option(flags).default(value));
  return command.parse([], { from: 'user' });
}

/** The flags of the command that the variables set. */
function flagsSet(definition: CommandDefinition, env: Readonly<Record<string, string>>): readonly string[] {
  const [before, after] = [
    flagValues(definition, parsed(definition), {}).values,
    flagValues(definition, parsed(definition), env).values,
  ];
  return definition.options
    .map(({ flags }) => longName(flags))
    .filter((flag) => JSON.stringify(before[camel(flag)]) !== JSON.stringify(after[camel(flag)]));
}

test.for(definitions)('with all variables of a job set, chatform $name takes only its own', (definition) => {
  const isMarkdown = definition.options.some(
    ({ flags, choices }) => longName(flags) === 'format' && choices?.includes('markdown'),
  );
  expect(flagsSet(definition, ofJob)).toEqual(isMarkdown ? ['format'] : []);
});

test('with all variables of a job set, a job ends as without them', async () => {
  const { at } = await connected(desk);
  const job = at.with({ env: ofJob });
  await job.ends(
    'validate',
    0,
    'CHATFORM_FORMAT is "markdown", which chatform validate does not know, and is ignored.',
  );
  await job.does('plan');
  await job.ends('apply --auto-approve', 0, 'CHATFORM_OUT is not a variable of chatform and is ignored.');
  expect(Object.keys(await at.content())).not.toContain('plan.chatform');
  await job.ends('undo --auto-approve', 5);
});

test('warns of a variable that nothing reads, and names the nearest', async () => {
  const at = (await place(desk)).with({
    env: { CHATFORM_STAT: 'file:x', CHATFORM_VAR_REGION: 'eu', CHATFORM_API_TOKEN_A: 't' },
  });
  const { stdout, stderr } = await at.does('plan --format json');
  expect(stderr).toContain(
    'warning: CHATFORM_STAT is not a variable of chatform and is ignored. Did you mean CHATFORM_STATE?\n',
  );
  expect(stderr.match(/warning: CHATFORM/gu)).toHaveLength(1);
  // CHATFORM_TO has as many other letters as equal ones behind the beginning that all variables have.
  expect((await at.with({ env: { [`CHATFORM_${'LOG'}`]: 'debug' } }).does('fmt')).stderr).toMatch(/is ignored\.$/mu);
  expect(JSON.parse(stdout)).toHaveProperty('hash');
  const hostile = at.with({ env: { [`CHATFORM_\u001b[2J${'x'.repeat(200)}`]: '' } });
  expect((await hostile.does('fmt')).stderr).not.toMatch(/\u001b|x{150}/u);
  // What shells run at every start says nothing.
  for (const quiet of ['--version', '--help', 'completion bash', '__complete pl'])
    expect((await at.run(quiet)).stderr).toBe('');
});

test.for([
  ['CHATFORM_FORMAT', 'jsno', 'human, json'],
  ['CHATFORM_RATE_PLAN', 'gold', '25k_mau'],
  ['CHATFORM_STATE', '', 'is empty'],
] as const)('refuses %s=%s', async ([name, value, says]) => {
  await (await place(desk, { [name]: value })).ends('plan', 64, name, says);
});

test.for([
  ['explain --access user.alice', { CHATFORM_REFRESH: 'all' }, '--refresh comes from CHATFORM_REFRESH.'],
  ['apply saved.plan', { CHATFORM_TARGET: 'user.alice' }, '--target comes from CHATFORM_TARGET.'],
  ['apply', { CHATFORM_LOCK_TIMEOUT: 'soon' }, '--lock-timeout comes from CHATFORM_LOCK_TIMEOUT.'],
] as const)('an error of %s names the variable that set a flag', async ([command, env, says]) => {
  const at = await place(desk);
  await at.does('plan --out saved.plan');
  await at.with({ env }).ends(command, 64, says);
});

test('prefers a flag to its variable', async () => {
  const at = await place(desk, { CHATFORM_FORMAT: 'json' });
  expect((await at.does('plan --format human')).stdout).toContain('Plan:');
  expect((await at.does('plan')).stdout).toMatch(/^\{/u);
});
