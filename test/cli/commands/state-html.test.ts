// Tests that chatform state html shows who is where, as state has it, in a file of its owner.
import { stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { place } from '../../support/place.ts';

const manifest = `version: 1
application: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau }
policy: { external: { users: [eve] } }
users:
  ann: { nickname: Ann }
  bob: { nickname: Bob }
  carl: { nickname: Carl, deactivated: true }
open_channels:
  hall: { name: Hall, frozen: true, operators: [ann] }
group_channels:
  room:
    name: Room
    custom_type: support
    members: { ann: { hidden_status: hidden_allow_auto_unhide }, bob: }
    operators: [ann]
    muted: { bob: { until: 2999-01-01T00:00:00Z } }
custom_types:
  support: { banned: { carl: } }
`;

async function applied() {
  const at = await place({ 'chat.yaml': manifest });
  await at.does('apply --auto-approve');
  return at;
}

const rowsIn = (html: string) =>
  JSON.parse(/<script type="application\/json" id="data">([\s\S]*?)<\/script>/u.exec(html)?.[1] ?? '');

test('shows members, operators, bans and mutes, also those by the custom type', async () => {
  const at = await applied();
  const { stdout } = await at.does('state html app.html');
  expect(stdout).toContain('Wrote 2 channels and 3 people to app.html.');
  expect(rowsIn(await at.read('app.html'))).toEqual([
    ['p', 'ann', 'Ann', 'user', []],
    ['p', 'bob', 'Bob', 'user', []],
    ['p', 'carl', 'Carl', 'user', ['deactivated']],
    ['c', 'group_channel.room', 'Room', 'support', 0, [], ['0ho', '1m', '2-bt']],
    ['c', 'open_channel.hall', 'Hall', '', 1, ['frozen'], ['0-o']],
  ]);
  expect((await stat(at.path('app.html'))).mode & 0o777).toBe(0o600);
});

test('hides names with --redact, and refuses to replace another file', async () => {
  const at = await applied();
  await at.does('state html app.html --redact');
  const html = await at.read('app.html');
  for (const name of ['Room', '"Ann"', 'Hall']) expect(html).not.toContain(name);
  await at.does('state html app.html');
  await at.ends('state html chat.yaml', 64, 'It would be replaced by the page of an application.');
  await at.ends('state html', 64, 'Usage: chatform state html FILE');
});
