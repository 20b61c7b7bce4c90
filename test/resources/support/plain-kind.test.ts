// Tests the derivations for a kind without a sample.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type KindDefinition, neverDisabled } from '../../../src/resources/definition/kind.ts';
import { pick, textSchema, userIdSchema } from '../../../src/resources/definition/values.ts';
import { plainBlocks, plainDeeds, plainValues } from './plain-kind.ts';

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
