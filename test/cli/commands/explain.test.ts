// Tests explain through the real command line.
import { expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { place } from '../../support/place.ts';

test('shows a value, its line and its last applied value', async () => {
  const at = await place(desk);
  await at.does('apply --auto-approve');
  await at.write({ 'chat.yaml': (desk['chat.yaml'] ?? '').replace('nickname: Bob', 'nickname: Robert') });
  const ended = await at.does('explain user.bob');
  expect(ended.stdout).toContain('nickname  "Robert"\n    from chat.yaml:9:5; last applied was "Bob"');
  expect(ended.stdout).toContain('1. PUT /users/bob');
  const { stdout } = await at.run('explain user.bob --path chat.yaml --format json');
  expect(JSON.parse(stdout)).toMatchObject({
    format_version: '1.0',
    address: 'user.bob',
    steps: [{ action: 'update' }],
  });
});

test.for([
  { args: ['user.bobb'], says: 'Did you mean "user.bob"?' },
  { args: ['bob'], says: 'is not an address' },
  { args: ['chatform.loaded'], says: 'matches nothing declared or in state' },
  { args: ['user.bob', 'user.alice'], says: 'too many arguments' },
])('refuses $args', async ({ args, says }) => {
  const at = await place(desk);
  const ended = await at.ends(['explain', ...args], 64, says);
  expect(ended.stdout).toBe('');
});

test('marks values that come from defaults', async () => {
  const at = await place({
    'chat.yaml': `version: 1
application: { base_url: "emulator:data" }
defaults:
  users:
    metadata: { team: support }
users:
  alice: { nickname: Alice }
`,
  });
  const { stdout } = await at.run('explain user.alice');
  expect(stdout).toContain('from the defaults at chat.yaml:5:5, not applied yet');
});

test('shows the live object with --refresh', async () => {
  const at = await place(desk);
  const before = await at.run('explain user.bob --refresh');
  expect(before.stdout, before.stderr).toContain('declared at chat.yaml:8:3, not in state and not on the platform');
  await at.does('apply --auto-approve');
  const after = await at.run('explain user.bob --refresh');
  expect(after.stderr).toContain('1 user costs 1 request');
  expect(after.stdout).toContain('in state and on the platform');
  expect(after.stdout).toContain('on the platform: "Bob"');
});
