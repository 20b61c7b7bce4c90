// Tests the erasure of one user: what the plan says, that the platform gets one request, and what stays where.
import { expect, onTestFinished, test } from 'vitest';
import type { EmulatorOptions } from '../../../src/emulator/server.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { startAltering } from '../../support/altered-answers.ts';
import { reaching } from '../../support/desk.ts';
import { connected } from '../../support/place.ts';
import { fastClock } from '../../support/run-cli.ts';

const channel = (members: string) => `group_channels: { room: { name: Room, members: { ${members} } } }\n`;
const before = `version: 1
users: { alice: { nickname: Alice }, bob: { nickname: Robert Secretname, metadata: { team: hidden-team } } }
${channel('alice: , bob: ')}`;
const after = `version: 1
users: { alice: { nickname: Alice } }
${channel('alice: ')}removed: [{ address: user.bob, on_remove: erase }]
`;
const apply = 'apply --auto-approve --settle-time 0s';

/** A place whose user bob is applied and then to be erased. */
async function erasing(options: EmulatorOptions = {}, isAltered = false) {
  const { at: slow, call, running } = await connected({ 'chat.yaml': before }, options);
  const altering = isAltered ? await startAltering(running.url) : undefined;
  if (altering !== undefined) onTestFinished(altering.close);
  const env = altering === undefined ? {} : reaching({ ...running, url: altering.url });
  const at = slow.with({ clock: fastClock(20), env });
  await at.does(apply);
  await at.write({ 'chat.yaml': after });
  const requests = async () => (await call('GET', '/privacy/gdpr')).requests;
  return { at, call, requests, transit: altering?.transit };
}

test('shows what is deleted and what stays, erases once, and keeps nothing of the profile', async () => {
  const { at, call, requests } = await erasing();
  const plan = await at.json('plan');
  expect(plan.changes.find(({ address }: { address: string }) => address === 'user.bob')).toMatchObject({
    actions: ['erase'],
    reversibility: 'irreversible',
    dangers: [{ danger: 'restricts', actions: ['erase'] }],
    requests: [{ method: 'POST', route: '/privacy/gdpr', count: 1 }],
  });
  const shown = (await at.run('plan')).stdout.replaceAll(/[0-9a-f]{12} for \S+/gu, 'HASH for APPLICATION');
  await expect(shown).toMatchFileSnapshot('goldens/erase-plan.txt');
  const { stderr } = await at.does([...apply.split(' '), '--report', 'report.json']);
  expect(stderr.replaceAll(/\s+/gu, ' ')).toContain('Erased by data request: user.bob (gdpr-1, done).');
  expect((await at.readJson('report.json')).data_requests).toEqual([
    { address: 'user.bob', request_id: 'gdpr-1', status: 'done' },
  ]);
  expect(await requests()).toMatchObject([{ user_ids: ['bob'], channel_delete_option: 'do_not_delete' }]);
  expect((await call('GET', '/users?user_ids=bob&active_mode=all')).users).toEqual([]);
  expect((await call('GET', '/group_channels/room')).name).toBe('Room');
  const written = JSON.stringify([await at.content('.chatform'), await at.read('report.json')]);
  expect(written).not.toMatch(/Secretname|hidden-team/u);
  expect((await at.json('plan')).warnings).toMatchObject([{ code: 'plan.removed-unknown', address: 'user.bob' }]);
  expect((await at.does('undo')).stdout).toMatch(/the platform cannot restore them\..* user\.bob\./u);
});

test.for([
  ['POST /privacy/gdpr', 'reset_before'],
  ['POST /privacy/gdpr', 'reset_after'],
  ['POST /privacy/gdpr', 'error_500_after'],
  ['POST /privacy/gdpr', 'truncate'],
  ['GET /privacy/gdpr', 'reset_after'],
  ['GET /privacy/gdpr/{request_id}', 'error_503'],
  ['GET /privacy/gdpr/{request_id}', 'reset_after'],
] as const)('registers one request if %s meets %s', async ([route, fault]) => {
  const { at, requests } = await erasing({ faults: { rules: [{ route, fault, at: [1] }] } });
  await at.does(apply);
  expect(await requests()).toMatchObject([{ status: 'done' }]);
});

test('a run that ends while it waits leaves the user in state, and the next one waits for the same request', async () => {
  const silence = { route: 'GET /privacy/gdpr/{request_id}', fault: 'error_503', at: [1], times: 6 } as const;
  const { at, requests } = await erasing({ faults: { rules: [silence] } });
  await at.ends([...apply.split(' '), '--max-duration', '4s'], 9);
  expect((await at.run('state list')).stdout).toContain('user.bob');
  await at.does(apply);
  expect((await at.run('state list')).stdout).not.toContain('user.bob');
  expect(await requests()).toHaveLength(1);
});

