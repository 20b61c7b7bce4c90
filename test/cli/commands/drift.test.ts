// Tests that a repair takes back the harmless drift alone, with approval, and names the rest.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reaching } from '../../support/desk.ts';
import { place } from '../../support/place.ts';
import { call, startPlatform } from '../../support/platform.ts';
import { expectEnd, runCli, succeeded } from '../../support/run-cli.ts';

const files = {
  'chat.yaml': `version: 1
users:
  alice: { nickname: Alice }
  bob: { nickname: Bob }
  carol: { nickname: Carol }
open_channels:
  lobby: { name: Lobby, frozen: true }
group_channels:
  room: { name: Room, members: { alice: , bob: } }
  team: { name: Team, data: x, members: { alice: } }
`,
};

async function drifted() {
  const running = await startPlatform();

  const env = reaching(running);
  const at = await place(files, env);
  const run = (...args: readonly string[]) => at.run(args);
  await succeeded(run('apply', '--auto-approve'));
  const edit = (method: string, path: string, body?: object) => call(running, method, path, body);
  await edit('PUT', '/users/alice', { nickname: 'Live' });
  await edit('DELETE', '/users/carol');
  await edit('PUT', '/open_channels/lobby', { name: 'Live' });
  await edit('PUT', '/open_channels/lobby/freeze', { freeze: false });
  await edit('PUT', '/group_channels/room', { name: 'Live' });
  await edit('PUT', '/group_channels/room/leave', { user_ids: ['bob'] });
  await edit('PUT', '/group_channels/team', { name: 'Live' });
  await writeFile(at.path('chat.yaml'), files['chat.yaml'].replace('data: x', 'data: pending'));
  const drift = async () => {
    const { stdout } = await succeeded(run('drift', '--format', 'json'));
    return (JSON.parse(stdout) as { drift: { address: string }[] }).drift.map(({ address }) => address);
  };
  return { cwd: at.cwd, env, run, drift };
}

const left = ['group_channel.room', 'group_channel.room', 'group_channel.team', 'open_channel.lobby', 'user.carol'];

test('undoes only harmless drift in a repair, and says why it leaves the rest', async () => {
  const { cwd, env, run, drift } = await drifted();
  expect(await run('drift', '--repair', 'harmless')).toMatchObject({ exit: 64 });
  await expectEnd(runCli(['drift', '--repair', 'harmless'], { cwd, env, answers: ['no'] }), 5);
  expect((await drift()).sort()).toEqual([...left, 'user.alice'].sort());
  const planned = await succeeded(run('drift', '--repair', 'harmless', '--out', 'repair.chatform', '--format', 'json'));
  const { changes, drift: shown } = JSON.parse(planned.stdout) as {
    changes: { address: string }[];
    drift: { address: string; note: string }[];
  };
  expect(changes.map(({ address }) => address)).toEqual(['user.alice']);
  expect(Object.fromEntries(shown.map(({ address, note }) => [address, note]))).toEqual({
    'user.alice': 'nickname: an apply makes it as declared',
    'user.carol': 'not repaired: it was deleted, and a repair creates nothing',
    'open_channel.lobby': 'not repaired: it restricts or restores access',
    'group_channel.room': 'not repaired: members left, and a repair invites nobody',
    'group_channel.team': 'not repaired: the object has other changes that are not applied yet',
  });
  await succeeded(run('drift', '--repair', 'harmless', '--auto-approve'));
  expect((await drift()).sort()).toEqual(left);
  // Manifest edits that are not applied yet stay pending.
  expect((await run('plan', '--detailed-exitcode')).exit).toBe(2);
});

test('saves, reviews and applies a repair like any plan', async () => {
  const { cwd, run, drift } = await drifted();
  await expectEnd(run('drift', '--repair', 'harmless', '--out', 'repair.chatform', '--detailed-exitcode'), 2);
  expect(await readFile(join(cwd, 'chat.yaml'), 'utf8')).toContain('nickname: Alice');
  await succeeded(run('apply', 'repair.chatform', '--auto-approve'));
  expect((await drift()).sort()).toEqual(left);
});

test('refuses a repair for a state without objects', async () => {
  const { run } = await drifted();
  await expectEnd(
    run('drift', '--repair', 'harmless', '--auto-approve', '--state', 'file:other'),
    1,
    'error[state.empty]',
  );
});

test('edits manifests with --write, which keeps its views and cannot be combined with --repair', async () => {
  const { cwd, run } = await drifted();
  const text = () => readFile(join(cwd, 'chat.yaml'), 'utf8');
  const before = await text();
  await succeeded(run('drift', '--write', 'markdown=drift.md'));
  expect(await text()).toBe(before);
  expect(await run('drift', '--write', '--repair', 'harmless')).toMatchObject({ exit: 64 });
  expect(await run('drift', '--out', 'plan.chatform')).toMatchObject({ exit: 64 });
  const { stderr } = await succeeded(run('drift', '--write', 'manifests', 'markdown=drift.md'));
  expect(await text()).toContain('alice: { nickname: Live }');
  expect(stderr).toContain('Wrote 6 values to 1 file.');
  expect(stderr).toMatch(/chat\.yaml:\d+:\d+: user\.alice nickname: "Alice" → "Live"/u);
  expect(stderr).toContain('user.carol\n    It no longer exists on the platform.');
  const redacted = await succeeded(run('drift', '--write', '--redact'));
  expect(redacted.stderr).not.toContain('Live');
});
