// Tests that every function of the library refuses options that it does not have, lacks or cannot read, and that none of them is
// ignored. The cases are made from the tables of options.
import { describe, expect, test } from 'vitest';
import { allCommands } from '../../../src/cli/commands/index.ts';
import { longName } from '../../../src/cli/flags/names.ts';
import * as library from '../../../src/library.ts';
import {
  type LibraryFunction,
  type OptionForms,
  type OptionType,
  optionForms,
} from '../../../src/model/library/option-forms.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const functions = Object.keys(optionForms) as LibraryFunction[];
const formsOf = (name: LibraryFunction): OptionForms => optionForms[name];

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
  variables: ['A=b', { A: 1 }, null],
  signal: [true, {}, null],
  function: ['log', {}, null],
};

test('has a table for each function that takes options, and the reverse', () => {
  const exported = Object.entries(library).filter(
    ([, value]) => typeof value === 'function' && !/^class /u.test(String(value)),
  );
  expect(functions.toSorted()).toEqual(exported.map(([name]) => name).sort());
});

describe.for(functions)('%s', (name) => {
  const forms = formsOf(name);
  const required = Object.fromEntries(
    Object.entries(forms).flatMap(([key, { isRequired, type }]) =>
      isRequired === true ? [[key, type === 'texts' ? ['x'] : 'x'] as const] : [],
    ),
  );

  test('refuses an option that it does not have, and names the nearest', async () => {
    await refused(name, { ...required, nosuch: 1 }, `nosuch is not an option of ${name}.`);
    for (const key of Object.keys(forms))
      await refused(name, { ...required, [`${key}s`]: 1 }, `${key}s is not an option of ${name}. Did you mean ${key}?`);
  });

  test('refuses each option of another type, and says which it takes', async () => {
    for (const [key, { type }] of Object.entries(forms)) {
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
  ['copyFiles', { baseUrl: 'https://cdn.example.com' }, ['Did you mean publicUrl?', 'copyFiles needs publicUrl']],
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
    ['doctor', 'out'],
    ['apply', 'tokensOut'],
  ] as const)
    await expect(call(name, { cwd, [key]: 'notes.txt' })).rejects.toMatchObject({ code: 'file.other-kind' });
});

/** The command of a function, where it has another name. */
const commandOf: Readonly<Partial<Record<LibraryFunction, string>>> = {
  planUndo: 'undo',
  runTests: 'test',
  exportEstate: 'export',
  copyFiles: 'files',
};

test('names flags that the commands have, with the same form and choices', async () => {
  const definitions = await allCommands();
  const wrong: string[] = [];
  for (const name of functions) {
    const { options = [] } = definitions.find((definition) => definition.name === (commandOf[name] ?? name)) ?? {};
    for (const [key, { flag, type, choices }] of Object.entries(formsOf(name))) {
      if (flag === undefined) continue;
      const option = options.find(({ flags }) => longName(flags) === flag);
      const form = type === 'switch' ? /^--[\w-]+$/u : type === 'texts' ? /<.*\.\.\.>$/u : /<[^.]*>$/u;
      const isSame = option !== undefined && form.test(option.flags) && String(option.choices) === String(choices);
      // An undo reads the objects unless a flag says that it does not.
      if (!isSame && !(key === 'refresh' && name.toLowerCase().endsWith('undo')))
        wrong.push(`${name}.${key}: --${flag}`);
    }
  }
  expect(wrong).toEqual([]);
});
