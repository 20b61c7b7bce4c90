// Tests which addresses the platform may be configured to call.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KindDefinition } from '../../../../src/core/kinds/definition/kind.ts';
import { callbackFault, isTrusted } from '../../../../src/core/manifest/checks/callbacks.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../../src/lib/json.ts';
import { place } from '../../../support/place.ts';

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

interface Place {
  readonly kind: KindDefinition;
  readonly path: readonly string[];
  readonly schema: JsonObject;
}

/** Each text of a schema that is a URL by its name or its description. */
function* urlsIn(kind: KindDefinition, path: readonly string[], schema: unknown): Generator<Place> {
  if (!isObject(schema)) return;
  const { description = '', properties, additionalProperties } = schema;
  const isUrl = /(?:^|_)url$/u.test(path.at(-1) ?? '') || /\bURL\b|\bhttps? address\b/u.test(String(description));
  if (schema.type === 'string' && schema['x-file'] === undefined && isUrl) yield { kind, path, schema };
  for (const [name, part] of Object.entries(isObject(properties) ? properties : {}))
    yield* urlsIn(kind, [...path, name], part);
  yield* urlsIn(kind, [...path, 'key'], additionalProperties);
}

const urlAttributes = registry.flatMap((kind) =>
  Object.entries(kind.attributes).flatMap(([name, { schema }]) => [...urlsIn(kind, [name], schema)]),
);

test('every attribute that is a URL is checked for its normal form, as a callback or by its format', () => {
  const unchecked = urlAttributes.filter(({ kind, path, schema }) => {
    const attributes = path.reduceRight<JsonValue>((value, name) => ({ [name]: value }), 'https://hooks.example/');
    const callbacks = kind.callbacks?.(attributes as JsonObject) ?? [];
    return schema.format !== 'plain-url' && !callbacks.some(({ path: called }) => called.join() === path.join());
  });
  expect(unchecked.map(({ kind, path }) => [kind.name, ...path].join('.'))).toEqual([]);
  expect(new Set(urlAttributes.map(({ path }) => path.join('.')))).toEqual(
    new Set(['profile_url', 'bot_callback_url', 'bot_profile_url', 'cover_url', 'webhook.url', 'emojis.key.url']),
  );
});

test.for([
  ['https://img.acme.com\\\\@evil.com/a.png', 'so programs may read different hosts in it.'],
  ['https:\\\\\\\\img.acme.com/a.png', ''],
  [' https://img.acme.com/a.png', ''],
  ['https://img.acme.com/ü.png', 'Write it as "https://img.acme.com/%C3%BC.png".'],
] as const)('refuses the picture %j', async ([url, says]) => {
  const blocks = [
    `users: { ann: { nickname: A, profile_url: "${url}" } }`,
    `users: { ann: { nickname: A } }\nopen_channels: { hall: { name: H, cover_url: "${url}" } }`,
    `settings: { emojis: { wave: { url: "${url}", emoji_category_id: 1 } } }`,
  ];
  for (const block of blocks) {
    const at = await place({ 'chat.yaml': `version: 1\n${block}\n` });
    const { exit, stdout } = await at.run('validate');
    expect([exit, stdout]).toEqual([65, expect.stringContaining('manifest.bad-format')]);
    expect(stdout).toContain(says);
  }
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
