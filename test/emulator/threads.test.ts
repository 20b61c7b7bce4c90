// Tests replies in threads: what the emulator takes, what it shows, and each behaviour of what no source says (platform §6.2).

import { expect, test } from 'vitest';
import type { Behaviours } from '../../src/emulator/api/behaviours.ts';
import { type Api, startApi } from './support/support.ts';

const messages = '/group_channels/room-1/messages';

async function start(behaviours: Partial<Behaviours> = {}): Promise<Api> {
  const api = await startApi({ behaviours });
  await api.users('ann');
  await api.room('room-1', ['ann']);
  return api;
}

const send = (api: Api, more = {}) =>
  api.call('POST', messages, { message_type: 'MESG', user_id: 'ann', message: 'hi', ...more });

const idOf = async (api: Api, more = {}): Promise<number> => (await send(api, more)).body.message_id;

test('takes a reply at its time, and lists it with its parent when asked', async () => {
  const api = await start();
  const parent = await idOf(api, { created_at: 10 });
  const reply = await idOf(api, { parent_message_id: parent, created_at: 20, dedup_id: 'r' });
  const listed = await api.get(`${messages}?message_ts=0&include_reply_type=ALL`);
  const shown = listed.messages.map(({ message_id, created_at, parent_message_id }: Record<string, unknown>) => [
    message_id,
    created_at,
    parent_message_id,
  ]);
  expect(shown).toEqual([
    [parent, 10, undefined],
    [reply, 20, parent],
  ]);
  expect(await api.ids(`${messages}?message_ts=0`)).toEqual([parent]);
});

test('refuses a second reply with the same dedup_id, and a reply to a message that is gone', async () => {
  const api = await start();
  const parent = await idOf(api);
  const reply = { parent_message_id: parent, dedup_id: 'r' };
  expect((await send(api, reply)).status).toBe(200);
  expect((await send(api, reply)).body.code).toBe(400202);
  await api.ok('DELETE', `${messages}/${parent}`);
  expect((await send(api, { parent_message_id: parent })).body.code).toBe(400201);
});

test.each([
  ['honoured', 5],
  ['ignored', 'now'],
  ['refused', 400111],
] as const)('created_at of a reply is %s', async (replyTime, expected) => {
  const api = await start({ replyTime });
  const parent = await idOf(api, { created_at: 3 });
  const { body } = await send(api, { parent_message_id: parent, created_at: 5 });
  expect(body.code ?? (body.created_at > 5 ? 'now' : body.created_at)).toBe(expected);
});

test.each([
  ['refused', 400111],
  ['attached', 'first'],
  ['nested', 'reply'],
] as const)('a reply to a reply is %s', async (replyDepth, expected) => {
  const api = await start({ replyDepth });
  const first = await idOf(api);
  const reply = await idOf(api, { parent_message_id: first });
  const { body } = await send(api, { parent_message_id: reply });
  const names = new Map([
    [first, 'first'],
    [reply, 'reply'],
  ]);
  expect(body.code ?? names.get(body.parent_message_id)).toBe(expected);
});

test.each([
  ['refused', [400111, 400111]],
  ['taken', [200, 200]],
] as const)('an admin message as a parent and as a reply is %s', async (replyToAdmin, expected) => {
  const api = await start({ replyToAdmin });
  const notice = await idOf(api, { message_type: 'ADMM' });
  const parent = await idOf(api);
  const replies = [{ parent_message_id: notice }, { parent_message_id: parent, message_type: 'ADMM' }];
  const answers = await Promise.all(replies.map((reply) => send(api, reply)));
  expect(answers.map(({ status, body }) => (status === 200 ? 200 : body.code))).toEqual(expected);
});
