// Tests that any text loads without an exception, and that valid users are loaded as written.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { registry } from '../../../src/core/resources/index.ts';
import { codePoint } from '../../support/code-point.ts';
import { inSuite } from '../../support/suite.ts';
import { load } from './support/in-memory.ts';

const loaded = (content: string | Uint8Array) => load({ 'a.yaml': content });

const words = [
  ...['version', 'users', 'alice', 'members', 'defaults', 'removed', 'policy', 'application', 'nickname', 'null'],
  ...[': ', ': ', ': ', ', ', '\n', '\n', '\n  ', '\n    ', '- ', '{', '}', '[', ']', '&a ', '*a', '<<', '|\n', '"'],
  ...["'", '? ', '#', '!', '%', '@', '`', '---\n', '...\n', '\t', '\r\n', '1', '1e999', '.nan', '0x1F', '__proto__'],
];
const attributes = registry.flatMap((kind) => [...Object.keys(kind.attributes), ...Object.keys(kind.spellings ?? {})]);
const block = fc.dictionary(fc.constantFrom('lifecycle', ...attributes), fc.jsonValue(), { maxKeys: 6 });
const section = fc.dictionary(fc.string(), fc.oneof(block, fc.jsonValue()), { maxKeys: 3 });
const sections = registry.map((kind) => kind.section);
const names = fc.constantFrom('version', 'application', 'policy', 'defaults', 'removed', ...sections);

test.for<[string, fc.Arbitrary<string | Uint8Array>]>([
  ['bytes of any kind', fc.uint8Array({ maxLength: 200 })],
  [
    'text made of the signs and words of manifests',
    fc.array(fc.constantFrom(...words), { maxLength: 60 }).map((parts) => `version: 1\n${parts.join('')}`),
  ],
  [
    'any value in any place',
    fc.dictionary(names, fc.oneof(section, fc.jsonValue()), { maxKeys: 6 }).map((value) => JSON.stringify(value)),
  ],
])('never throws for %s', async ([, manifests]) => {
  await fc.assert(
    fc.asyncProperty(manifests, async (manifest) => void (await loaded(manifest))),
    { numRuns: inSuite(40, 200) },
  );
});

test('loads valid users as they were written', async () => {
  const text = fc
    .string({ unit: codePoint, maxLength: 60 })
    .filter((value) => !/[\0@\x7f\ufffe\uffff\p{Surrogate}]/u.test(value));
  const key = text.filter(
    (value) => value !== '' && !value.includes(',') && !/^(?:__proto__|constructor|prototype)$/u.test(value),
  );
  const metadata = fc.dictionary(key, text, { maxKeys: 5 });
  const users = fc.dictionary(key, fc.record({ nickname: text, metadata }), { minKeys: 1, maxKeys: 5 });
  await fc.assert(
    fc.asyncProperty(users, async (declared) => {
      const { resources, diagnostics } = await loaded(JSON.stringify({ version: 1, users: declared }));
      expect(diagnostics).toEqual([]);
      const found = [...resources].map(({ address, attributes }) => [address.slice('user.'.length), attributes]);
      expect(Object.fromEntries(found)).toEqual(declared);
      const again = await loaded(stringify({ version: 1, users: declared }));
      expect([...again.resources].map(({ attributes }) => attributes)).toEqual(
        [...resources].map(({ attributes }) => attributes),
      );
    }),
    { numRuns: inSuite(25, 100) },
  );
});
