// Tests that the vendor's JavaScript client works with the emulator.

import { ApiClient, GroupChannelApi, MessageApi, ModerationApi, OpenChannelApi, UserApi } from 'sendbird-platform-sdk';
import { expect, test } from 'vitest';
import { messageOf, startApi } from './support/support.ts';

function call(api: InstanceType<typeof UserApi>, name: string, ...args: unknown[]): Promise<Record<string, unknown>> {
  const method = api[name];
  if (method === undefined) throw new Error(`The client has no ${name}.`);
  return method.call(api, ...args);
}

test('serves users, channels, operators, membership, freezing, migration and lists', async () => {
  const { emulator } = await startApi();
  const { token } = emulator;
  ApiClient.instance.basePath = emulator.url.replace('/v3', '');
  const [users, open, group, moderation, messages] = [
    new UserApi(),
    new OpenChannelApi(),
    new GroupChannelApi(),
    new ModerationApi(),
    new MessageApi(),
  ];
  for (const user_id of ['ann', 'bob', 'u 1/é']) {
    const createUserData = { user_id, nickname: user_id, profile_url: '' };
    expect(await call(users, 'createUser', token, { createUserData })).toMatchObject({ user_id, is_active: true });
  }
  expect(await call(users, 'viewUserById', token, 'u 1/é', {})).toMatchObject({ user_id: 'u 1/é' });
  expect(await call(users, 'listUsers', token, { token: '', limit: 2 })).toMatchObject({
    users: [{ user_id: 'ann' }, { user_id: 'bob' }],
    next: expect.stringMatching(/./),
  });

  const ocCreateChannelData = { channel_url: 'lobby', name: 'Lobby', operator_ids: ['ann'] };
  expect(await call(open, 'ocCreateChannel', token, { ocCreateChannelData })).toMatchObject({
    channel_url: 'lobby',
    operators: [{ user_id: 'ann' }],
  });
  await call(open, 'ocRegisterOperators', token, 'lobby', { ocRegisterOperatorsData: { operator_ids: ['bob'] } });
  await call(open, 'ocCancelTheRegistrationOfOperators', token, 'lobby', ['ann', 'bob'], {});
  expect(await call(open, 'ocListOperators', token, 'lobby', {})).toMatchObject({ operators: [] });

  const gcCreateChannelData = { channel_url: 'room-1', user_ids: ['ann'], is_public: true, strict: true };
  expect(await call(group, 'gcCreateChannel', token, { gcCreateChannelData })).toMatchObject({ member_count: 1 });
  await call(group, 'gcInviteAsMembers', token, 'room-1', { gcInviteAsMembersData: { user_ids: ['bob'] } });
  await call(group, 'gcRegisterOperators', token, 'room-1', { gcRegisterOperatorsData: { operator_ids: ['bob'] } });
  expect(await call(group, 'gcListMembers', token, 'room-1', {})).toMatchObject({
    members: [{ user_id: 'ann' }, { user_id: 'bob' }],
  });
  expect(await call(group, 'gcCheckIfMemberById', token, 'room-1', 'bob')).toMatchObject({ is_member: true });

  await call(messages, 'migrateMessagesByUrl', token, 'room-1', { body: { messages: [messageOf('ann', 5)] } });
  const asked = { messageTs: '0', messageId: 0 };
  expect(await call(messages, 'listMessages', token, 'group_channels', 'room-1', asked)).toMatchObject({
    messages: [{ message: 'at 5', created_at: 5 }],
  });
  const gcFreezeChannelData = { channel_url: 'room-1', freeze: true };
  expect(await call(moderation, 'gcFreezeChannel', token, 'room-1', { gcFreezeChannelData })).toMatchObject({
    freeze: true,
  });
  expect(await call(group, 'gcListChannels', token, {})).toMatchObject({ channels: [{ channel_url: 'room-1' }] });
  expect(await call(users, 'listMyGroupChannels', token, 'ann', {})).toMatchObject({
    channels: [{ channel_url: 'room-1' }],
  });
  await call(group, 'gcLeaveChannel', token, 'room-1', { gcLeaveChannelData: { user_ids: ['bob'] } });
  await call(group, 'gcDeleteChannelByUrl', token, 'room-1');
  await call(users, 'deleteUserById', token, 'ann');
  await expect(call(users, 'viewUserById', token, 'ann', {})).rejects.toMatchObject({
    status: 400,
    response: { body: { code: 400201, error: true } },
  });
});
