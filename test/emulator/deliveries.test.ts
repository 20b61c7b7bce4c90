// Tests the calls to the application: their address, signature, tries in the emulator's clock, and log.
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Behaviours } from '../../src/emulator/api/behaviours.ts';
import { addressOf, parseTarget } from '../../src/emulator/events/target.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { type Api, BOT, type Parsed, request, START_MS, startApi } from './support/support.ts';

const WEBHOOK = { enabled: true, url: 'https://app.example/hooks/chat?v=1', enabled_events: ['*'] };

async function control({ emulator }: Api, method: string, path: string, body?: object): Promise<Parsed> {
  return (await request({ ...emulator, url: emulator.url.replace('/v3', '') }, method, path, body)).body;
}

interface Started {
  readonly api: Api;
  readonly receiver: Receiver;
  log(): Promise<Parsed[]>;
}

/** An application with a webhook that gets the events of users who block each other: `block` sends one. */
async function started(behaviours: Partial<Behaviours> = {}, hook: object = WEBHOOK): Promise<Started> {
  const receiver = await startReceiver();
  const api = await startApi({ admin: true, behaviours, deliver: { to: receiver.url } });
  await api.users('ann', 'bob', 'carl');
  await api.ok('PUT', '/applications/settings/webhook', hook);
  return { api, receiver, log: async () => (await control(api, 'GET', '/__deliveries')).deliveries };
}

const block = (api: Api, target = 'bob') => api.ok('POST', '/users/ann/block', { target_id: target });

test('reach the target at the declared path, signed by the token over the raw body', async () => {
  const { api, receiver, log } = await started();
  await block(api);
  expect(await log()).toMatchObject([
    {
      kind: 'webhook',
      category: 'user:block',
      declared_url: WEBHOOK.url,
      url: `${receiver.url}/hooks/chat?v=1`,
      state: 'delivered',
      tries: [{ at_ms: START_MS, status: 200 }],
    },
  ]);
  const [{ path, headers, text, body } = { path: '', headers: {}, text: '', body: {} }] = receiver.received;
  expect(path).toBe('/hooks/chat?v=1');
  expect(headers).toMatchObject({
    'user-agent': 'SendBird',
    'content-type': 'application/json',
    'x-sendbird-signature': createHmac('sha256', api.emulator.token).update(text).digest('hex'),
  });
  expect(body).toMatchObject({ category: 'user:block', blocker: { user_id: 'ann' }, app_id: expect.any(String) });
});

test('are made for subscribed events alone, in the order of the events', async () => {
  const { api, receiver, log } = await started({}, { ...WEBHOOK, enabled_events: ['user:block'] });
  await block(api, 'bob');
  await api.ok('DELETE', '/users/ann/block/bob');
  await block(api, 'carl');
  await block(api, 'bob');
  await log();
  expect(receiver.received.map(({ body }) => body.blockee.user_id)).toEqual(['bob', 'carl', 'bob']);
  await api.ok('PUT', '/applications/settings/webhook', { ...WEBHOOK, enabled: false });
  await api.ok('DELETE', '/users/ann/block/bob');
  expect(await log()).toHaveLength(3);
});

