// Tests on a real disk that no path in a manifest leads out of the folder through a symbolic link.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadManifests } from '../../../src/manifest/load.ts';
import { registry } from '../../../src/resources/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const rows = '{"user_id": "bob", "nickname": "Bob"}\n';
const outside = { 'outside/users.ndjson': rows, 'outside/history/lobby.ndjson': rows, 'outside/data': rows };

const cases: readonly { readonly name: string; readonly declared: string; readonly isRefused: boolean }[] = [
  ...[
    { name: 'an image', declared: 'users: { alice: { nickname: A, profile_file: LINK/data } }' },
    { name: 'a cover', declared: 'open_channels: { lobby: { cover_file: LINK/data } }' },
    { name: 'an archive', declared: 'open_channels: { lobby: { messages: { file: LINK/history/lobby.ndjson } } }' },
    { name: 'a source', declared: 'sources: [{ kind: user, file: LINK/users.ndjson }]' },
    { name: 'a pattern', declared: 'sources: [{ kind: messages, file: "LINK/history/{channel_url}.ndjson" }]' },
    { name: 'the emulator', declared: 'application: { base_url: "emulator:LINK/emulator" }' },
  ].flatMap(({ name, declared }) => [
    { name: `${name}: a link that leads out`, declared: declared.replace('LINK', 'out'), isRefused: true },
    { name: `${name}: a link within the folder`, declared: declared.replace('LINK', 'inner'), isRefused: false },
  ]),
  {
    name: 'the emulator: a link to a file that is not there yet',
    declared: 'application: { base_url: "emulator:new" }',
    isRefused: true,
  },
  { name: 'the emulator: above', declared: 'application: { base_url: "emulator:../new" }', isRefused: true },
  {
    name: 'the emulator: a folder that is not there yet',
    declared: 'application: { base_url: "emulator:a/../.chatform/b" }',
    isRefused: false,
  },
];

test.for(cases)('$name', async ({ declared, isRefused }) => {
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
