// Tests that messages are migrated, sent, listed and counted as documented.

import { describe, expect, test } from 'vitest';
import { type Api, codeOf, messageOf, START_MS, startApi } from './support/support.ts';

const ROOM = '/group_channels/room-1';

async function startRoom(options = {}): Promise<Api> {
  const api = await startApi(options);
  await api.users('ann', 'bob');
  await api.room('room-1', ['ann', 'bob']);
  await api.ok('POST', '/open_channels', { channel_url: 'lobby' });
  return api;
}

async function texts(api: Api, query: string, path = ROOM): Promise<string[]> {
  const { messages } = await api.ok('GET', `${path}/messages?${query}`);
  return messages.map((message: { message: string }) => message.message);
}

test('lists a migrated message of each kind with its fields and time', async () => {
  const api = await startRoom();
  const shared = { custom_type: 'c', mentioned_user_ids: ['bob'], sorted_metaarray: [{ key: 'k', value: ['v'] }] };
  const answer = await api.ok('POST', '/migration/room-1', {
    messages: [
      { message_type: 'MESG', user_id: 'ann', message: 'hi', timestamp: 1000, data: 'd', ...shared },
      {
        message_type: 'FILE',
        user_id: 'bob',
        url: 'https://f/x.png',
        file_name: 'x.png',
        file_size: 7,
        file_type: 'image/png',
        custom_field: 'cf',
        timestamp: 2000,
        ...shared,
      },
      { message_type: 'ADMM', message: 'note', timestamp: 3000, is_silent: true, data: 'd', ...shared },
    ],
  });
  expect(answer).toEqual({});
  const { messages } = await api.ok('GET', `${ROOM}/messages?message_ts=0&with_sorted_meta_array=true`);
  const common = {
    channel_url: 'room-1',
    channel_type: 'group_channels',
    custom_type: 'c',
    mentioned_users: [{ user_id: 'bob' }],
    sorted_metaarray: [{ key: 'k', value: ['v'] }],
    is_removed: false,
    updated_at: 0,
  };
  expect(messages).toMatchObject([
    { ...common, type: 'MESG', message: 'hi', data: 'd', user: { user_id: 'ann' }, file: {}, created_at: 1000 },
    {
      ...common,
      type: 'FILE',
      user: { user_id: 'bob' },
      file: { url: 'https://f/x.png', name: 'x.png', size: 7, type: 'image/png', data: 'cf' },
      created_at: 2000,
    },
    { ...common, type: 'ADMM', message: 'note', silent: true, created_at: 3000 },
  ]);
  expect(messages[2]).not.toHaveProperty('user');
  expect(await api.ok('GET', ROOM)).toMatchObject({ last_message: { message: 'note' } });
});

test.for([
  ['no messages', { messages: undefined }, 400105],
  ['an empty list', { messages: [] }, 400111],
  ['100 messages', { messages: Array.from({ length: 100 }, (_, n) => messageOf('ann', n)) }, 200],
  ['101 messages', { messages: Array.from({ length: 101 }, (_, n) => messageOf('ann', n)) }, 400203],
  ['not a list', { messages: {} }, 400102],
  ['a message that is no object', { messages: ['x'] }, 400103],
  ['an unknown type', { messages: [{ ...messageOf('ann', 1), message_type: 'X' }] }, 400111],
  ['no type', { messages: [{ ...messageOf('ann', 1), message_type: undefined }] }, 200],
  ['no timestamp', { messages: [{ ...messageOf('ann', 1), timestamp: undefined }] }, 400105],
  ['a timestamp as text', { messages: [{ ...messageOf('ann', 1), timestamp: '1' }] }, 400101],
  ['no text', { messages: [{ ...messageOf('ann', 1), message: undefined }] }, 400105],
  ['no sender', { messages: [{ ...messageOf('ann', 1), user_id: undefined }] }, 400105],
  ['an unknown sender', { messages: [messageOf('nobody', 1)] }, 400201],
  ['a text of 5,000', { messages: [messageOf('ann', 1, { message: 'é'.repeat(5000) })] }, 200],
  ['a text of 5,001', { messages: [messageOf('ann', 1, { message: 'é'.repeat(5001) })] }, 400700],
  ['a file without url', { messages: [{ ...messageOf('ann', 1), message_type: 'FILE' }] }, 400105],
  ['a custom type of 129', { messages: [messageOf('ann', 1, { custom_type: 'x'.repeat(129) })] }, 400110],
  ['a bad metaarray', { messages: [messageOf('ann', 1, { sorted_metaarray: [{ key: 'k' }] })] }, 400111],
  ['a flag that is no boolean', { messages: [messageOf('ann', 1)], update_read_ts: 1 }, 400104],
] as const)('checks a migration with %s', async ([, body, expected]) => {
  const api = await startRoom();
  for (const url of ['room-1', 'lobby']) {
    expect(await codeOf(api, 'POST', `/migration/${url}`, body)).toBe(expected);
  }
});

