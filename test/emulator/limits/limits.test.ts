// Tests every row of the limit tables and the format of the four headers.

import { describe, expect, test } from 'vitest';
import { RATE_PLANS, type RatePlan } from '../../../src/emulator/limits/limits.ts';
import { ROUTES } from '../../../src/emulator/routes/routes.ts';
import type { EmulatorOptions } from '../../../src/emulator/server.ts';
import { type Api, type Reply, request, startApi } from '../support/support.ts';

function headersOf({ headers }: Reply): readonly (string | null)[] {
  return ['limit', 'remaining', 'reset', 'retryafter'].map((name) => headers.get(`x-ratelimit-${name}`));
}

const limited = (options: EmulatorOptions = {}): Promise<Api> => startApi({ rateLimits: true, ...options });

/** How many of many requests at one instant pass. */
async function letIn(api: Api, asked: string, body?: unknown, tries = 15): Promise<number> {
  const [method = '', path = ''] = asked.split(' ');
  const replies = await Promise.all(Array.from({ length: tries }, () => api.call(method, path, body)));
  return replies.filter((reply) => reply.status !== 429).length;
}

const EXPECTED: Readonly<Record<RatePlan, readonly [GET: number, others: number]>> = {
  free_trial: [10, 5],
  '5k_mau': [60, 10],
  '10k_mau': [100, 20],
  '25k_mau': [200, 40],
  '50k_mau': [400, 100],
  '100k_mau': [600, 200],
};

test.for(RATE_PLANS.map((plan) => [plan] as const))('limits each method by the plan %s', async ([plan]) => {
  const api = await limited({ ratePlan: plan });
  const [get, others] = EXPECTED[plan];
  for (const [method, path, limit] of [
    ['GET', '/users', get],
    ['POST', '/users', others],
    ['PUT', '/open_channels/x', others],
    ['DELETE', '/users/x', others],
  ] as const) {
    const reply = await api.call(method, path, method === 'GET' ? undefined : {});
    expect(headersOf(reply)).toEqual([`${limit};w=1`, String(limit - 1), '1.000', '0.000']);
  }
  expect(await letIn(api, 'DELETE /users/x', undefined, others + 5)).toBe(others - 1);
});

test('answers 429 with its code, message and headers, without an effect', async () => {
  const api = await limited({ ratePlan: 'free_trial' });
  for (let n = 0; n < 5; n++) {
    await api.users(`u${n}`);
    api.clock.nowMs += 100;
  }
  const reply = await api.call('POST', '/users', { user_id: 'late', nickname: '', profile_url: '' });
  expect(reply).toMatchObject({ status: 429, body: { message: 'Too many requests.', code: 500910, error: true } });
  expect(headersOf(reply)).toEqual(['5;w=1', '0', '0.900', '0.500']);
  expect(await api.code('GET', '/users/late')).toBe(400201);
  api.clock.nowMs += 500;
  await api.users('late');
  expect(api.emulator.stats.limited).toBe(1);
  expect(api.emulator.stats.requests.get('POST /users')).toBe(7);
});

test('counts no refused request', async () => {
  const api = await limited();
  for (const [laterMs, passed] of [
    [0, 10],
    [999, 0],
    [1, 10],
  ] as const) {
    api.clock.nowMs += laterMs;
    expect(await letIn(api, 'POST /open_channels', {})).toBe(passed);
  }
});

test('counts endpoints apart, and paths of one template together, with errors', async () => {
  const api = await limited();
  expect(await letIn(api, 'DELETE /users/a')).toBe(10);
  expect(await letIn(api, 'DELETE /users/b')).toBe(0);
  expect(await letIn(api, 'DELETE /open_channels/a')).toBe(10);
  expect(await letIn(api, 'PUT /nowhere', {})).toBe(10);
});

test('gives every route a limit of its own', async () => {
  const api = await limited();
  const strict = ['POST /migration/{channel_url}', 'PUT /users/{user_id}'];
  for (const { method, template } of ROUTES) {
    const reply = await api.call(method, template.replaceAll(/\{\w+\}/g, 'x'), method === 'GET' ? undefined : {});
    const planned = method === 'GET' ? 60 : 10;
    const limit = strict.includes(`${method} ${template}`) ? 5 : planned;
    expect([template, ...headersOf(reply)]).toEqual([template, `${limit};w=1`, String(limit - 1), '1.000', '0.000']);
  }
});

