// Tests that places lose their queries and texts their tokens.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expiryOf, mayHoldToken, safeId, safePlace, scrub } from '../../../../src/migration/convert/export/urls.ts';

test.for<readonly [url: string, without: string | undefined, isCut?: boolean, hadToken?: boolean]>([
  ['https://example.com/a', 'https://example.com/a'],
  ['https://example.com/a#page', 'https://example.com/a#page'],
  ['https://example.com/a?b=c', 'https://example.com/a', true],
  ['https://example.com/a#access_token=1', 'https://example.com/a', true],
  ['https://files.slack.com/f?t=xoxe-1-2', 'https://files.slack.com/f', true, true],
  ['https://user:word@example.com/', 'https://example.com/', true, true],
  ['https://s3.example.com/f?X-Amz-Signature=ab&X-Amz-Date=cd&x=1', 'https://s3.example.com/f', true, true],
  ['https://cdn.discordapp.com/f?ex=66000000&is=65&hm=ab', 'https://cdn.discordapp.com/f', true, true],
  ['https://a.blob.example/f?sv=1&sr=b&se=2024-05-06T08:01:00Z&sp=r&sig=a', 'https://a.blob.example/f', true, true],
  ['https://example.com/f?own_name_of_a_token=1', 'https://example.com/f', true],
  ['https://example.com/xoxe-1-2/f', undefined],
  ['javascript:alert(1)', undefined],
  ['no address', undefined],
])('%s', ([url, without, isCut = false, hadToken = false]) => {
  const place = safePlace(url);
  expect(place?.url).toBe(without);
  if (place !== undefined) expect(place).toMatchObject({ isCut, hadToken });
});

test('tells files apart by parameters that give no access, and by no others', () => {
  const keyOf = (query: string) => safePlace(`https://a.example/f${query}`)?.key;
  expect(keyOf('?sig=1&se=2&sv=3')).toBe(keyOf('?sig=4&se=5&sv=6'));
  expect(keyOf('?id=1&sig=1')).toBe(keyOf('?id=1&sig=2'));
  expect(keyOf('?id=1&Signature=1&Expires=1')).toBe(keyOf('?id=1&Signature=2&Expires=2'));
  expect(keyOf('?id=1')).not.toBe(keyOf('?id=2'));
  expect(keyOf('?id=1')).toMatch(/^https:\/\/a\.example\/f#[0-9a-f]{12}$/u);
  expect(safeId('acme:1:https://a.example/f?id=1')).not.toBe(safeId('acme:1:https://a.example/f?id=2'));
  expect(safeId('acme:1:https://a.example/f?sig=SECRET')).toBe('acme:1:https://a.example/f');
});

test('removes the queries of places, and tokens from other texts, at any depth', () => {
  expect(scrub('see <https://a.example/f?token=1&x=2|f>, xoxb-12-ab!')).toBe('see <https://a.example/f|f>, !');
  expect(scrub('see https://a.example/f?x=2')).toBe('see https://a.example/f?x=2');
  const value = { a: ['https://a.example/f?own=1', { b: 'plain' }] };
  expect(scrub(value)).toEqual({ a: ['https://a.example/f', { b: 'plain' }] });
  const plain = { a: ['plain', 1, null] };
  expect(scrub(plain)).toBe(plain);
});

test('knows when a signed URL ends', () => {
  expect(expiryOf('https://cdn.discordapp.com/f?ex=66000000')).toBe(0x66000000 * 1000);
  expect(expiryOf('https://s3.example.com/f?X-Amz-Date=20240101T000000Z&X-Amz-Expires=60')).toBe(
    Date.UTC(2024, 0, 1, 0, 1),
  );
  const goog = 'https://storage.example/f?X-Goog-Date=20240101T000000Z&X-Goog-Expires=60&X-Goog-Signature=a';
  expect(expiryOf(goog)).toBe(Date.UTC(2024, 0, 1, 0, 1));
  expect(expiryOf('https://cdn.example/f?Expires=1714982460&Signature=a')).toBe(1_714_982_460_000);
  expect(expiryOf('https://a.blob.example/f?se=2024-05-06T08:01:00Z&sig=a')).toBe(Date.UTC(2024, 4, 6, 8, 1));
  expect(expiryOf('https://example.com/f?se=2024-05-06T08:01:00Z')).toBeUndefined();
  expect(expiryOf('https://example.com/')).toBeUndefined();
});

test.for([
  ['a?token=1', true],
  ['a?b=1&amp;X-Amz-Signature=1', true],
  ['a;ACCESS_TOKEN=', true],
  ['XOXB-1', true],
  ['a?token', false],
  ['token=1', false],
  ['a?tokens=1', false],
  ['a?b=token=1', false],
  ['2 = 3 & 4', false],
  [`a?x-amz-${'long'.repeat(9)}=1`, true],
] as const)('expects a token in %s: %s', ([text, expected]) => {
  expect(mayHoldToken(text)).toBe(expected);
});

test('finds a token where one expression over the whole text finds it', () => {
  const whole =
    /xox[a-z]-|[?&;](?:token|access_token|auth|api_?key|sig|signature|policy|key-pair-id|hm|x-(?:amz|goog|oss)-[^=]{1,40})=/iu;
  const part = fc.constantFrom(
    ...['https://a.example/f', '?', '&', '&amp;', '=', 'token', 'SIG', 'x-amz-a', 'xoxb-1', ' ', 'long'],
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 16 }), (parts) => {
      expect(mayHoldToken(parts.join(''))).toBe(whole.test(parts.join('')));
    }),
    { numRuns: 2_000 },
  );
});