test('refuses a whole batch for one bad message, which it names', async () => {
  const api = await startRoom();
  const messages = [messageOf('ann', 1), messageOf('ann', 2), messageOf('nobody', 3)];
  expect((await api.call('POST', '/migration/room-1', { messages })).body).toEqual({
    message: '"messages[2].user_id" not found.',
    code: 400201,
    error: true,
  });
  expect(await texts(api, 'message_ts=0')).toEqual([]);
  expect((await api.call('POST', '/migration/none', { messages })).body.message).toBe('"Channel" not found.');
});

test('stores no message of an ephemeral channel', async () => {
  const api = await startApi();
  await api.users('ann');
  await api.room('room-1', ['ann'], { is_ephemeral: true });
  await api.ok('POST', '/migration/room-1', { messages: [messageOf('ann', 1)] });
  await api.ok('POST', `${ROOM}/messages`, { message_type: 'MESG', user_id: 'ann', message: 'x' });
  expect(await api.ok('GET', `${ROOM}/messages/total_count`)).toEqual({ total: 0 });
});

test('moves read receipts forward with update_read_ts, and back with rewind_read_ts', async () => {
  const api = await startRoom();
  const readTs = async (): Promise<number> => (await api.ok('GET', `${ROOM}?user_id=ann`)).user_last_read;
  const late = START_MS + 1000;
  await api.ok('POST', '/migration/room-1', { messages: [messageOf('bob', late)] });
  expect(await readTs()).toBe(START_MS);
  expect(await api.ok('GET', `${ROOM}/messages/unread_count?user_ids=ann,bob`)).toEqual({ unread: { ann: 1, bob: 0 } });
  await api.ok('POST', '/migration/room-1', { messages: [messageOf('bob', late)], update_read_ts: true });
  expect(await readTs()).toBe(late);
  await api.ok('POST', '/migration/room-1', { messages: [messageOf('bob', 5)], update_read_ts: true });
  expect(await readTs()).toBe(late);
  const rewind = { messages: [messageOf('bob', 5)], update_read_ts: true, rewind_read_ts: true };
  await api.ok('POST', '/migration/room-1', rewind);
  expect(await readTs()).toBe(5);
  expect((await api.call('POST', '/migration/lobby', rewind)).body.code).toBe(400111);
});

