// Tests that adopt takes existing objects into state without a write to the platform.
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { deskElsewhere } from '../../support/desk.ts';
import { connected } from '../../support/place.ts';

/** Everything is on the platform, but state is lost. The manifest is edited since then. */
async function withoutState(...edits: readonly (readonly [string, string])[]) {
  const { at, running } = await connected(deskElsewhere);
  await at.does('apply --auto-approve');
  const lose = () => rm(at.path('.chatform'), { recursive: true });
  await lose();
  await at.write({
    'chat.yaml': edits.reduce((all, [from, to]) => all.replace(from, to), deskElsewhere['chat.yaml'] ?? ''),
  });
  const writes = () => [...running.stats.requests].filter(([route]) => !route.startsWith('GET')).sort();
  return { at, writes, lose };
}

const withDora = ['  carol:', '  dora:\n    nickname: Dora\n  carol:'] as const;

test('adopts everything that patterns match, without a write', async () => {
  const { at, writes } = await withoutState();
  const before = writes();
  const { stdout } = await at.does('adopt user.* *channel.*');
  expect(stdout).toContain('= group_channel.support-42  as declared');
  expect(stdout).toContain('5 objects adopted into state.');
  expect(writes()).toEqual(before);
  await at.does('plan --detailed-exitcode');
});

test('adopts differing objects as they are, and the next plan shows the difference', async () => {
  const { at } = await withoutState(
    ['nickname: Bob', 'nickname: Robert'],
    ['      bob:\n', ''],
    ['      alice:\n', '      alice:\n      carol:\n'],
  );
  expect(await at.json('adopt user.bob group_channel.support-42')).toEqual({
    format_version: '1.0',
    adopted: [
      { address: 'group_channel.support-42', differs: ['members'], not_compared: [] },
      { address: 'user.bob', differs: ['nickname'], not_compared: [] },
    ],
    missing: [],
    unread: [],
  });
  expect(await at.json('plan --target user.bob')).toMatchObject({
    changes: [{ address: 'user.bob', attributes: [{ path: 'nickname', before: 'Bob', after: 'Robert' }] }],
  });
  const { changes } = await at.json('plan --target group_channel.*');
  // Bob is not declared, so he stays an unmanaged member.
  expect(changes.find((change: { address: string }) => change.address === 'group_channel.support-42')).toMatchObject({
    attributes: [{ path: 'members.carol' }],
  });
});

test.for([
  ['is not there', 'user.alice user.dora', 6, 'user.dora is not on the platform'],
  ['is declared nowhere', 'user.alcie', 66, 'Did you mean "user.alice"?'],
  ['is not an address', 'alice', 64, 'is not an address'],
] as const)('refuses an address that %s', async ([, addresses, exit, says]) => {
  const { at } = await withoutState(withDora);
  await at.ends(`adopt ${addresses}`, exit, says);
  expect((await at.run('state list')).stdout).toBe('');
});

test('refuses an address that is in state, skips it in a pattern, and names objects that are not there', async () => {
  const { at } = await withoutState(withDora);
  await at.does('adopt user.alice');
  const before = await at.content();
  await at.ends('adopt user.alice user.bob', 6, 'user.alice is already in state');
  expect(await at.content()).toEqual(before);
  const { stdout } = await at.does('adopt user.*');
  expect(stdout).toContain('user.dora  is not on the platform');
  expect(stdout).toContain('2 objects adopted into state.');
});

test('adopts a deactivated user, and one with a slash in the id', async () => {
  const { at, lose } = await withoutState(['  carol:', '  a/b: { nickname: Slash, deactivated: true }\n  carol:']);
  await at.does('apply --auto-approve --target user.a/b');
  await lose();
  expect((await at.does('adopt user.a*b')).stdout).toContain('= user.a/b  as declared');
});