describe('stricter limits', () => {
  const message = (id: string) => ({ message_type: 'MESG', user_id: id, message: 'x' });
  const [room, other] = ['/group_channels/x', '/group_channels/y'];
  type Asked = readonly [request: string, body: object];
  test.for<readonly [name: string, first: Asked, second: Asked, passed: number, then: number]>([
    ['migration, by application', ['POST /migration/a', {}], ['POST /migration/b', {}], 5, 0],
    ['update user, by its id', ['PUT /users/a', {}], ['PUT /users/b', {}], 5, 5],
    [
      'group channel, by inviter',
      ['POST /group_channels', { inviter_id: 'a' }],
      ['POST /group_channels', { inviter_id: 'b' }],
      5,
      5,
    ],
    ['none, without inviter', ['POST /group_channels', { user_ids: ['a'] }], ['POST /group_channels', {}], 10, 0],
    ['invite', [`POST ${room}/invite`, { inviter_id: 'a' }], [`POST ${other}/invite`, { inviter_id: 'a' }], 5, 0],
    ['send, by sender', [`POST ${room}/messages`, message('a')], [`POST ${room}/messages`, message('b')], 5, 5],
    [
      'send to the other kind',
      [`POST ${room}/messages`, message('a')],
      ['POST /open_channels/x/messages', message('a')],
      5,
      0,
    ],
    [
      'mark as read',
      [`PUT ${room}/messages/mark_as_read`, { user_id: 'a' }],
      [`PUT ${other}/messages/mark_as_read`, { user_id: 'b' }],
      5,
      5,
    ],
  ])('%s', async ([, [asked, body], [second, secondBody], passed, then]) => {
    const api = await limited();
    const [method = '', path = ''] = asked.split(' ');
    expect(headersOf(await api.call(method, path, body))[0]).toBe(`${passed};w=1`);
    expect(await letIn(api, asked, body)).toBe(passed - 1);
    expect(await letIn(api, second, secondBody)).toBe(then);
  });

  test('userScope first_listed: without inviter, the first user counts', async () => {
    const api = await limited({ behaviours: { userScope: 'first_listed' } });
    expect(await letIn(api, 'POST /group_channels', { user_ids: ['a', 'b'] })).toBe(5);
    expect(await letIn(api, 'POST /group_channels', { users: [{ user_id: 'b' }] })).toBe(5);
  });

  test('planLimits method: the calls of all endpoints of a method count together', async () => {
    const api = await limited({ behaviours: { planLimits: 'method' } });
    expect(await letIn(api, 'POST /open_channels', {}, 6)).toBe(6);
    expect(await letIn(api, 'POST /users', { user_id: 'a' })).toBe(4);
    expect(await letIn(api, 'DELETE /users/a', undefined, 3)).toBe(3);
  });

  test('have the headers of the tightest bucket', async () => {
    const api = await limited();
    for (const id of ['a', 'b']) await letIn(api, `PUT /users/${id}`, {}, 4);
    expect(headersOf(await api.call('PUT', '/users/c', {})).slice(0, 2)).toEqual(['10;w=1', '1']);
  });
});

test('uses limits that support raised', async () => {
  const api = await limited({
    raisedLimits: { rates: { POST: 12, 'POST /migration/{channel_url}': 8, 'GET /users': 3 } },
  });
  expect(await letIn(api, 'POST /open_channels', {})).toBe(12);
  expect(await letIn(api, 'POST /migration/x', {})).toBe(8);
  expect(await letIn(api, 'GET /users')).toBe(3);
});

test('counts and refuses a wrong or missing token', async () => {
  const api = await limited();
  const wrong = await request({ url: api.emulator.url, token: 'wrong' }, 'GET', '/users');
  expect([headersOf(wrong)[1], wrong.body.code]).toEqual(['59', 400401]);
  expect(await (await fetch(`${api.emulator.url}/users`)).json()).toMatchObject({ code: 400401 });
});

test('sends no headers without rate limits', async () => {
  const api = await startApi();
  expect(headersOf(await request(api.emulator, 'GET', '/users'))).toEqual([null, null, null, null]);
});
