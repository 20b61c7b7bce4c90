// Tests the derivations for a kind without a sample, and that each of the checks can fail.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import { type KindDefinition, neverDisabled } from '../../../src/resources/definition/kind.ts';
import { pick, textSchema, userIdSchema } from '../../../src/resources/definition/values.ts';
import { IdealPlatform } from '../../support/planning/ideal-platform.ts';
import { plainAnswer, plainBlocks, plainDeeds, plainFaults, plainValues } from './plain-kind.ts';

const route = '/stickers/{sticker_id}';
const params = (key: string) => ({ sticker_id: key });

const sticker: KindDefinition = {
  name: 'sticker',
  section: 'stickers',
  title: 'sticker',
  description: 'A kind that there is not.',
  keyName: 'sticker_id',
  keySchema: { type: 'string', minLength: 1, maxLength: 80, description: 'sticker_id.' },
  attributes: {
    label: { schema: textSchema(80, 'What people see.'), change: 'mutable', removed: { how: 'required' } },
    url: { schema: textSchema(80, 'Where it is.'), change: 'mutable', removed: { how: 'reset', to: '' } },
    format: { schema: textSchema(20, 'What it is.'), change: 'create_only', removed: { how: 'release' } },
    author: { schema: { ...userIdSchema }, change: 'mutable', removed: { how: 'release' } },
  },
  required: ['label'],
  rules: [],
  removals: ['delete', 'forget'],
  disabledState: neverDisabled,
  deletePhase: 'delete_user',
  normalise: (_key, declared) => ({ attributes: declared, problems: [] }),
  references: ({ author }) =>
    typeof author === 'string' ? [{ kinds: ['user'], key: author, role: 'author', path: ['author'] }] : [],
  checks: () => [],
  steps: ({ key, attributes }) => [
    {
      action: 'update',
      phase: 'user',
      request: {
        method: 'PUT',
        route,
        params: params(key),
        body: Object.fromEntries(attributes.map(({ path: [name = ''], after = '' }) => [name, after])),
      },
      edits: [],
    },
  ],
  view: (key) => ({ method: 'GET', route, params: params(key) }),
  remove: (key) => ({ method: 'DELETE', route, params: params(key) }),
  observe: (answer) => pick(answer, ['label', 'url', 'format', 'author']),
};

const valuesOf = (name: string) => plainValues(sticker, name);

test('derives two different allowed values of each attribute', () => {
  for (const name of Object.keys(sticker.attributes)) {
    const [first, other] = valuesOf(name) ?? [];
    expect([typeof first, typeof other, first === other], name).toEqual(['string', 'string', false]);
  }
  expect(plainValues(sticker, 'unknown')).toBeUndefined();
});

test('derives blocks with all required attributes, which name only existing people', () => {
  const others = { user: { one: { nickname: 'A' } } };
  const sections = fc.sample(plainBlocks(sticker, others), { numRuns: 200, seed: 1 });
  const blocks = sections.flatMap((section) => Object.values(section));
  expect(blocks.filter(({ label }) => label === undefined)).toEqual([]);
  expect(new Set(blocks.map(({ author }) => author))).toEqual(new Set([undefined, 'one']));
  expect(new Set(sections.flatMap((section) => Object.keys(section)))).toEqual(new Set(['key-1', 'c/d']));
});

test('derives changes by others, and the deletion', () => {
  const calls = plainDeeds(sticker, { key: 'c/d', person: '', text: '', number: 0 }, valuesOf);
  expect(calls.map(([method, path, body]) => [method, path, Object.keys(body ?? {})])).toEqual([
    ['PUT', '/stickers/c%2Fd', ['label']],
    ['PUT', '/stickers/c%2Fd', ['url']],
    ['PUT', '/stickers/c%2Fd', ['author']],
    ['DELETE', '/stickers/c%2Fd', []],
  ]);
});

describe('the ideal platform', () => {
  const call = (platform: IdealPlatform, method: 'POST' | 'PUT' | 'GET' | 'DELETE', body?: JsonObject) =>
    plainAnswer(sticker, platform, {
      method,
      ...(method === 'POST' ? { route: '/stickers' } : { route, params: params('a') }),
      ...(body === undefined ? {} : { body }),
    });
  const created = () => {
    const platform = new IdealPlatform();
    call(platform, 'POST', { sticker_id: 'a', label: 'A', format: 'png' });
    return platform;
  };

  test('keeps the values that were sent', () => {
    const platform = created();
    expect(call(platform, 'PUT', { url: 'x' })).toMatchObject({ label: 'A', format: 'png', url: 'x' });
    expect(platform.kept('sticker').size).toBe(1);
    expect(call(platform, 'DELETE')).toEqual({});
    expect(() => call(platform, 'GET')).toThrow('no sticker a');
  });

  test.for<[method: 'POST' | 'PUT', body: JsonObject, why: string]>([
    ['POST', { sticker_id: 'a', label: 'B' }, 'a exists'],
    ['POST', { sticker_id: 'b' }, 'label is missing'],
    ['POST', { label: 'B' }, 'sticker_id is missing'],
    ['POST', { sticker_id: 'b', label: 'B', colour: 'red' }, 'unknown field colour'],
    ['PUT', { format: 'jpg' }, 'unknown field format'],
    ['PUT', { author: 'nobody' }, 'nobody is called nobody'],
  ])('refuses %s %j', ([method, body, why]) => {
    expect(() => call(created(), method, body)).toThrow(why);
  });

  test('ignores calls of other kinds', () => {
    expect(plainAnswer(sticker, created(), { method: 'GET', route: '/stickers_of_others' })).toBeUndefined();
  });
});

test.for<[declared: JsonObject, unequal: string[]]>([
  [{ label: 'A', format: 'png' }, []],
  [{ label: 'A' }, []],
  [{ label: 'B' }, ['label']],
  [{ label: 'A', url: 'x' }, ['url']],
  [{ label: 'A', format: 'jpg' }, ['format']],
])('what is declared is compared with what is shown: %j', ([declared, unequal]) => {
  const shown = { label: 'A', format: 'png' };
  const platform = { call: () => shown } as unknown as IdealPlatform;
  const faults = plainFaults(sticker, platform, 'a', declared).filter(([, actual, wanted]) => actual !== wanted);
  expect(faults.map(([what]) => what)).toEqual(unequal);
});
