// Tests that no manifest reads a hidden file or one outside its folder, however the manifest names it.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadManifests } from '../../../../src/core/manifest/load.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { load, memoryFiles } from '../support/in-memory.ts';

const patternOf = (file: string): string =>
  file.includes('lobby') ? file.replace('lobby', '{channel_url}') : `${file}{channel_url}`;
const ways: Readonly<Record<string, (file: string) => string>> = {
  picture: (file) => `users: { alice: { nickname: A, profile_file: "${file}" } }`,
  cover: (file) => `open_channels: { lobby: { cover_file: "${file}" } }`,
  historyFile: (file) => `open_channels: { lobby: { messages: { file: "${file}" } } }`,
  source: (file) => `sources: [{ kind: user, file: "${file}" }]`,
  'pattern of archives': (file) => `sources: [{ kind: messages, file: "${patternOf(file)}" }]`,
  rows: (file) => `users: { "u-$\{each.id}": { for_each: { file: "${file}" }, nickname: A } }`,
  base: (file) => `extends: "${file}"`,
};

const names = ['.env', '.env.local', '.git/config', '.npmrc', 'sub/.netrc', './.git/../.env'];
describe.each(Object.entries(ways))('as a %s', (_way, declared) => {
  test.for(names)('%s is not read', async (name) => {
    const contents = Object.fromEntries(names.map((hidden) => [hidden, 'token=geheim\n']));
    const files = memoryFiles({ 'a.yaml': `version: 1\n${declared(name)}\n`, ...contents });
    const read: string[] = [];
    const noted = <T>(path: string, result: T): T => {
      read.push(path);
      return result;
    };
    const readFile = (path: string) => noted(path, files.readFile(path));
    const readChunks = (path: string) => noted(path, files.readChunks(path));
    const { diagnostics } = await load({}, { files: { ...files, readFile, readChunks } });
    expect(read.filter((path) => !path.endsWith('a.yaml'))).toEqual([]);
    expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
    expect(JSON.stringify(diagnostics)).not.toContain('geheim');
  });
});

const emulator = (path: string) => `application: { base_url: "emulator:${path}" }`;
test.for<readonly [name: string, declared: string, isRefused: boolean]>([
  ...Object.entries(ways).flatMap(([name, declared]) => [
    [`a ${name}: a link that leads out`, declared('out/history/lobby.ndjson'), true] as const,
    [`a ${name}: a link within the folder`, declared('inner/history/lobby.ndjson'), false] as const,
  ]),
  ['the emulator: a link that leads out', emulator('out/emulator'), true],
  ['the emulator: a link within the folder', emulator('inner/emulator'), false],
  ['the emulator: a link to a file that is not there yet', emulator('new'), true],
  ['the emulator: above', emulator('../new'), true],
  ['the emulator: a folder that is not there yet', emulator('a/../.chatform/b'), false],
])('on a real disk, %s', async ([, declared, isRefused]) => {
  const outside = { 'outside/history/lobby.ndjson': '{"user_id": "bob", "nickname": "Bob"}\n' };
  const folder = await temporaryFolder({ ...outside, 'estate/chat.yaml': `version: 1\n${declared}\n` });
  const cwd = join(folder, 'estate');
  // A search of the folder would report the links themselves.
  await symlink('../outside', join(cwd, 'out'));
  await symlink('.', join(cwd, 'inner'));
  await symlink('../outside/new', join(cwd, 'new'));
  const loaded = await loadManifests(['chat.yaml'], { kinds: registry, cwd, variables: () => undefined });
  const codes = loaded.diagnostics.map(({ code }) => code);
  expect(codes.includes('manifest.leaves-folder'), codes.join(' ')).toBe(isRefused);
  if (isRefused) expect(loaded).toMatchObject({ diagnostics: [{ source: { file: 'chat.yaml', line: 2 } }] });
  if (isRefused) expect(loaded.application).toBeUndefined();
});
