import { expect, test } from 'vitest';
import { connected } from '../../support/place.ts';

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
  const { at, call: edit } = await connected(files);
  await at.does('apply --auto-approve');
  await edit('PUT', '/users/alice', { nickname: 'Live' });
  await edit('DELETE', '/users/carol');
  await edit('PUT', '/open_channels/lobby', { name: 'Live' });
  await edit('PUT', '/open_channels/lobby/freeze', { freeze: false });
  await edit('PUT', '/group_channels/room', { name: 'Live' });
  await edit('PUT', '/group_channels/room/leave', { user_ids: ['bob'] });
  await edit('PUT', '/group_channels/team', { name: 'Live' });
  await at.write({ 'chat.yaml': files['chat.yaml'].replace('data: x', 'data: pending') });
  const drift = async () => (await at.json('drift')).drift.map(({ address }: { address: string }) => address);
  return { at, drift };
}

const left = ['group_channel.room', 'group_channel.room', 'group_channel.team', 'open_channel.lobby', 'user.carol'];

test('tells in each view what others changed for people, and nothing of what an apply would change', async () => {
  const { at } = await drifted();
  await at.write({
    'chat.yaml': files['chat.yaml'].replace('data: x, members: { alice: }', 'members: { alice: , bob: }'),
  });
  const effects = ['bob loses access to room', 'anybody can newly write in lobby', 'carol can no longer connect'];
  for (const format of ['human', 'markdown', 'html']) {
    const { stdout } = await at.does(['drift', '--format', format]);
    expect(stdout).toContain('People, by the change');
    for (const effect of effects) expect(stdout, format).toContain(effect);
    expect(stdout).not.toContain('team: bob');
    expect(stdout).not.toContain('bob can newly read');
  }
  const { stdout } = await at.does('drift --plain');
  for (const effect of effects) expect(stdout).toContain(`People, by the change: ${effect}.`);
  const { people, people_of } = await at.json('drift');
  expect(people.counts).toEqual({ no_longer_read: 1, anybody_newly_write: 1, no_longer_connect: 1 });
  expect(people_of).toBe('drift');
  // A plan describes its own changes: those that set the drift back, and bob in the team.
  const plan = await at.json('plan --refresh');
  expect(plan.people_of).toBeUndefined();
  expect(plan.people.counts).toMatchObject({ newly_read: 1, anybody_no_longer_write: 1 });
});

test.for([
  ['none', 'an apply with --refresh'],
  ['changed', 'an apply with --refresh'],
  ['{ apply: all }', 'an apply'],
  ['all', 'an apply'],
] as const)('says which apply sets drift back: policy.refresh %s, %s', async ([refresh, apply]) => {
  const policy = `policy: { refresh: ${refresh} }`;
  const { at, call: edit } = await connected({ 'chat.yaml': `${files['chat.yaml']}${policy}\n` });
  await at.does('apply --auto-approve');
  await edit('PUT', '/users/alice', { nickname: 'Live' });
  const drift = async () => (await at.json('drift')).drift.map(({ note }: { note: string }) => note);
  expect(await drift()).toEqual([`nickname: ${apply} makes it as declared`]);
  await at.does('apply --auto-approve');
  expect((await drift()).length > 0).toBe(apply === 'an apply with --refresh');
  await at.does('apply --auto-approve --refresh');
  expect(await drift()).toEqual([]);
});

test.for([
  ['refuse', 5],
  ['allow', 0],
] as const)('says whether an apply would be refused: policy.reopen.deactivated %s, exit %i', async ([reopen, exit]) => {
  const { at, call: edit } = await connected({
    'chat.yaml': `version: 1
policy: { reopen: { deactivated: ${reopen} }, acknowledge: [{ effect: user.deactivate, count: 1 }] }
users: { alice: { nickname: Alice }, bob: { nickname: Bob, deactivated: true } }
`,
  });
  await at.does('apply --auto-approve');
  const codes = async () => (await at.json('drift')).warnings.map(({ code }: { code: string }) => code);
  expect(await codes()).toEqual([]);
  await edit('PUT', '/users/bob', { nickname: 'Live' });
  expect(await codes()).toEqual(exit === 0 ? [] : ['drift.refused']);
  if (exit !== 0) {
    const { stdout } = await at.does('drift');
    const inOneLine = stdout.replaceAll(/\s+/gu, ' ');
    expect(inOneLine).toContain('because an apply with --refresh is refused: user.bob: ');
    expect(inOneLine).toContain('(safety.reopen). Run');
  }
  await at.ends('apply --refresh --auto-approve', exit);
});

const signer = 'ann ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIApBbB+UFyhZKS7Xih4o0FYPCgb7A20P7i4Mx2odnChT';

test.for([
  [0, 5],
  [1, 5],
  [2, 0],
] as const)(
  'says whether an apply would need a signature: policy.approvals.dangers %i, exit %i',
  async ([dangers, exit]) => {
    const { at, call: edit } = await connected({
      'chat.yaml': `version: 1
policy: { approvals: { dangers: ${dangers}, signers: [${signer}] }, reopen: { deactivated: allow } }
users: { alice: { nickname: Alice }, bob: { nickname: Bob, deactivated: false } }
open_channels: { lobby: { name: Lobby, frozen: true } }
`,
    });
    await at.does('apply --auto-approve');
    const refused = async () =>
      (await at.json('drift')).warnings.filter(({ code }: { code: string }) => code === 'drift.refused');
    await edit('PUT', '/users/alice', { nickname: 'Live' });
    expect(await refused()).toEqual([]);
    await edit('PUT', '/open_channels/lobby/freeze', { freeze: false });
    await edit('PUT', '/users/bob', { is_active: false, leave_all_when_deactivated: false });
    expect((await refused()).map(({ detail }: { detail: string }) => detail)).toEqual(
      exit === 0
        ? []
        : [
            `The drift stays, because an apply with --refresh is refused: The plan needs a signature: it has 2 dangers, and policy.approvals.dangers allows ${dangers} without a signature (signature.not-saved). Save the plan with chatform plan --refresh --out plan.chatform, have it signed, and apply the file.`,
          ],
    );
    const { stderr } = await at.ends('apply --refresh --auto-approve', exit);
    if (exit !== 0) expect(stderr).toContain('signature.not-saved');
  },
);