describe('sending', () => {
  test('answers the message, which can be viewed, updated and deleted', async () => {
    const api = await startRoom();
    for (const [path, url] of [
      [ROOM, 'room-1'],
      ['/open_channels/lobby', 'lobby'],
    ] as const) {
      const sent = await api.ok('POST', `${path}/messages`, {
        message_type: 'MESG',
        user_id: 'ann',
        message: 'hi',
        data: 'd',
        mention_type: 'channel',
      });
      expect(sent).toMatchObject({ type: 'MESG', message: 'hi', data: 'd', channel_url: url, created_at: START_MS });
      const one = `${path}/messages/${sent.message_id}`;
      expect(await api.ok('GET', one)).toMatchObject({ message: 'hi', mention_type: 'channel' });
      api.clock.nowMs += 10;
      expect(await api.ok('PUT', one, { message_type: 'MESG', message: 'ho' })).toMatchObject({
        message: 'ho',
        data: 'd',
        updated_at: api.clock.nowMs,
      });
      expect((await api.call('PUT', one, { message_type: 'ADMM', message: 'ho' })).body.code).toBe(400111);
      expect(await api.ok('DELETE', one)).toEqual({});
      for (const [method, body] of [['GET'], ['PUT', { message_type: 'MESG', message: 'x' }], ['DELETE']] as const)
        expect((await api.call(method, one, body)).body).toMatchObject({
          code: 400201,
          message: '"Message" not found.',
        });
      expect(await texts(api, 'message_ts=0', path)).toEqual([]);
      expect(await api.ok('GET', `${path}/messages/total_count`)).toEqual({ total: 0 });
      expect(await texts(api, 'message_ts=0&including_removed=true', path)).toEqual(['ho']);
      api.clock.nowMs = START_MS;
    }
  });

  test('takes created_at, and a file by url or upload', async () => {
    const api = await startRoom();
    await api.ok('POST', `${ROOM}/messages`, { message_type: 'ADMM', message: 'old', created_at: 5 });
    await api.ok('POST', `${ROOM}/messages`, { message_type: 'FILE', user_id: 'ann', url: 'https://f' });
    const form = new FormData();
    form.append('message_type', 'FILE');
    form.append('user_id', 'ann');
    form.append('file', new Blob(['abc'], { type: 'text/plain' }), 'a.txt');
    expect(await api.ok('POST', `${ROOM}/messages`, form)).toMatchObject({
      file: { name: 'a.txt', type: 'text/plain', size: 3 },
    });
    expect(await texts(api, 'message_ts=5&next_limit=0')).toEqual(['old']);
  });

  test('is refused to strangers, the deactivated, and in frozen channels to all but operators', async () => {
    const api = await startRoom();
    await api.users('cat', 'op');
    const say = async (id: string): Promise<number> => {
      const reply = await api.call('POST', `${ROOM}/messages`, { message_type: 'MESG', user_id: id, message: 'x' });
      return reply.status === 200 ? 200 : reply.body.code;
    };
    expect([await say('ann'), await say('cat'), await say('nobody')]).toEqual([200, 900020, 400201]);
    await api.ok('POST', `${ROOM}/invite`, { user_ids: ['op'] });
    await api.ok('POST', `${ROOM}/operators`, { operator_ids: ['op'] });
    await api.ok('PUT', `${ROOM}/freeze`, { freeze: true });
    expect([await say('ann'), await say('op')]).toEqual([900050, 200]);
    await api.ok('PUT', '/users/op', { is_active: false });
    expect(await say('op')).toBe(400700);
    await api.ok('POST', `${ROOM}/messages`, { message_type: 'ADMM', message: 'x' });
  });
});

describe('listing', () => {
  async function startHistory(): Promise<Api> {
    const api = await startRoom();
    const times = [50, 10, 30, 20, 40, 30];
    const messages = times.map((ts, n) => messageOf(n % 2 ? 'ann' : 'bob', ts, { custom_type: n % 3 ? '' : 't' }));
    await api.ok('POST', '/migration/room-1', { messages });
    return api;
  }

  test.for([
    ['message_ts=0', ['at 10', 'at 20', 'at 30', 'at 30', 'at 40', 'at 50']],
    ['message_ts=0&message_id=0', ['at 10', 'at 20', 'at 30', 'at 30', 'at 40', 'at 50']],
    ['message_ts=30&prev_limit=1&next_limit=1', ['at 20', 'at 30', 'at 30', 'at 40']],
    ['message_ts=30&prev_limit=1&next_limit=1&include=false', ['at 20', 'at 40']],
    ['message_ts=30&prev_limit=1&next_limit=1&reverse=true', ['at 40', 'at 30', 'at 30', 'at 20']],
    ['message_ts=99&prev_limit=2', ['at 40', 'at 50']],
    ['message_ts=0&sender_id=ann', ['at 10', 'at 20', 'at 30']],
    ['message_ts=0&sender_ids=ann,bob&next_limit=2', ['at 10', 'at 20']],
    ['message_ts=0&custom_types=t', ['at 20', 'at 50']],
    ['message_ts=0&custom_types=', ['at 10', 'at 30', 'at 30', 'at 40']],
    ['message_ts=0&message_type=ADMM', []],
    ['message_ts=0&operator_filter=operator', []],
  ] as const)('with %s', async ([query, expected]) => {
    expect(await texts(await startHistory(), query)).toEqual(expected);
  });

  test('goes around one message, which separates equal times', async () => {
    const api = await startHistory();
    const { messages } = await api.ok('GET', `${ROOM}/messages?message_ts=30&prev_limit=0&next_limit=0`);
    const [first, second] = messages.map((message: { message_id: number }) => message.message_id);
    const ids = async (id: number): Promise<number[]> =>
      (await api.ok('GET', `${ROOM}/messages?message_id=${id}&prev_limit=1&next_limit=1`)).messages.map(
        (message: { message_id: number }) => message.message_id,
      );
    expect((await ids(first)).slice(1)).toEqual([first, second]);
    expect((await ids(second)).slice(0, 2)).toEqual([first, second]);
    expect((await api.call('GET', `${ROOM}/messages?message_id=999`)).body.code).toBe(400201);
  });

  test('checks its parameters', async () => {
    const api = await startHistory();
    const code = async (query: string): Promise<number> =>
      (await api.call('GET', `${ROOM}/messages?${query}`)).body.code;
    expect(await code('')).toBe(400105);
    expect(await code('message_ts=0&next_limit=201')).toBe(400113);
    expect(await code('message_ts=-1')).toBe(400106);
    expect(await code('message_ts=x')).toBe(400101);
    expect(await code('message_ts=0&message_type=X')).toBe(400111);
  });
});

