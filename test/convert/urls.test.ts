// Tests that tokens go out of URLs and nothing else does.
import { expect, test } from 'vitest';
import { expiryOf, scrub, scrubText, withoutToken } from '../../src/convert/urls.ts';

test.for<readonly [url: string, without: string | undefined, hadToken?: boolean]>([
  ['https://example.com/a?b=c', 'https://example.com/a?b=c'],
  ['https://files.slack.com/f?t=xoxe-1-2', 'https://files.slack.com/f', true],
  ['https://youtube.com/watch?v=1&t=42', 'https://youtube.com/watch?v=1&t=42'],
  ['https://user:word@example.com/', 'https://example.com/', true],
  ['https://s3.example.com/f?X-Amz-Signature=ab&X-Amz-Date=cd&x=1', 'https://s3.example.com/f?x=1', true],
  ['https://cdn.discordapp.com/f?ex=66000000&is=65&hm=ab', 'https://cdn.discordapp.com/f', true],
  ['https://example.com/f?is=1', 'https://example.com/f?is=1'],
  ['https://example.com/xoxe-1-2/f', undefined],
  ['javascript:alert(1)', undefined],
  ['no address', undefined],
])('%s', ([url, without, hadToken = false]) => {
  expect(withoutToken(url)).toEqual(without === undefined ? undefined : { url: without, hadToken });
});

test('texts keep everything but tokens, at any depth', () => {
  expect(scrubText('see <https://a.example/f?token=1&x=2|f>, xoxb-12-ab!')).toBe('see <https://a.example/f?x=2|f>, !');
  expect(scrubText('<https://a.example/f?a=1&amp;token=1&amp;b=2|f> &amp;')).toBe(
    '<https://a.example/f?a=1&amp;b=2|f> &amp;',
  );
  const value = { a: ['https://a.example/f?sig=1', { b: 'plain' }] };
  expect(scrub(value)).toEqual({ a: ['https://a.example/f', { b: 'plain' }] });
  const plain = { a: ['plain', 1, null] };
  expect(scrub(plain)).toBe(plain);
});

test('the end of a signed URL is known', () => {
  expect(expiryOf('https://cdn.discordapp.com/f?ex=66000000')).toBe(0x66000000 * 1000);
  expect(expiryOf('https://s3.example.com/f?X-Amz-Date=20240101T000000Z&X-Amz-Expires=60')).toBe(
    Date.UTC(2024, 0, 1, 0, 1),
  );
  expect(expiryOf('https://example.com/')).toBeUndefined();
});