test('undoes only harmless drift in a repair, and says why it leaves the rest', async () => {
  const { at, drift } = await drifted();
  await at.ends('drift --repair harmless', 64);
  await at.with({ answers: ['no'] }).ends('drift --repair harmless', 5);
  expect((await drift()).sort()).toEqual([...left, 'user.alice'].sort());
  const { changes, drift: shown } = (await at.json('drift --repair harmless --out repair.chatform')) as {
    changes: { address: string }[];
    drift: { address: string; note: string }[];
  };
  expect(changes.map(({ address }) => address)).toEqual(['user.alice']);
  expect(Object.fromEntries(shown.map(({ address, note }) => [address, note]))).toEqual({
    'user.alice': 'nickname: an apply with --refresh makes it as declared',
    'user.carol': 'not repaired: it was deleted, and a repair creates nothing',
    'open_channel.lobby': 'not repaired: it changes what people can do, who can call the API, or where data is sent',
    'group_channel.room': 'not repaired: members left, and a repair invites nobody',
    'group_channel.team': 'not repaired: the object has other changes that are not applied yet',
  });
  await at.does('drift --repair harmless --auto-approve');
  expect((await drift()).sort()).toEqual(left);
  // Manifest edits that are not applied yet stay pending.
  await at.ends('plan --detailed-exitcode', 2);
});

test('saves, reviews and applies a repair like any plan', async () => {
  const { at, drift } = await drifted();
  await at.ends('drift --repair harmless --out repair.chatform --detailed-exitcode', 2);
  expect(await at.read('chat.yaml')).toContain('nickname: Alice');
  await at.does('apply repair.chatform --auto-approve');
  expect((await drift()).sort()).toEqual(left);
});

test('refuses a repair for a state without objects', async () => {
  const { at } = await drifted();
  await at.ends('drift --repair harmless --auto-approve --state file:other', 66, 'error[state.empty]');
});

test('edits manifests with --write, which keeps its views and cannot be combined with --repair', async () => {
  const { at } = await drifted();
  const text = () => at.read('chat.yaml');
  const before = await text();
  await at.does('drift --write markdown=drift.md');
  expect(await text()).toBe(before);
  await at.ends('drift --write --repair harmless', 64);
  await at.ends('drift --out plan.chatform', 64);
  const { stderr } = await at.does('drift --write manifests markdown=drift.md');
  expect(await text()).toContain('alice: { nickname: Live }');
  expect(stderr).toContain('Wrote 6 values to 1 file.');
  expect(stderr).toMatch(/chat\.yaml:\d+:\d+: user\.alice nickname: "Alice" → "Live"/u);
  expect(stderr).toContain('user.carol\n    It no longer exists on the platform.');
  const redacted = await at.does('drift --write --redact');
  expect(redacted.stderr).not.toContain('Live');
});

test('reads, shows and writes nothing of objects that --exclude names', async () => {
  const { at } = await drifted();
  const excluded = ['--exclude', 'user.*', '--exclude', 'group_channel.*'];
  const { drift, refreshed } = await at.json(['drift', ...excluded]);
  expect(new Set(drift.map(({ address }: { address: string }) => address))).toEqual(new Set(['open_channel.lobby']));
  expect(refreshed).toMatchObject({ objects: 1 });
  await at.does(['drift', '--write', ...excluded]);
  const { 'chat.yaml': text } = await at.content('.');
  expect(text).toContain('alice: { nickname: Alice }');
  const { plan } = { plan: await at.json(['plan', '--refresh', ...excluded]) };
  expect(plan.changes.map(({ address }: { address: string }) => address)).not.toContain('user.alice');
});

test.for([
  'drift --target user.zz',
  'drift --detailed-exitcode --target user.bob --target user.zz',
  'drift --exclude user.zz',
  'drift --write --exclude user.z*',
  'drift --repair harmless --out plan.chatform --target user.zz',
])('refuses a selection that matches nothing before it reads: %s', async (command) => {
  const { at } = await drifted();
  // The platform would refuse a read with this token (3).
  const { stderr } = await at.with({ env: { CHATFORM_API_TOKEN: 'wrong' } }).ends(command, 64, 'address.unknown');
  expect(stderr).toMatch(/--(?:target|exclude) "user\.z[z*]" matches nothing declared or in state\./u);
});

test('claims nothing of objects that --target leaves out', async () => {
  const { at } = await drifted();
  await at.ends('drift --detailed-exitcode', 2);
  const { stdout } = await at.does('drift --target user.bob --detailed-exitcode');
  expect(stdout).toContain('No drift in 1 declared value of the selected objects.');
  expect((await at.json('drift --target user.bob')).warnings).toMatchObject([{ code: 'plan.partial' }]);
});
