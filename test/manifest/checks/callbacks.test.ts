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

test('refuses a semicolon in the host', () => {
  expect(callbackFault('https://evil.com;a.example')).toContain('characters that no host name has');
  expect(callbackFault('https://hooks.acme.example/chat;v=1')).toBeUndefined();
  expect(callbackFault('https://[::1]/chat')).toBeUndefined();
});
