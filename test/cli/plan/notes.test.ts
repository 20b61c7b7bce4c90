// Tests what a plan takes from its surroundings and notes about them: an interrupted run, renamed keys, variables.
import { expect, test } from 'vitest';
import { nodeClock } from '../../../src/core/app/context/this-process.ts';
import type { PendingBegin } from '../../../src/core/model/ports.ts';
import type { Step } from '../../../src/core/model/step.ts';
import { openBackend } from '../../../src/core/state/index.ts';
import { desk, deskElsewhere } from '../../support/desk.ts';
import { historyFileText } from '../../support/history-files.ts';
import { connected, place } from '../../support/place.ts';
import { beginOf } from '../../support/state/fixtures.ts';

const state = 'file:state';

function renamed(key: string): Step {
  return {
    id: `user.${key}#1`,
    address: `user.${key}`,
    action: 'update',
    phase: 'user',
    request: { method: 'PUT', route: '/users/{user_id}', params: { user_id: key }, body: { nickname: key } },
    entry: { type: 'patch', address: `user.${key}`, edits: [{ op: 'set', path: ['nickname'], value: key }] },
    needs: [],
    begin: false,
    doneOn: [],
  };
}

/** The state that a run leaves when it is killed while it waits for answers. */
async function cutOff(cwd: string, keys: readonly string[], begun: Partial<PendingBegin> = {}): Promise<void> {
  const owner = { user: 'ci', host: 'here', pid: 1 };
  const backend = await openBackend(state, { clock: nodeClock, owner, newId: () => 'lineage', cwd });
  const [application = ''] = await backend.applications();
  const writer = await backend.open({ application, lockTimeoutMs: 0 });
  for (const key of keys)
    await writer.begin({ ...beginOf(`user.${key}#1`, `user.${key}`), planned: renamed(key), ...begun });
  await writer.close();
}

test.for([
  { keys: ['alice'], golden: 'one' },
  { keys: ['f', 'e', 'd', 'alice', 'bob'], golden: 'many' },
])('names the calls in doubt as in the golden $golden, until an apply resolves them', async ({ keys, golden }) => {
  const at = await place(desk, { CHATFORM_STATE: state, CHATFORM_API_TOKEN: 'token' });
  await at.does('apply --auto-approve');
  expect((await at.run('plan')).stdout).not.toContain('in-doubt');
  await cutOff(at.cwd, keys);
  await expect((await at.does('plan')).stdout).toMatchFileSnapshot(`goldens/in-doubt-${golden}.txt`);
  await at.does('state html app.html');
  expect(await at.read('app.html')).toMatch(`<span class="pill awaits">${keys.length} request`);
  expect((await at.json('plan')).warnings).toMatchObject([{ severity: 'note', code: 'plan.in-doubt' }]);
  for (const [address, isInDoubt] of [
    ['user.bob', keys.includes('bob')],
    ['user.carol', false],
  ])
    expect((await at.run(`explain ${address}`)).stdout.includes('plan.in-doubt')).toBe(isInDoubt);
  await at.does('apply --auto-approve');
  expect((await at.run('plan')).stdout).not.toContain('plan.in-doubt');
});

test('names the longest wait for calls in doubt, and ends at once with the refused token', async () => {
  const { at } = await connected(deskElsewhere);
  const withState = at.with({ env: { CHATFORM_STATE: state } });
  await withState.does('apply --auto-approve');
  await cutOff(at.cwd, ['alice'], { at: new Date().toISOString() });
  const { stderr } = await withState.with({ env: { CHATFORM_API_TOKEN: 'wrong' } }).ends('apply --auto-approve', 3);
  const lines = stderr.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^1 call of an interrupted run may still take effect\. Waiting at most \d+ s for them\.$/u);
  expect(lines.at(-2)).toMatch(/^error\[token\.refused\]: .* The outcome of 1 interrupted call is still unknown\.$/u);
  expect(lines.at(-1)).toMatch(/^ {4}Nothing was sent\. Check CHATFORM_API_TOKEN .*: it first checks these calls\.$/u);
});

