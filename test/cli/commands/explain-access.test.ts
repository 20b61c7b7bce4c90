// Tests explain --access through the real command line.
import { expect, test } from 'vitest';
import { place } from '../../support/place.ts';

const manifest = `version: 1
application: { base_url: "emulator:data" }
policy: { external: { users: ["^sys-"] } }
users:
  alice: { nickname: Alice }
  bob:
    nickname: Bob
    deactivated: true
  carol: { nickname: Carol }
bots:
  helper: { bot_nickname: H, bot_type: t, bot_callback_url: "https://bots.acme.example/x" }
open_channels:
  lobby:
    operators: [alice]
    frozen: true
group_channels:
  support-42:
    custom_type: support
    members:
      alice:
      bob:
      helper:
    operators:
      - alice
    muted:
      bob: {}
custom_types:
  support:
    allow_links: true
    banned:
      carol: {}
`;

const allowed = { CHATFORM_ALLOWED_HOSTS: 'bots.acme.example' };

test('shows what a user can do now and after an apply, with the line of each ground', async () => {
  const at = await place({ 'chat.yaml': manifest }, allowed);
  const before = await at.does('explain --access user.alice');
  expect(before.stdout).toContain(`user.alice
  Named in or able to enter: 2 channels.

group_channel.support-42
  read      no now, yes after an apply: is a member (chat.yaml:20:7)
  write     no now, yes after an apply: is a member (chat.yaml:20:7)
  moderate  no now, yes after an apply: is an operator (chat.yaml:24:9); is a member
            (chat.yaml:20:7)

open_channel.lobby
  read      no now, on entering after an apply: anybody can enter an open channel (chat.yaml:13:3)
`);
  await at.does('apply --auto-approve --tokens-out tokens');
  const after = await at.does('explain --access user.bob');
  expect(after.stdout).toContain('read      no: is deactivated and cannot connect (chat.yaml:8:5)');
  await at.write({ 'chat.yaml': manifest.replace('    deactivated: true\n', '') });
  const planned = await at.does('explain --access user.bob');
  expect(planned.stdout).toContain('read      no now, yes after an apply: is a member (chat.yaml:20:7)');
  expect(planned.stdout).toContain('write     no: is muted (chat.yaml:25:7)');
});

test('shows who can do what in a channel, without bots', async () => {
  const at = await place({ 'chat.yaml': manifest }, allowed);
  await at.does('apply --auto-approve --tokens-out tokens');
  const { entries, everybody } = await at.json('explain --access group_channel.support-42');
  const readers = entries.map(
    (entry: { user_id: string; planned: { read: { verdict: string; because: { code: string }[] } } }) =>
      `${entry.user_id} ${entry.planned.read.verdict} ${entry.planned.read.because[0]?.code}`,
  );
  expect(readers).toEqual(['alice yes member', 'bob no deactivated', 'carol no type_banned']);
  expect(everybody).toBeUndefined();
  const open = await at.json('explain --access open_channel.lobby');
  expect(open.everybody.planned).toMatchObject({ read: { verdict: 'by_entering' }, write: { verdict: 'no' } });
});

test('knows nothing of a user whom others manage', async () => {
  const named = manifest.replace('      helper:\n', '      helper:\n      sys-mail:\n');
  const at = await place({ 'chat.yaml': named }, allowed);
  const { stdout } = await at.does('explain --access user.sys-mail');
  expect(stdout).toContain('no now, not known after an apply: others manage the user, who may be deactivated');
});

test.for([
  ['user.alicia', 66, 'Did you mean "user.alice"?'],
  ['bot.helper', 64, 'is not the address of a user or a channel'],
  ['alice', 64, 'is not the address of a user or a channel'],
  ['user.alice --refresh', 64, '--access and --refresh cannot be combined'],
] as const)('refuses %s', async ([words, exit, says]) => {
  const at = await place({ 'chat.yaml': manifest }, allowed);
  expect(await at.ends(`explain --access ${words}`, exit, says)).toMatchObject({ stdout: '' });
});