interface OddAnswers {
  /** The calls that are answered so. */
  readonly to: string;
  readonly answer: (answer: JsonObject) => JsonObject;
  readonly exit: number;
  readonly says: readonly string[];
  readonly requests: number;
}

test.for<readonly [string, OddAnswers]>([
  [
    'a 403 fails this step alone, and names what to do',
    {
      to: 'POST /privacy/gdpr',
      answer: () => ({ error: true, code: 403100, message: 'Not for you.' }),
      exit: 4,
      says: ['answered with 403, code 403100', 'Not for you. It erases no user', 'on_remove: delete', '1 of 2 steps'],
      requests: 1,
    },
  ],
  [
    'the request of another user is not followed',
    {
      to: 'POST /privacy/gdpr',
      answer: (request) => ({ ...request, request_id: 'other', user_ids: ['carol'], status: 'done' }),
      exit: 0,
      says: ['user.bob (gdpr-1, done)'],
      requests: 1,
    },
  ],
  [
    'an empty answer registers nothing twice',
    { to: 'POST /privacy/gdpr', answer: () => ({}), exit: 0, says: ['user.bob (gdpr-1, done)'], requests: 1 },
  ],
  [
    'a list without requests sends nothing',
    { to: 'GET /privacy/gdpr', answer: () => ({}), exit: 4, says: ['does not show requests'], requests: 0 },
  ],
  [
    'the view of another request names the one that is registered',
    {
      to: 'GET /privacy/gdpr/gdpr-1',
      answer: (request) => ({ ...request, request_id: 'other', status: 'done' }),
      exit: 4,
      says: [
        'registered the erasure as data request gdpr-1: scheduled; chatform could not read its state',
        'Apply again',
      ],
      requests: 1,
    },
  ],
])('%s', async ([, { to, answer, exit, says, requests: count }]) => {
  const { at: slow, requests, transit } = await erasing({ rateLimits: false }, true);
  if (transit === undefined) throw new Error('no answer is altered');
  const at = slow.with({ clock: fastClock(60) });
  transit.refusedAs = 403;
  transit.change = (body, path, method) =>
    `${method} ${path.replace(/^\/v3|\?.*$/gu, '')}` === to ? answer(body as JsonObject) : body;
  await at.ends(apply, exit, ...says);
  expect((await at.run('state list')).stdout.includes('user.bob')).toBe(exit !== 0);
  expect(await requests()).toHaveLength(count);
});

interface Restored {
  readonly fault: 'reset_before' | 'error_503';
  /** Milliseconds that the platform works on requests before the block is put back. */
  readonly laterMs: number;
  readonly exit: number;
  readonly says: readonly string[];
  readonly nickname: string | undefined;
}

test.for<readonly [string, Restored]>([
  [
    'waits refuses the run',
    {
      fault: 'error_503',
      laterMs: 0,
      exit: 5,
      says: [
        'error[state.erasure-waits]: Data request gdpr-1 of the platform will delete user.bob',
        'Cancel the request at the vendor',
        '{address: user.bob, on_remove: erase}',
      ],
      nickname: 'Robert Secretname',
    },
  ],
  ['has ended creates the user anew', { fault: 'error_503', laterMs: 5_000, exit: 0, says: [], nickname: 'Again' }],
  [
    'never arrived changes the user who is there',
    { fault: 'reset_before', laterMs: 0, exit: 0, says: [], nickname: 'Again' },
  ],
])('after an interrupted erasure whose user is declared again, a request that %s', async ([, restored]) => {
  let nowMs = Date.now();
  const { fault, laterMs, exit, says, nickname } = restored;
  const route = fault === 'error_503' ? 'GET /privacy/gdpr/{request_id}' : 'POST /privacy/gdpr';
  const rules = [{ route, fault, at: [1], times: 50 } as const];
  const { at, call, requests } = await erasing({ clock: () => nowMs, faults: { rules }, rateLimits: false });
  const { exit: ended } = await at.run([...apply.split(' '), '--max-duration', '6s']);
  expect([4, 9]).toContain(ended);
  nowMs += laterMs;
  await at.write({ 'chat.yaml': before.replace('Robert Secretname', 'Again') });
  expect(JSON.stringify((await at.json('plan')).warnings)).toContain('may still delete user.bob by a data request');
  await at.ends(apply, exit, ...says);
  expect((await call('GET', '/users/bob')).nickname).toBe(nickname);
  expect((await call('GET', '/group_channels/room/members')).members).toHaveLength(exit === 0 ? 2 : 1);
  expect(await requests()).toHaveLength(fault === 'error_503' ? 1 : 0);
  // The entry that the message names goes on with the same request.
  if (exit === 0) return;
  await at.write({ 'chat.yaml': after });
  await at.ends([...apply.split(' '), '--max-duration', '6s'], 9);
  nowMs += 5_000;
  await at.does(apply);
  expect(await requests()).toMatchObject([{ status: 'done' }]);
  expect(JSON.stringify(await at.content('.chatform'))).not.toMatch(/Secretname|hidden-team/u);
});