describe('tries', () => {
  test('are three, five seconds apart in the clock of the emulator, with the same request', async () => {
    const { api, receiver, log } = await started();
    receiver.status = 'never';
    await block(api);
    await control(api, 'POST', '/__clock', { advance_s: 5 });
    expect((await log())[0]).toMatchObject({ state: 'waiting', tries: [{ error: 'No answer within 5 seconds.' }, {}] });
    await control(api, 'POST', '/__clock', { advance_s: 60 });
    const [failed] = await log();
    expect(failed).toMatchObject({ state: 'failed' });
    expect(failed.tries.map(({ at_ms }: Parsed) => at_ms - START_MS)).toEqual([0, 5000, 10_000]);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    expect(receiver.received).toHaveLength(3);
  });

  test('end with an answer', async () => {
    const { api, receiver, log } = await started();
    receiver.status = 'never';
    await block(api);
    await expect.poll(() => receiver.received.length).toBe(1);
    receiver.status = 200;
    await control(api, 'POST', '/__clock', { advance_s: 60 });
    expect((await log())[0]).toMatchObject({ state: 'delivered', tries: [{}, { status: 200 }] });
  });

  test.for([
    ['silence', 500, 1],
    ['not_200', 500, 3],
    ['silence', 302, 1],
    ['not_200', 302, 3],
  ] as const)('with the behaviour %s and an answer of %i are %i', async ([webhookRetry, status, tries]) => {
    const { api, receiver, log } = await started({ webhookRetry });
    receiver.status = status;
    await block(api);
    await control(api, 'POST', '/__clock', { advance_s: 60 });
    expect(await log()).toMatchObject([{ state: 'failed', tries: Array.from({ length: tries }, () => ({ status })) }]);
    expect(receiver.received.map(({ path }) => path)).not.toContain('/elsewhere');
  });

  test('end when the emulator is reset', async () => {
    const { api, receiver, log } = await started();
    receiver.status = 'never';
    await control(api, 'POST', '/__snapshot');
    await block(api);
    await expect.poll(() => receiver.received.length).toBe(1);
    await control(api, 'POST', '/__reset');
    expect(await log()).toEqual([]);
    await control(api, 'POST', '/__clock', { advance_s: 60 });
    expect(receiver.received).toHaveLength(1);
    receiver.status = 200;
    await block(api);
    expect(await log()).toMatchObject([{ state: 'delivered' }]);
  });

  test('end when the emulator is reset while the clock moves, and so does the move', async () => {
    const { api, receiver, log } = await started();
    receiver.status = 'never';
    await block(api);
    const move = control(api, 'POST', '/__clock', { advance_s: 60 });
    await expect.poll(() => receiver.received.length).toBe(2);
    await control(api, 'POST', '/__reset');
    expect(await move).toMatchObject({ advanced_ms: 0 });
    expect(await log()).toEqual([]);
  });

  test('of a server that is not there are in the log', async () => {
    const api = await startApi({ admin: true, deliver: { to: 'http://127.0.0.1:1' } });
    await api.users('ann', 'bob');
    await api.ok('PUT', '/applications/settings/webhook', WEBHOOK);
    await block(api);
    await control(api, 'POST', '/__clock', { advance_s: 60 });
    const { deliveries } = await control(api, 'GET', '/__deliveries');
    expect(deliveries).toMatchObject([
      { state: 'failed', tries: [{ error: expect.stringContaining('ECONNREFUSED') }, {}, {}] },
    ]);
  });
});

test('are forgotten when the log is cleared', async () => {
  const { api, log } = await started();
  await block(api);
  await log();
  await control(api, 'DELETE', '/__deliveries');
  expect(await log()).toEqual([]);
});

test('go nowhere but to this machine: without a target, a foreign address is only in the log', async () => {
  const receiver = await startReceiver();
  const api = await startApi({ admin: true, deliver: {} });
  await api.users('ann', 'bob');
  for (const url of [WEBHOOK.url, `${receiver.url}/own`]) {
    await api.ok('PUT', '/applications/settings/webhook', { ...WEBHOOK, url });
    await block(api);
    await api.ok('DELETE', '/users/ann/block/bob');
  }
  const { deliveries } = await control(api, 'GET', '/__deliveries');
  expect(deliveries.map(({ state }: Parsed) => state)).toEqual(['not_sent', 'not_sent', 'delivered', 'delivered']);
  expect(receiver.received.map(({ path }) => path)).toEqual(['/own', '/own']);
});

