// Tests that every function of the library refuses options that it does not have, lacks or cannot read, and that none of them is
// ignored. The cases are made from the tables of options.
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { allCommands } from '../../../../src/cli/commands/index.ts';
import { CommandInput, flagOptions } from '../../../../src/cli/flags/command-input.ts';
import { flagsWithoutVariable, longName, variableOf } from '../../../../src/cli/flags/flag-names.ts';
import { flagValues } from '../../../../src/cli/flags/flag-values.ts';
import { tools } from '../../../../src/cli/mcp/tools.ts';
import type { OptionTable, OptionType } from '../../../../src/core/model/library/option.ts';
import { programOptions } from '../../../../src/core/model/library/program-options.ts';
import { commandOf, type LibraryFunction, useCases } from '../../../../src/core/model/library/use-cases.ts';
import * as library from '../../../../src/library.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const functions = Object.keys(useCases) as LibraryFunction[];
const tableOf = (name: LibraryFunction): OptionTable => useCases[name];

/** Calls a function as a program without types does. */
function call(name: LibraryFunction, options: unknown): Promise<unknown> {
  const called = new Map(Object.entries(library)).get(name) as (given: unknown) => Promise<unknown>;
  return called(options);
}

function refused(name: LibraryFunction, options: unknown, ...says: readonly string[]): Promise<void> {
  const message = expect.stringMatching(new RegExp(says.map((text) => text.replace(/[()]/gu, '\\$&')).join('.*'), 'u'));
  return expect(call(name, options)).rejects.toMatchObject({ name: 'Refusal', code: 'usage', exitCode: 64, message });
}

/** Values that no option of the type has. */
const wrongValues: Readonly<Record<OptionType, readonly unknown[]>> = {
  text: [1, true, ['a'], {}, null, ''],
  texts: ['user.alice', [1], {}, 7, null, ['']],
  'text or texts': [1, {}, [1], null, ''],
  switch: ['true', 1, null],
  count: ['1', -1, 1.5, Number.NaN, null],
  duration: [5000, 'soon', '', null],
  time: [400, '4 am', '25:00', '', null],
  variables: ['A=b', { A: 1 }, null],
  signal: [true, {}, null],
  function: ['log', {}, null],
  plan: ['plan.chatform', 1, [], null],
};

test('has a table for each function that takes options, and the reverse', () => {
  const exported = Object.entries(library).filter(
    ([, value]) => typeof value === 'function' && !/^class /u.test(String(value)),
  );
  expect(functions.toSorted()).toEqual(exported.map(([name]) => name).sort());
});

describe.for(functions)('%s', (name) => {
  const table = tableOf(name);
  const required = Object.fromEntries(
    Object.entries(table).flatMap(([key, { isRequired, type }]) =>
      isRequired === true ? [[key, type === 'texts' ? ['x'] : 'x'] as const] : [],
    ),
  );

  test('refuses an option that it does not have, and names the nearest', async () => {
    await refused(name, { ...required, nosuch: 1 }, `nosuch is not an option of ${name}.`);
    for (const key of Object.keys(table))
      await refused(name, { ...required, [`${key}s`]: 1 }, `${key}s is not an option of ${name}. Did you mean ${key}?`);
  });

  test('refuses each option of another type, and says which it takes', async () => {
    for (const [key, { type }] of Object.entries(table)) {
      for (const value of wrongValues[type]) await refused(name, { ...required, [key]: value }, key);
    }
  });

  test('refuses to go without an option that it needs', async () => {
    for (const key of Object.keys(required))
      await refused(name, { ...required, [key]: undefined }, `${name} needs ${key}`);
  });

  test('refuses what is not an object of options', async () => {
    for (const value of [null, 'user.alice', 7, ['user.alice']])
      await refused(name, value, 'takes an object of options');
  });
});

test.for<[LibraryFunction, object, string[]]>([
  ['apply', { targets: ['user.alice'] }, ['Did you mean target?']],
  ['apply', { approved_hash: 'deadbeef' }, ['Did you mean approvedHash?']],
  ['apply', { maxDuration: 5000 }, ['maxDuration must be a duration such as 50m, but is a number.']],
  ['plan', { target: 'user.alice' }, ['target must be a list of texts, but is a text.']],
  ['plan', { ratePlan: 'gold', window: 'gcra' }, ['window is not an option of plan.', 'ratePlan is "gold"', '25k_mau']],
  ['copyFiles', { publicURL: 'https://cdn.example.com' }, ['Did you mean publicUrl?', 'copyFiles needs publicUrl']],
  ['explain', {}, ['explain needs address']],
])('%s(%j) says what is wrong with all of them', async ([name, options, says]) => {
  await refused(name, options, ...says);
});

