// Tests which values look like secrets.
import { expect, test } from 'vitest';
import { secretsIn, withoutSecrets } from '../../../src/lib/patterns/secret-values.ts';

const repeated = (text: string, count: number) => text.repeat(count);

test.for<readonly [value: string, shown: string]>([
  ['sk_live_4eC39HqLyjWDarjtT1zdp7dc', '…'],
  ['key rk_test_4eC39HqLyjWDarjtT1zdp7dc!', 'key …!'],
  [`ghp_${repeated('a1B2', 9)}`, '…'],
  [`github_pat_${repeated('a1_B', 9)}`, '…'],
  [`glpat-${repeated('a-B2', 5)}`, '…'],
  [`npm_${repeated('a1B2', 9)}`, '…'],
  ['AKIAIOSFODNN7EXAMPLE', '…'],
  ['xoxb-17653672481-19874698323', '…'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N', '…'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----', '…'],
  ['{"user":"ada","apiKey" : "a1b2c3d4"}', '{"user":"ada","apiKey" : "…"}'],
  ['{"db.password":"a\\"1b2c3"}', '{"db.password":"…"}'],
  ['https://ada:hunter2@h.example/p', 'https://ada:…@h.example/p'],
  ['see https://h.example/?a=1&access_token=a1b2c3d4&b=2', 'see https://h.example/?a=1&access_token=…&b=2'],
])('hides the secret of %s', ([value, shown]) => {
  expect(withoutSecrets(value, ['data'], () => '…')).toBe(shown);
  expect(secretsIn({ data: value })).toMatchObject([{ path: ['data'] }]);
});

test.for([
  'pk_live_4eC39HqLyjWDarjtT1zdp7dc',
  'The word token, and a secret: none',
  '{"token": "none", "password_hint": "my first cat", "has_password": true}',
  'https://h.example/a.png?alt=media&token=5f0c7e1d-8a1b',
  'https://h.example/@ada:room/a',
  'ada@h.example:443',
  '5f0c7e1d-8a1b-4f7e-9d2c-1f0a7b3c5d6e',
])('takes %s for no secret', (value) => {
  expect(secretsIn({ data: value })).toEqual([]);
});

test.for<readonly [key: string, isSecret: boolean]>([
  ['password', true],
  ['API_KEY', true],
  ['stripeSecret', true],
  ['refresh-token', true],
  ['password_hint', false],
  ['tokens', false],
  ['keyboard', false],
])('decides by the last words of the key %s', ([key, isSecret]) => {
  expect(secretsIn({ metadata: { [key]: 'hunter22' } })).toHaveLength(isSecret ? 1 : 0);
});

test('looks into free attributes and URLs only', () => {
  expect(secretsIn({ nickname: 'sk_live_4eC39HqLyjWDarjtT1zdp7dc', password: 'hunter22' })).toEqual([]);
  expect(secretsIn({ cover_url: 'https://a:hunter22@h.example' })).toMatchObject([{ path: ['cover_url'] }]);
});