test('notes a renamed channel, user and archive: what is not carried over, and what to edit instead', async () => {
  const manifest = `version: 1
application: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau }
policy: { acknowledge: [{ effect: group_channel.freeze, count: 1 }, { effect: messages.retire, count: 1 }] }
users:
  alice: { nickname: Alice }
  bob: { nickname: Bob }
  carol: { nickname: Carol }
group_channels:
  room: { name: Room, members: { alice: , bob: }, messages: { file: room.ndjson } }
`;
  const historyFile = historyFileText([{ message_type: 'ADMM', message: 'Welcome', timestamp: 1_600_000_000_000 }]);
  const at = await place({ 'chat.yaml': manifest, 'room.ndjson': historyFile });
  await at.does('apply --auto-approve');
  const renamed = manifest.replace('room:', 'lounge:').replace('name: Room', 'name: Lounge').replace('carol:', 'caro:');
  await at.write({ 'chat.yaml': renamed });
  for (const format of ['human', 'markdown']) {
    const { stdout } = await at.does(`plan --format ${format}`);
    await expect(stdout).toMatchFileSnapshot(`goldens/rename.${format}`);
  }
});

const text = (desk['chat.yaml'] ?? '').replace('emulator:.chatform/emulator', `emulator:.chatform/\${STAGE}`);
const env = { CHATFORM_VAR_STAGE: 'staging' };

test('plans without the variable that names the application, as a fork must, from a state of one application', async () => {
  const at = await place({ 'chat.yaml': text });
  const first = await at.does('plan --format json');
  expect(JSON.parse(first.stdout)).toMatchObject({
    application: 'unknown, without CHATFORM_VAR_STAGE',
    summary: { create: 5 },
  });
  expect(first.stderr).toContain('warning[manifest.missing-variable]');
  await at.with({ env }).does('apply --auto-approve');
  await at.does('plan --detailed-exitcode');
  await at.write({ 'chat.yaml': text.replace('nickname: Alice', 'nickname: Al') });
  expect(await at.json('plan')).toMatchObject({ application: 'emulator:.chatform/staging', summary: { update: 1 } });
});

test('needs the variable to read or change the platform, and applies no plan made without it', async () => {
  const at = await place({ 'chat.yaml': text });
  await at.does('plan --out plan.chatform');
  for (const [command, exit] of [
    ['plan --refresh', 64],
    ['validate --online', 64],
    ['apply --auto-approve', 65],
    ['apply plan.chatform', 6],
  ] as const)
    await at.ends(command, exit);
  await at.with({ env }).ends('apply plan.chatform', 6);
});

const rooms = `version: 1
application: { base_url: emulator:.chatform/emulator, rate_plan: 100k_mau }
variables: { region: { allowed: [eu, us] } }
open_channels:
  room-$\{each.id}:
    for_each: { file: rooms.csv }
    name: $\{each.title} in $\{var.region}
`;
const estateOfRooms = { 'chat.yaml': rooms, 'rooms.csv': 'id,title\nberlin,Berlin\nparis,Paris\n' };

test('reads variables from a file, and plans a row that is added later', async () => {
  const at = await place({ ...estateOfRooms, 'eu.yaml': 'region: eu\n' });
  await at.ends('plan', 65);
  const planned = await at.run('plan --variables eu.yaml');
  expect(planned).toMatchObject({ exit: 0, stderr: '' });
  expect(planned.stdout).toMatch(/\+ open_channel\.room-berlin +chat\.yaml:5:3 \(row rooms\.csv:2\)/u);
  const inEurope = at.with({ env: { CHATFORM_VARIABLES: 'eu.yaml' } });
  await inEurope.does('apply --auto-approve');
  expect((await inEurope.run('plan')).stdout).toContain('Nothing to do');
  await at.write({ 'rooms.csv': 'id,title\nrome,Rome\nberlin,Berlin\nparis,Paris\n' });
  expect((await inEurope.json('plan')).changes).toMatchObject([
    { address: 'open_channel.room-rome', source: { row: 'rooms.csv:2' } },
  ]);
  await at.with({ env: { CHATFORM_VAR_region: 'us' } }).ends('plan --variables us.yaml', 64, 'us.yaml cannot be read');
});