test('repeats no value, which may be a secret', async () => {
  const thrown = await call('apply', { apiTokenFile: ['SECRET'], env: { CHATFORM_API_TOKEN: ['SECRET'] } }).catch(
    (error: unknown) => error,
  );
  expect(JSON.stringify(thrown) + String(thrown)).not.toContain('SECRET');
});

test('refuses a file of another kind before anything is read', async () => {
  const cwd = await temporaryFolder({ 'notes.txt': 'notes of somebody' });
  for (const [name, key] of [
    ['plan', 'out'],
    ['planUndo', 'out'],
    ['calibrate', 'out'],
    ['apply', 'tokensOut'],
  ] as const)
    await expect(call(name, { cwd, [key]: 'notes.txt' })).rejects.toMatchObject({ code: 'file.other-kind' });
});

/** The arguments of tools that have another name than the option. */
const argumentNames: Readonly<Record<string, string>> = { target: 'targets' };
/** Arguments that mean less than the option: only files of tables, and manifests but no saved plan. */
const narrowerArguments = ['convert.exported', 'rehearse.paths'];

const definitions = await allCommands();

describe('an option means the same wherever it is written', () => {
  const written = functions.flatMap((name) => {
    const command = commandOf(name);
    const definition = definitions.find((one) => one.name === command);
    return Object.entries(tableOf(name)).map(([key, option]) => ({ name, command, definition, key, option }));
  });

  test('each flag is one of its command, with the form, choices, default and meaning of the option', () => {
    const wrong = written.flatMap(({ name, definition, key, option: { flag, type, value, choices, ...option } }) => {
      if (flag === undefined) return [];
      const found = definition?.options.find(({ flags }) => longName(flags) === flag);
      const [open, close] = option.alone === undefined ? '<>' : '[]';
      const form = type === 'switch' ? '' : ` ${open}${value}${type === 'texts' ? '...' : ''}${close}`;
      const isSame =
        found?.flags === `--${flag}${form}` &&
        found.description.startsWith(option.text) &&
        String(found.choices) === String(choices) &&
        found.default === option.default &&
        (found.writes === undefined) === (option.writes === undefined);
      return isSame ? [] : [`${name}.${key}: --${flag}`];
    });
    expect(wrong).toEqual([]);
  });

  test('each flag has a variable, but those that mean something else in each command', () => {
    for (const { name, command, option } of written) {
      if (option.flag === undefined) continue;
      const isWithout = variableOf(command, option.flag) === undefined;
      expect(isWithout, `${name} --${option.flag}`).toBe(flagsWithoutVariable.includes(option.flag));
    }
  });

  test('a use case gets the same from a flag, a variable and an option', () => {
    const values: Readonly<Partial<Record<OptionType, readonly [written: string, value: unknown]>>> = {
      text: ['x', 'x'],
      texts: ['x', ['x']],
      switch: ['true', true],
      count: ['7', 7],
      duration: ['1h30m', '1h30m'],
    };
    for (const { command, definition, key, option } of written) {
      const { flag, type, choices } = option;
      const [first, value] = values[type] ?? [];
      if (flag === undefined || first === undefined || definition === undefined) continue;
      const text = choices?.[0] ?? first;
      const table = { [key]: option };
      const read = (args: readonly string[], env: Readonly<Record<string, string>>) => {
        const parsed = new Command();
        for (const { flags } of definition.options) parsed.option(flags);
        parsed.parse(args, { from: 'user' });
        return flagOptions(table, new CommandInput([], flagValues(definition, parsed, env).values));
      };
      const variable = variableOf(command, flag);
      const expected = programOptions(table, { [key]: choices === undefined ? value : text });
      expect(read(type === 'switch' ? [`--${flag}`] : [`--${flag}`, text], {}), `--${flag}`).toEqual(expected);
      if (variable !== undefined) expect(read([], { [variable]: text }), variable).toEqual(expected);
    }
  });

  test('each argument of a tool has the type and the text of the option', () => {
    const taken = Object.entries(tools).flatMap(([tool, { takes }]) => {
      const table = tableOf(functions.find((name) => commandOf(name) === tool) ?? 'plan');
      return Object.entries(takes).map(([argument, form]) => ({ tool, argument, form, table }));
    });
    const types: Readonly<Record<string, string>> = { flag: 'switch', path: 'text', paths: 'texts' };
    const wrong = taken.filter(({ tool, argument, form, table }) => {
      const key = Object.keys(table).find((name) => (argumentNames[name] ?? name) === argument);
      const option = key === undefined ? undefined : table[key];
      if (option === undefined || narrowerArguments.includes(`${tool}.${argument}`)) return false;
      return (types[form.type] ?? form.type) !== option.type || !form.description.startsWith(option.text);
    });
    expect(wrong.map(({ tool, argument }) => `${tool}.${argument}`)).toEqual([]);
  });
});