test('waits for the request of somebody else', async () => {
  const { at, call, requests } = await erasing();
  await call('POST', '/privacy/gdpr', { action: 'delete', user_ids: ['bob'] });
  await at.does(apply);
  expect(await requests()).toHaveLength(1);
});

test('registers nothing at an application without data requests, and refuses the plan once that is known', async () => {
  const { at } = await erasing({ behaviours: { dataRequests: 'off' } });
  const { application, warnings } = await at.json('plan');
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'user.data-requests', severity: 'warning' }));
  await at.ends(apply, 4, 'could not use the data requests of the application');
  expect((await at.run('state list')).stdout).toContain('user.bob');
  const known = (value: string) =>
    at.write({
      'chatform-behaviours.json': JSON.stringify({
        format_version: '1.0',
        application,
        date: '2026-11-01T00:00:00Z',
        chatform: '0.3.0',
        behaviours: { dataRequests: { value, evidence: 'a list' } },
      }),
    });
  await known('on');
  expect((await at.json('plan')).warnings).toEqual([]);
  await known('off');
  await at.ends(apply, 5, 'error[user.data-requests]', 'on_remove: delete');
});

test.for<readonly [string, string, string, string]>([
  [
    'a channel',
    `${before}removed: [{ address: group_channel.other, on_remove: erase }]\n`,
    'chat.yaml:4:54',
    'erase is not possible for a group channel. Expected freeze, delete or forget',
  ],
  [
    'a user who is still declared',
    `${before}removed: [{ address: user.bob, on_remove: erase }]\n`,
    'chat.yaml:4:22',
    'user.bob is declared at chat.yaml:2',
  ],
  [
    'a user who is still a member',
    after.replace(channel('alice: '), channel('alice: , bob: ')),
    'chat.yaml:3',
    'It is listed under removed at chat.yaml:4',
  ],
])('refuses to erase %s, at its line', async ([, manifest, position, why]) => {
  const { at, requests } = await erasing();
  await at.write({ 'chat.yaml': manifest });
  await at.ends(apply, 65, position, why);
  expect(await requests()).toEqual([]);
});

test('a rule and a limit of the policy count user.erase', async () => {
  const { at } = await erasing();
  const policy = (text: string) => at.write({ 'policy.yaml': `version: 1\npolicy: ${text}\n` });
  await policy('{ removals: { max_share: 0, free_count: 0 } }');
  await at.ends(apply, 5, 'user.erase', 'count: 1');
  await policy(
    '{ removals: { max_share: 0, free_count: 0 }, acknowledge: [{ effect: user.erase, count: 1 }, { effect: group_channel.leave, count: 1 }] }',
  );
  await at.does(apply);
});

test('erases a user who was retired before', async () => {
  const { at, requests } = await erasing();
  const retired = after.replace(/removed:.*\n/u, '');
  await at.write({ 'chat.yaml': retired });
  await at.does(apply);
  await at.write({ 'chat.yaml': after });
  await at.does(apply);
  expect(await requests()).toMatchObject([{ status: 'done' }]);
  expect((await at.run('state list')).stdout).not.toContain('user.bob');
});

test('names the history files with lines of the user, and refuses them unless the policy keeps them', async () => {
  const { at } = await erasing();
  const line = (user_id: string, timestamp: number) =>
    JSON.stringify({ message_type: 'MESG', user_id, message: 'hi', timestamp });
  const time = Date.parse('2026-11-01T00:00:00Z');
  await at.write({
    'room.ndjson': [line('alice', time), line('bob', time + 1), line('bob', time + 2)].join('\n'),
    'chat.yaml': after.replace('name: Room', 'name: Room, messages: { file: room.ndjson }'),
  });
  await at.ends('plan', 65, 'room.ndjson:2', 'listed under removed at chat.yaml:4', 'Remove the lines of the user');
  await at.write({ 'policy.yaml': 'version: 1\npolicy: { external: { users: [bob] } }\n' });
  expect((await at.run('plan')).stdout).toContain('these history files have lines of the user: room.ndjson (2 lines)');
});
