// Tests the counts of active users and the typing indicators.

import { expect, test } from 'vitest';
import { startApi } from './support/support.ts';

test.for(['dau', 'mau'])('%s is one number, for a day that is one', async (name) => {
  const api = await startApi();
  await api.users('ann');
  expect(await api.ok('GET', `/applications/${name}`)).toEqual({ [name]: 0 });
  expect(await api.ok('GET', `/applications/${name}?date=2026-11-22`)).toEqual({ [name]: 0 });
  for (const date of ['22.11.2026', '2026-13-01', 'today']) {
    expect((await api.call('GET', `/applications/${name}?date=${date}`)).body.code).toBe(400111);
  }
});

test.for([
  ['a member', { user_ids: ['ann'] }, 200],
  ['ten times', { user_ids: Array(10).fill('ann') }, 200],
  ['eleven', { user_ids: Array(11).fill('ann') }, 400203],
  ['nobody', { user_ids: [] }, 400111],
  ['no list', {}, 400105],
  ['an unknown user', { user_ids: ['ann', 'nobody'] }, 400201],
  ['no member', { user_ids: ['bob'] }, 400201],
] as const)('checks typing with %s', async ([, body, code]) => {
  const api = await startApi();
  await api.users('ann', 'bob');
  await api.room('room-1', ['ann']);
  for (const method of ['POST', 'DELETE']) {
    const reply = await api.call(method, '/group_channels/room-1/typing', body);
    expect(reply.status === 200 ? 200 : reply.body.code).toBe(code);
    if (code === 200) expect(reply.body).toEqual({});
  }
  expect((await api.call('POST', '/group_channels/none/typing', body)).body.code).toBe(400201);
});
