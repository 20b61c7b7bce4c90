// Tests that a state of chatform 0.2 can be moved into this version with the two commands that its refusal names.
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { place } from '../support/place.ts';

const written = join(import.meta.dirname, '../state/fixtures/0.2');
const manifest = `version: 1
application: { base_url: "emulator:data" }
users: { alice: { nickname: Alice }, bob: { nickname: Böb } }
group_channels:
  room: { name: Room, members: { alice: , bob: } }
`;

test('refuses a folder of 0.2, which its copy replaces', async () => {
  const at = await place({ 'chat.yaml': manifest });
  const folder = at.path('.chatform/state');
  await cp(written, folder, { recursive: true });
  const before = (await readdir(folder)).sort();
  for (const args of [['plan'], ['apply', '--auto-approve'], ['state', 'list'], ['state', 'pull', 'x.ndjson']]) {
    const refused = await at.ends(args, 1, 'state.older-version');
    expect(refused.stderr.replaceAll(/\s+/gu, ' ')).toContain('chatform state push copy.ndjson');
  }
  expect((await readdir(folder)).sort()).toEqual(before);
  await at.does(['state', 'push', join(written, 'copy.ndjson')]);
  const listed = await at.run('state list');
  for (const address of ['user.alice', 'user.bob', 'group_channel.room']) expect(listed.stdout).toContain(address);
  await at.does('plan --detailed-exitcode');
  expect((await readdir(folder)).filter((name) => name.startsWith('journal.'))).toEqual([]);
});
