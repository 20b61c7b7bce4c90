// Tests that no manifest reads a hidden file, however the manifest names it.
import { describe, expect, test } from 'vitest';
import { load, memoryFiles } from '../support/in-memory.ts';

const secret = 'token=geheim\n';
const names = ['.env', '.env.local', '.git/config', '.npmrc', 'sub/.netrc', './.git/../.env'];
const ways: Readonly<Record<string, (file: string) => string>> = {
  'as a picture': (file) => `users: { alice: { nickname: A, profile_file: "${file}" } }`,
  'as a cover': (file) => `open_channels: { room: { cover_file: "${file}" } }`,
  'as an archive': (file) => `open_channels: { room: { messages: { file: "${file}" } } }`,
  'as a source': (file) => `sources: [{ kind: user, file: "${file}" }]`,
  'as archives by a pattern': (file) => `sources: [{ kind: messages, file: "${file}{channel_url}" }]`,
  'as rows': (file) => `users: { "u-$\{each.id}": { for_each: { file: "${file}" }, nickname: A } }`,
  'as a base': (file) => `extends: "${file}"`,
};

describe.each(Object.keys(ways))('%s', (way) => {
  test.for(names)('%s is not read', async (name) => {
    const text = `version: 1\n${ways[way]?.(name)}\n`;
    const read: string[] = [];
    const files = memoryFiles({ 'a.yaml': text, ...Object.fromEntries(names.map((one) => [one, secret])) });
    const noted = <T>(path: string, result: T): T => {
      read.push(path);
      return result;
    };
    const { diagnostics } = await load(
      {},
      {
        files: {
          ...files,
          readFile: (path) => noted(path, files.readFile(path)),
          readChunks: (path) => noted(path, files.readChunks(path)),
        },
      },
    );
    expect(read.filter((path) => !path.endsWith('a.yaml'))).toEqual([]);
    expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
    expect(JSON.stringify(diagnostics)).not.toContain('geheim');
  });
});
