// Tests which addresses the platform may be configured to call.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callbackFault, isTrusted } from '../../../src/manifest/checks/callbacks.ts';

test('exempts an address only if its host is plain', () => {
  const separator = fc.constantFrom(...Array.from(';,&=!*+~$()`{}|^ "\''), '%3b', '%2f', '%23', '%00', '\\');
  fc.assert(
    fc.property(separator, fc.constantFrom('example', 'test', 'invalid', 'localhost'), (between, end) => {
      const url = `https://evil.com${between}a.${end}`;
      if (callbackFault(url) !== undefined) return;
      expect(new URL(url).hostname).not.toMatch(/^evil\.com.*\.(?:example|test|invalid|localhost)$/u);
      expect(isTrusted(url, [])).toBe(false);
    }),
  );
});

/** Each is read as another host by some program. */
test.for([
  'https://hooks.acme.com\\@evil.com/',
  'https://x.example\\@evil.com/hook',
  'https:\\\\hooks.acme.com/',
  'https:hooks.acme.com/',
  'https:/hooks.acme.com/',
  'https://hooks\uff0eacme\uff0ecom/',
  'https://hooks.acme.com/a/../b',
  ' https://hooks.acme.com/',
  'https://hooks.acme.com/\tx',
])('refuses %j, which is not its own normal form', (text) => {
  expect(callbackFault(text)).toContain('normal form');
});

test('accepts only URLs that are sent as they were checked', () => {
  const part = fc.stringMatching(/^[a-z.@:/\\?#%;=& ]{0,12}$/u);
  fc.assert(
    fc.property(part, (end) => {
      const text = `https://hooks.acme.com${end}`;
      if (callbackFault(text) !== undefined) return;
      const [, authority] = /^https:\/\/([^/?#]*)/u.exec(text) ?? [];
      expect(new URL(text).host).toBe(authority?.replace(/:443$/u, ''));
    }),
  );
});

test('refuses a semicolon in the host', () => {
  expect(callbackFault('https://evil.com;a.example')).toContain('characters that no host name has');
  expect(callbackFault('https://hooks.acme.example/chat;v=1')).toBeUndefined();
  expect(callbackFault('https://[::1]/chat')).toBeUndefined();
});