test('counts unread messages until they are read', async () => {
  const api = await startRoom();
  await api.room('room-2', ['ann', 'bob'], { custom_type: 'x' });
  api.clock.nowMs += 1;
  const say = { message_type: 'MESG', user_id: 'bob', message: 'x', mentioned_user_ids: ['ann'] };
  for (const url of ['room-1', 'room-1', 'room-2']) await api.ok('POST', `/group_channels/${url}/messages`, say);
  const counts = async (query = ''): Promise<unknown> => {
    const user = await api.ok('GET', `/users/ann?include_unread_count=true${query}`);
    return [user.unread_channel_count, user.unread_message_count];
  };
  expect(await counts()).toEqual([2, 3]);
  expect(await counts('&custom_types=x')).toEqual([1, 1]);
  expect(await counts('&super_mode=super')).toEqual([0, 0]);
  expect(await api.ok('GET', `${ROOM}?user_id=ann`)).toMatchObject({
    unread_message_count: 2,
    unread_mention_count: 2,
  });
  const unread = await api.ok('GET', '/users/ann/my_group_channels?unread_filter=unread_message');
  expect(unread.channels).toHaveLength(2);
  expect(await api.ok('PUT', `${ROOM}/messages/mark_as_read`, { user_id: 'ann' })).toEqual({});
  expect(await counts()).toEqual([1, 1]);
  expect(await api.ok('PUT', '/users/ann/mark_as_read_all', {})).toEqual({});
  expect(await counts()).toEqual([0, 0]);
  expect((await api.call('PUT', '/users/ann/mark_as_read_all', { channel_urls: ['none'] })).body.code).toBe(400201);
  expect((await api.call('PUT', `${ROOM}/messages/mark_as_read`, {})).body.code).toBe(400105);
});

