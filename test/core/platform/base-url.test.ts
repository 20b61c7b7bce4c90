// Tests that the token is sent only to allowed hosts, and that two spellings of an address name one application.
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../src/core/model/errors.ts';
import { applicationIdentity, checkBaseUrl } from '../../../src/core/platform/base-url.ts';

const manifest = { trusted: false, allowedHosts: ['chat.example.org', 'Proxy.example.org:8443'] };
const flag = { trusted: true, allowedHosts: [] };

function refusal(text: string, trust: Parameters<typeof checkBaseUrl>[1]): { code: string; exit: number } | undefined {
  try {
    checkBaseUrl(text, trust);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect(`${error.message} ${error.advice}`).not.toContain('hunter2');
    return { code: error.code, exit: error.exitCode };
  }
}

const untrusted = { code: 'base-url.untrusted', exit: 65 };
const invalid = { code: 'base-url.invalid', exit: 65 };

test.for([
  'https://api-ABC-123.sendbird.com/v3',
  'https://api-x.sendbird.com/v3/',
  'https://api-x.sendbird.com:443/v3',
  'http://127.0.0.1:8080/v3',
  'http://localhost:1/v3',
  'http://[::1]:1/v3',
  'https://chat.example.org/prefix/v3',
  'https://proxy.example.org:8443/v3',
])('a manifest may say %s', (text) => expect(refusal(text, manifest)).toBeUndefined());

test.for([
  'https://evil.example/v3',
  'https://api-x.sendbird.com.evil.example/v3',
  'https://api-x.sendbird.com:8443/v3',
  'https://sendbird.com/v3',
  'https://api-x.y.sendbird.com/v3',
  'https://evil.example/api-x.sendbird.com/v3',
  'https://127.0.0.1.evil.example/v3',
  'https://localhost.evil.example/v3',
  'https://chat.example.org:444/v3',
  'http://chat.example.org/v3',
  'http://api-x.sendbird.com/v3',
])('a manifest may not say %s', (text) => expect(refusal(text, manifest)).toEqual(untrusted));

test('allows any host in a flag, but not over plain http', () => {
  expect(refusal('https://evil.example/v3', flag)).toBeUndefined();
  expect(refusal('http://evil.example/v3', flag)).toEqual(untrusted);
});

test.for([
  '',
  'api-x.sendbird.com/v3',
  'ftp://api-x.sendbird.com/v3',
  'https://api-x.sendbird.com',
  'https://api-x.sendbird.com/v2',
  'https://api-x.sendbird.com/xv3',
  'https://api-x.sendbird.com//v3',
  'https://api-x.sendbird.com/proxy//v3',
  'https://user:hunter2@api-x.sendbird.com/v3',
  'https://api-x.sendbird.com/v3?token=hunter2',
  'https://api-x.sendbird.com/v3#hunter2',
])('%s is not a base URL', (text) => expect(refusal(text, flag)).toEqual(invalid));

describe('identity', () => {
  test.for([
    ['https://api-ABC.sendbird.com/v3/', 'api-abc.sendbird.com/v3'],
    ['https://API-abc.sendbird.com:443/v3', 'api-abc.sendbird.com/v3'],
    ['https://proxy.example.org:8443/a/v3', 'proxy.example.org:8443/a/v3'],
    ['http://127.0.0.1:4711/v3', '127.0.0.1:4711/v3'],
    ['http://LOCALHOST/v3', 'localhost:80/v3'],
    ['https://[::1]/v3', '[::1]:443/v3'],
    ['emulator:.chatform/emulator', 'emulator:.chatform/emulator'],
  ] as const)('%s is %s', ([text, identity]) => expect(applicationIdentity(text)).toBe(identity));
});
