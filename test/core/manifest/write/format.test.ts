// Tests the canonical form of each file under cases/, which formatting again leaves unchanged.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Problems, SourceText } from '../../../../src/core/manifest/problems/problems.ts';
import { formatManifest } from '../../../../src/core/manifest/write/format.ts';
import { registry } from '../../../../src/core/resources/index.ts';

const folder = join(import.meta.dirname, 'cases');
const cases = readdirSync(folder).filter((name) => !name.endsWith('.formatted.yaml'));

function format(text: string): { readonly text: string | undefined; readonly codes: readonly string[] } {
  const problems = new Problems();
  const formatted = formatManifest(new SourceText('a.yaml', text), registry, problems);
  return { text: formatted, codes: problems.sorted().map(({ code }) => code) };
}

test.for(cases)('gives %s its canonical form, which is stable', async (name) => {
  const { text, codes } = format(readFileSync(join(folder, name), 'utf8'));
  expect(codes).toEqual([]);
  await expect(text).toMatchFileSnapshot(join(folder, name.replace('.yaml', '.formatted.yaml')));
  expect(format(text ?? '').text).toBe(text);
});

describe('line ends', () => {
  test('keeps CR LF', () => {
    expect(format('users:\r\n   # a\r\n   a:\r\n     nickname: |\r\n       x\r\n       y\r\nversion: 1').text).toBe(
      'version: 1\r\nusers:\r\n  # a\r\n  a:\r\n    nickname: |\r\n      x\r\n      y\r\n',
    );
  });

  test('gives mixed line ends those of the first line', () => {
    expect(format('version: 1\nusers: {}\r\n').text).toBe('version: 1\nusers: {}\n');
  });

  test('ends with one line end', () => {
    expect(format('version: 1').text).toBe('version: 1\n');
    expect(format('version: 1\n\n\n').text).toBe('version: 1\n');
  });
});

describe('returned unchanged with its problems', () => {
  test.for([
    ['users: [', 'manifest.syntax'],
    ['', 'manifest.empty-document'],
    ['# only this\n', 'manifest.empty-document'],
    ['users: { a: { nickname: x, nickname: y } }', 'manifest.duplicate-key'],
    ['users: { a: *b }', 'manifest.syntax'],
    ['version: !x 1', 'manifest.syntax'],
    ['{ &a }', 'manifest.unusual'],
    ['name: deploy\non: push\n', 'manifest.unusual'],
  ] as const)('%s', ([text, code]) => {
    const formatted = format(text);
    expect(formatted.text).toBeUndefined();
    expect(formatted.codes).toContain(code);
  });
});

test('writes a key with ? in the usual way', () => {
  expect(format('? version\n: 1').text).toBe('version: 1\n');
});

test('keeps a document in brackets as JSON', () => {
  expect(format('{"version": 1,\n "users": {"alice": {"nickname": "Alice"}}}').text).toBe(
    '{ "version": 1, "users": { "alice": { "nickname": "Alice" } } }\n',
  );
});

test('does not change deprecated forms', () => {
  const text = 'version: 1\ngroup_channels:\n  rooms: { user_ids: [alice] }\n';
  expect(format(text).text).toBe(text);
});

test('formats manifests that only validate refuses', () => {
  expect(format('users: {a: {nick: x,   nickname: 5}}').text).toBe('users: { a: { nickname: 5, nick: x } }\n');
});