describe.for(['group_channels', 'open_channels'])('a message of %s', (kind) => {
  async function startSent() {
    const api = await startRoom();
    if (kind === 'open_channels') await api.ok('POST', '/open_channels', { channel_url: 'lobby-1' });
    const url = kind === 'open_channels' ? 'lobby-1' : 'room-1';
    await api.ok('POST', `/migration/${url}`, {
      messages: [messageOf('ann', 5, { data: 'd', custom_type: 'c', mentioned_user_ids: ['bob'] })],
    });
    const { messages } = await api.ok('GET', `/${kind}/${url}/messages?message_ts=0`);
    return { api, channel: `/${kind}/${url}`, id: messages[0].message_id as number };
  }

  test('is changed in its text, data, type and mentions, at the time that it has', async () => {
    const { api, channel, id } = await startSent();
    const body = { message_type: 'MESG', message: 'new', data: '', custom_type: '', mentioned_user_ids: [] };
    await api.ok('PUT', `${channel}/messages/${id}`, { ...body, sorted_metaarray: [{ key: 'k', value: ['v'] }] });
    const changed = await api.ok('GET', `${channel}/messages/${id}?with_sorted_meta_array=true`);
    expect(changed).toMatchObject({ message: 'new', data: '', custom_type: '', created_at: 5, sorted_metaarray: [] });
    expect(changed.mentioned_users).toEqual([]);
    expect(changed.updated_at).toBeGreaterThan(0);
  });

  test('changes the data of its file, too', async () => {
    const { api, channel } = await startSent();
    const file = {
      message_type: 'FILE',
      user_id: 'ann',
      url: 'https://example.com/1',
      timestamp: 9,
      custom_field: 'old',
    };
    await api.ok('POST', `/migration/${channel.split('/')[2]}`, { messages: [file] });
    const { messages } = await api.ok('GET', `${channel}/messages?message_ts=9`);
    const path = `${channel}/messages/${messages.at(-1).message_id}`;
    expect(await api.ok('PUT', path, { message_type: 'FILE', data: '' })).toMatchObject({
      data: '',
      file: { data: '' },
    });
  });

  test('is refused another type, a text that is too long, and an unknown id', async () => {
    const { api, channel, id } = await startSent();
    const put = async (message: number, body: object) =>
      (await api.call('PUT', `${channel}/messages/${message}`, body)).body.code;
    expect(await put(id, { message_type: 'ADMM', message: 'x' })).toBe(400111);
    expect(await put(id, { message_type: 'MESG', message: 'x'.repeat(5001) })).toBe(400700);
    expect(await put(999, { message_type: 'MESG', message: 'x' })).toBe(400201);
  });
});

test('adds, changes and removes meta arrays of a message', async () => {
  const api = await startRoom();
  const { message_id: id } = await api.ok('POST', `${ROOM}/messages`, { user_id: 'ann', message: 'hi' });
  const path = `${ROOM}/messages/${id}/sorted_metaarray`;
  const arrays = (...pairs: readonly [key: string, ...value: string[]][]) => ({
    sorted_metaarray: pairs.map(([key, ...value]) => ({ key, value })),
  });
  expect(await api.ok('POST', path, arrays(['a', '1'], ['b']))).toEqual(arrays(['a', '1'], ['b']));
  expect(await codeOf(api, 'POST', path, arrays(['c'], ['a', '2']))).toBe(400202);
  expect(await api.ok('PUT', path, arrays(['a', '2'], ['c', '3']))).toEqual(arrays(['a', '1', '2'], ['b']));
  expect(await api.ok('PUT', path, { ...arrays(['c', '3']), upsert: true })).toMatchObject(
    arrays(['a', '1', '2'], ['b'], ['c', '3']),
  );
  expect(await api.ok('PUT', path, { ...arrays(['a', '1']), mode: 'remove' })).toMatchObject(
    arrays(['a', '2'], ['b'], ['c', '3']),
  );
  for (const [body, code] of [
    [{ ...arrays(['a', '1']), mode: 'set' }, 400111],
    [{}, 400105],
    [{ sorted_metaarray: 'a' }, 400102],
  ] as const) {
    expect(await codeOf(api, 'PUT', path, body)).toBe(code);
  }
  expect(await codeOf(api, 'DELETE', `${path}?keys=a,none`)).toBe(400201);
  await api.ok('DELETE', `${path}?keys=a,b`);
  expect(await api.ok('GET', `${ROOM}/messages/${id}?with_sorted_meta_array=true`)).toMatchObject(arrays(['c', '3']));
  await api.ok('DELETE', path);
  expect(await api.ok('GET', `${ROOM}/messages/${id}?with_sorted_meta_array=true`)).toMatchObject(arrays());
  await api.ok('PUT', `${ROOM}/freeze`, { freeze: true });
  expect(await codeOf(api, 'POST', path, arrays(['d']))).toBe(900050);
});

test('refuses texts that are longer than the application allows, and says how long they may be', async () => {
  const api = await startApi({ messageLength: 50 });
  await api.users('ann');
  expect(await api.room('room-1', ['ann'])).toMatchObject({ max_length_message: 50 });
  const send = (length: number) =>
    codeOf(api, 'POST', `${ROOM}/messages`, { user_id: 'ann', message: 'é'.repeat(length) });
  expect([await send(50), await send(51)]).toEqual([200, 400700]);
});