describe('a target', () => {
  test.for([
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/a/b?c=d'],
    ['http://localhost:3000/', 'http://localhost:3000/a/b?c=d'],
    ['http://[::1]:3000/one', 'http://[::1]:3000/one'],
    ['http://127.9.9.9', 'http://127.9.9.9/a/b?c=d'],
  ] as const)('%s takes a call to https://bots.example/a/b?c=d at %s', ([target, address]) => {
    expect(addressOf('https://bots.example/a/b?c=d', parseTarget(target))?.href).toBe(address);
  });

  test.for([
    ['http://192.168.0.7:3000', '192.168.0.7 is not this machine'],
    ['http://127.0.0.1.evil.example', 'is not this machine'],
    ['http://0.0.0.0:3000', 'is not this machine'],
    ['https://127.0.0.1:3000', 'does not begin with http://'],
    ['http://me:secret@127.0.0.1', 'a user name or a password'],
    ['127.0.0.1:3000', 'is not a URL'],
    ['3000', 'is not a URL'],
  ] as const)('%s is refused', ([target, says]) => {
    expect(() => parseTarget(target)).toThrow(says);
  });
});

describe('a bot', () => {
  async function withBot(bot: object, behaviours: Partial<Behaviours> = {}): Promise<Started> {
    const all = await started(behaviours, { enabled: false });
    const { api } = all;
    await api.ok('POST', '/bots', { ...BOT, ...bot });
    await api.ok('POST', '/bots', { ...BOT, bot_userid: 'other', is_privacy_mode: false });
    await api.room('room-1', ['ann', 'bob']);
    await api.ok('POST', '/bots/helper/channels', { channel_urls: ['room-1'] });
    return all;
  }

  test('is called for the messages of people in its channels', async () => {
    const { api, receiver, log } = await withBot({ is_privacy_mode: false });
    const { message_id: id, created_at: ts } = await api.say('ann', { message: 'hello' });
    await api.ok('POST', '/bots/helper/send', { message_type: 'MESG', channel_url: 'room-1', message: 'hi ann' });
    await api.ok('POST', '/migration/room-1', {
      messages: [{ message_type: 'MESG', user_id: 'bob', message: 'old', timestamp: 1 }],
    });
    expect(id).toEqual(expect.any(Number));
    expect(await log()).toMatchObject([{ kind: 'bot', state: 'delivered', url: `${receiver.url}/helper` }]);
    expect(receiver.received[0]?.body).toEqual({
      category: 'bot_message_notification',
      sender: { user_id: 'ann', nickname: 'ann', profile_url: '', metadata: {} },
      bot: { bot_userid: 'helper', bot_nickname: 'Helper' },
      channel: { channel_url: 'room-1' },
      message: { text: 'hello' },
      ts,
      app_id: expect.any(String),
    });
    expect(receiver.received[0]?.headers).not.toHaveProperty('x-sendbird-signature');
  });

  test('gets the members if it shows them, and a signature under that behaviour', async () => {
    const { api, receiver, log } = await withBot(
      { is_privacy_mode: false, show_member: true },
      { botSignature: 'sent' },
    );
    await api.say('ann');
    await log();
    expect(receiver.received[0]?.body.members.map(({ user_id }: Parsed) => user_id)).toEqual(['ann', 'bob', 'helper']);
    const { text = '', headers = {} } = receiver.received[0] ?? {};
    expect(headers['x-sendbird-signature']).toBe(createHmac('sha256', api.emulator.token).update(text).digest('hex'));
  });

  test('in privacy mode is called for commands and mentions alone', async () => {
    const { api, receiver, log } = await withBot({ is_privacy_mode: true });
    for (const more of [{ message: 'hello' }, { message: '/help' }, { message: 'you', mentioned_user_ids: ['helper'] }])
      await api.say('ann', more);
    await log();
    expect(receiver.received.map(({ body }) => body.message.text)).toEqual(['/help', 'you']);
  });

  test('is called again until it answers 200', async () => {
    const { api, receiver, log } = await withBot({ is_privacy_mode: false });
    receiver.status = 500;
    await api.say('ann');
    await control(api, 'POST', '/__clock', { advance_s: 60 });
    expect(await log()).toMatchObject([
      { state: 'failed', tries: [{ status: 500 }, { status: 500 }, { status: 500 }] },
    ]);
  });
});
