// Tests that URLs lose their tokens and nothing else.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expiryOf, mayHoldToken, scrub, scrubText, withoutToken } from '../../../src/convert/export/urls.ts';

test.for<readonly [url: string, without: string | undefined, hadToken?: boolean]>([
  ['https://example.com/a?b=c', 'https://example.com/a?b=c'],
  ['https://files.slack.com/f?t=xoxe-1-2', 'https://files.slack.com/f', true],
  ['https://youtube.com/watch?v=1&t=42', 'https://youtube.com/watch?v=1&t=42'],
  ['https://user:word@example.com/', 'https://example.com/', true],
  ['https://s3.example.com/f?X-Amz-Signature=ab&X-Amz-Date=cd&x=1', 'https://s3.example.com/f?x=1', true],
  ['https://cdn.discordapp.com/f?ex=66000000&is=65&hm=ab', 'https://cdn.discordapp.com/f', true],
  ['https://cdn.example/f?w=1&Expires=1714982460&Signature=a&Key-Pair-Id=b', 'https://cdn.example/f?w=1', true],
  ['https://a.blob.example/f?sv=1&sr=b&se=2024-05-06T08:01:00Z&sp=r&sig=a', 'https://a.blob.example/f', true],
  ['https://example.com/f?Expires=1714982460&se=1', 'https://example.com/f?Expires=1714982460&se=1'],
  ['https://example.com/f?is=1', 'https://example.com/f?is=1'],
  ['https://example.com/xoxe-1-2/f', undefined],
  ['javascript:alert(1)', undefined],
  ['no address', undefined],
])('%s', ([url, without, hadToken = false]) => {
  expect(withoutToken(url)).toEqual(without === undefined ? undefined : { url: without, hadToken });
});

test('removes nothing but tokens from texts, at any depth', () => {
  expect(scrubText('see <https://a.example/f?token=1&x=2|f>, xoxb-12-ab!')).toBe('see <https://a.example/f?x=2|f>, !');
  expect(scrubText('<https://a.example/f?a=1&amp;token=1&amp;b=2|f> &amp;')).toBe(
    '<https://a.example/f?a=1&amp;b=2|f> &amp;',
  );
  const value = { a: ['https://a.example/f?sig=1', { b: 'plain' }] };
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
