// Tests explain through the real command line.
import { expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { place } from '../../support/place.ts';

test('shows a value, its line, its last applied value, and with --refresh the live object', async () => {
  const at = await place(desk);
  const before = await at.run('explain user.bob --refresh');
  expect(before.stdout, before.stderr).toContain('declared at chat.yaml:8:3, not in state and not on the platform');
  await at.does('apply --auto-approve');
  const after = await at.ends('explain user.bob --refresh', 0, '1 user costs 1 request');
  expect(after.stdout).toContain('in state and on the platform');
  expect(after.stdout).toContain('on the platform: "Bob"');
  await at.write({ 'chat.yaml': (desk['chat.yaml'] ?? '').replace('nickname: Bob', 'nickname: Robert') });
  const { stdout } = await at.does('explain user.bob');
  expect(stdout).toContain('nickname  "Robert"\n    from chat.yaml:9:5; last applied was "Bob"');
  expect(stdout).toContain('1. PUT /users/bob');
  const explained = { format_version: '1.0', address: 'user.bob', steps: [{ action: 'update' }] };
  expect(await at.json('explain user.bob --path chat.yaml')).toMatchObject(explained);
});

test.for([
  ['user.bobb', 66, 'Did you mean "user.bob"?'],
  ['bob', 64, 'is not an address'],
  ['chatform.loaded', 66, 'matches nothing declared or in state'],
  ['user.bob user.alice', 64, 'too many arguments'],
] as const)('refuses %s', async ([words, exit, says]) => {
  expect(await (await place(desk)).ends(`explain ${words}`, exit, says)).toMatchObject({ stdout: '' });
});

test('marks values that come from defaults', async () => {
  const at = await place({
    'chat.yaml': `version: 1
application: { base_url: "emulator:data" }
defaults:
  users:
    metadata: { team: support }
users: { alice: { nickname: Alice } }
`,
  });
  const { stdout } = await at.run('explain user.alice');
  expect(stdout).toContain('from the defaults at chat.yaml:5:5, not applied yet');
});
