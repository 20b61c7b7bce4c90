// Tests every error of the emulator: status, code, message and shape, each caused by a request if possible.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DEFAULT_READINGS } from '../../src/emulator/api/readings.ts';
import { startEmulator } from '../../src/emulator/server.ts';
import { type Api, messageOf, request, startApi } from './support/support.ts';

const textOf = (user_id: string) => ({ message_type: 'MESG', user_id, message: 'x' });
const USER = { user_id: 'new', nickname: 'n', profile_url: '' };

test.for([
  [400100, '"nickname" must be a string.', 'POST', '/users', { ...USER, nickname: 1 }],
  [400101, '"limit" must be a number.', 'GET', '/users?limit=x', undefined],
  [400101, '"expires_at" must be a number.', 'POST', '/users/ann/token', { expires_at: 'x' }],
  [400102, '"user_ids" must be a list.', 'POST', '/group_channels', { user_ids: 'ann' }],
  [400103, '"metadata" must be a JSON.', 'POST', '/users', { ...USER, metadata: 'x' }],
  [400104, '"freeze" must be a boolean.', 'PUT', '/open_channels/lobby/freeze', { freeze: 'true' }],
  [400105, '"nickname" must be required.', 'POST', '/users', { user_id: 'x' }],
  [400106, '"last_seen_at" must be a positive number.', 'PUT', '/users/ann', { last_seen_at: -1 }],
  [
    400108,
    'Not authorized. "Can\'t join to non-public channel.".',
    'PUT',
    '/group_channels/room-1/join',
    { user_id: 'bob' },
  ],
  [400110, '"user_id" exceeds the maximum length.', 'POST', '/users', { ...USER, user_id: 'x'.repeat(81) }],
  [400111, 'Invalid value: "channel_url".', 'POST', '/open_channels', { channel_url: 'a b c d' }],
  [400113, '"limit" is out of range.', 'GET', '/open_channels?limit=101', undefined],
  [
    400111,
    'Invalid value: "messages[1].message_type".',
    'POST',
    '/migration/lobby',
    { messages: [messageOf('ann', 1), messageOf('ann', 2, { message_type: 'X' })] },
  ],
  [
    400111,
    'Invalid value: "messages[0].sorted_metaarray".',
    'POST',
    '/migration/lobby',
    { messages: [messageOf('ann', 1, { sorted_metaarray: ['k'] })] },
  ],
  [400151, '"user_id" contains characters that are not allowed.', 'POST', '/users', { ...USER, user_id: '' }],
  [400201, '"User" not found.', 'GET', '/users/nobody', undefined],
  [400201, '"Channel" not found.', 'GET', '/open_channels/none', undefined],
  [400202, '"user_id" violates unique constraint.', 'POST', '/users', { ...USER, user_id: 'ann' }],
  [400202, '"channel_url" violates unique constraint.', 'POST', '/open_channels', { channel_url: 'lobby' }],
  [400203, '"user_ids" contains too many items.', 'POST', '/group_channels', { user_ids: Array(101).fill('ann') }],
  [400300, 'Deactivated user is not accessible: "off".', 'POST', '/group_channels', { user_ids: ['off'] }],
  [400402, 'Missing parameters: "metadatavalues_in".', 'GET', '/users?metadatakey=a', undefined],
  [400403, 'Invalid value: "JSON body.".', 'POST', '/users', ['x']],
  [400404, 'Invalid request URL.', 'GET', '/users/%zz', undefined],
  [400404, 'Invalid request URL.', 'GET', '/users/', undefined],
  [400404, 'Invalid request URL.', 'PUT', '/users', {}],
  [
    400700,
    'Sending is not allowed: "The sender is deactivated.".',
    'POST',
    '/open_channels/lobby/messages',
    textOf('off'),
  ],
  [900020, 'Not a member of the channel: "bob".', 'POST', '/group_channels/room-1/messages', textOf('bob')],
  [
    400750,
    'Banned user cannot enter the channel: "bad".',
    'POST',
    '/group_channels/room-1/invite',
    { user_ids: ['bad'] },
  ],
  [900041, 'The sender is muted in the channel: "ann".', 'POST', '/group_channels/room-1/messages', textOf('ann')],
  [900100, 'The sender is banned from the channel: "bad".', 'POST', '/group_channels/room-1/messages', textOf('bad')],
  [900050, 'Channel is frozen: "lobby".', 'POST', '/migration/lobby', { messages: [messageOf('ann', 1)] }],
] as const)('answers %i %s', async ([code, message, method, path, body]) => {
  const api = await startApi();
  await api.users('ann', 'bob', 'bad', 'off');
  await api.room('room-1', ['ann']);
  await api.ok('POST', '/group_channels/room-1/ban', { user_id: 'bad' });
  await api.ok('POST', '/group_channels/room-1/mute', { user_id: 'ann' });
  await api.ok('POST', '/open_channels', { channel_url: 'lobby' });
  await api.ok('PUT', '/users/off', { is_active: false });
  if (code === 900050) await api.ok('PUT', '/open_channels/lobby/freeze', { freeze: true });
  const reply = await request(api.emulator, method, path, body);
  expect([reply.status, reply.body]).toEqual([400, { message, code, error: true }]);
  expect(reply.headers.get('content-type')).toBe('application/json');
});

test('answers 400401 for a wrong token before it looks at the request', async () => {
  const api = await startApi();
  const wrong = { url: api.emulator.url, token: 'wrong' };
  for (const path of ['/users', '/nowhere', '/users?limit=x']) {
    expect((await request(wrong, 'GET', path)).body).toEqual({
      message: 'Invalid API token.',
      code: 400401,
      error: true,
    });
  }
});

test('explains every reading in the README', () => {
  const readme = readFileSync(new URL('../../src/emulator/README.md', import.meta.url), 'utf8');
  for (const name of Object.keys(DEFAULT_READINGS)) expect(readme).toContain(`| \`${name}\` |`);
});

async function withLog(act: (api: Api, lines: string[]) => Promise<void>): Promise<void> {
  const lines: string[] = [];
  await act(await startApi({ log: (line) => lines.push(line) }), lines);
}

test('logs one line for each answer, without ids of known routes', () =>
  withLog(async (api, lines) => {
    await api.users('ann');
    await api.call('GET', '/users/ann');
    await api.call('GET', '/nowhere');
    expect(lines).toEqual(['200 POST /users', '200 GET /users/{user_id}', '400 GET /v3/nowhere']);
  }));

test('takes random options from the given randomness', async () => {
  const start = () => startEmulator({ random: () => 0.5 });
  const [first, second] = [await start(), await start()];
  expect(first.token).toBe(second.token);
  expect(first.token).toHaveLength(40);
  await Promise.all([first.close(), second.close()]);
  const third = await startEmulator({ token: 'mine' });
  expect(third.token).toBe('mine');
  await third.close();
});
