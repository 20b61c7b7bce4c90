// Tests that the vendor's TypeScript client works with the emulator.

import * as sendbird from 'sendbird-platform-sdk-typescript';
import { expect, test } from 'vitest';
import { messageOf, START_MS, startApi } from './support/support.ts';

async function start() {
  const { emulator } = await startApi();
  const configuration = sendbird.createConfiguration({
    baseServer: new sendbird.ServerConfiguration(emulator.url.replace('/v3', ''), {}),
  });
  return {
    token: emulator.token,
    users: new sendbird.UserApi(configuration),
    open: new sendbird.OpenChannelApi(configuration),
    group: new sendbird.GroupChannelApi(configuration),
    moderation: new sendbird.ModerationApi(configuration),
    messages: new sendbird.MessageApi(configuration),
    metadata: new sendbird.MetadataApi(configuration),
    bots: new sendbird.BotApi(configuration),
    announcements: new sendbird.AnnouncementApi(configuration),
  };
}

/** The client's errors are not instances of its own class, so the body identifies them. */
function codeOf(error: unknown): unknown {
  if (!(error instanceof Error) || !('body' in error) || typeof error.body !== 'string') throw error;
  return JSON.parse(error.body).code;
}

test('serves users to the client', async () => {
  const { users, metadata, token } = await start();
  const ids = ['ann', 'bob', 'u 1/é?#'];
  for (const userId of ids) {
    const created = await users.createUser(token, { userId, nickname: userId, profileUrl: '', issueAccessToken: true });
    expect(created).toMatchObject({ userId, nickname: userId, isActive: true, isCreated: true, lastSeenAt: -1 });
    expect(created.accessToken).not.toBe('');
  }
  expect(await users.viewUserById(token, 'u 1/é?#')).toMatchObject({ userId: 'u 1/é?#' });
  const first = await users.listUsers(token, '', 2);
  const second = await users.listUsers(token, first.next, 2);
  expect([...(first.users ?? []), ...(second.users ?? [])].map((user) => user.userId)).toEqual(ids);
  expect(second.next).toBe('');
  const off = { userId: 'bob', nickname: 'Bob', profileUrl: '', isActive: false, leaveAllWhenDeactivated: false };
  expect(await users.updateUserById(token, 'bob', off)).toMatchObject({ nickname: 'Bob', isActive: false });
  expect((await users.listUsers(token, '', 10, 'deactivated')).users).toMatchObject([{ userId: 'bob' }]);
  expect((await users.listUsers(token, '', 10, 'all', true, 'ann,bob')).users).toHaveLength(2);
  await metadata.createUserMetadata(token, 'ann', { metadata: { a: '1' } });
  expect(await users.viewUserById(token, 'ann')).toMatchObject({ metadata: { a: '1' } });
  expect(await users.createUserToken(token, 'ann', {})).toMatchObject({ token: expect.any(String) });
  await users.deleteUserById(token, 'ann');
  expect(await users.viewUserById(token, 'ann').catch(codeOf)).toBe(400201);
  expect(await users.viewUserById('wrong', 'bob').catch(codeOf)).toBe(400401);
  expect(await users.createUser(token, off).catch(codeOf)).toBe(400202);
});

test('serves open channels, their operators and freezing', async () => {
  const { users, open, moderation, token } = await start();
  for (const userId of ['ann', 'bob']) await users.createUser(token, { userId, nickname: userId, profileUrl: '' });
  const created = await open.ocCreateChannel(token, { channelUrl: 'lobby', name: 'Lobby', operatorIds: ['ann'] });
  expect(created).toMatchObject({ channelUrl: 'lobby', name: 'Lobby', freeze: false, maxLengthMessage: 5000 });
  expect(created.createdAt).toBe(Math.floor(START_MS / 1000));
  await open.ocRegisterOperators(token, 'lobby', { channelUrl: 'lobby', operatorIds: ['bob'] });
  expect((await open.ocListOperators(token, 'lobby')).operators).toMatchObject([{ userId: 'ann' }, { userId: 'bob' }]);
  await open.ocCancelTheRegistrationOfOperators(token, 'lobby', ['ann', 'bob']);
  expect((await open.ocListOperators(token, 'lobby')).operators).toEqual([]);
  expect(await moderation.ocFreezeChannel(token, 'lobby', { channelUrl: 'lobby', freeze: true })).toMatchObject({
    freeze: true,
  });
  expect((await open.ocListChannels(token)).channels).toMatchObject([{ channelUrl: 'lobby', freeze: true }]);
  await open.ocDeleteChannelByUrl(token, 'lobby');
  expect(await open.ocViewChannelByUrl(token, 'lobby').catch(codeOf)).toBe(400201);
});

test('serves membership, operators, hiding and freezing of group channels', async () => {
  const { users, group, moderation, token } = await start();
  for (const userId of ['ann', 'bob', 'cat'])
    await users.createUser(token, { userId, nickname: userId, profileUrl: '' });
  const channelUrl = 'room-1';
  const created = await group.gcCreateChannel(token, {
    userIds: ['ann'],
    users: [{ userId: 'ann' }],
    channelUrl,
    isPublic: true,
    operatorIds: ['ann'],
    strict: true,
  });
  expect(created).toMatchObject({ channelUrl, memberCount: 1, isPublic: true, isDistinct: false });
  const inviteBob = { channelUrl, userIds: ['bob'], users: [], invitationStatus: {}, hiddenStatus: {} };
  await users.updateChannelInvitationPreference(token, 'bob', { autoAccept: false });
  expect(await group.gcInviteAsMembers(token, channelUrl, inviteBob)).toMatchObject({
    memberCount: 2,
    joinedMemberCount: 1,
  });
  expect(
    await group.gcAcceptInvitation(token, channelUrl, { channelUrl, userId: 'bob', accessCode: '' }),
  ).toMatchObject({ joinedMemberCount: 2 });
  await group.gcJoinChannel(token, channelUrl, { channelUrl, userId: 'cat', accessCode: '' });
  expect((await group.gcListMembers(token, channelUrl)).members).toMatchObject([
    { userId: 'ann' },
    { userId: 'bob' },
    { userId: 'cat' },
  ]);
  await group.gcLeaveChannel(token, channelUrl, { channelUrl, userIds: ['cat'], shouldLeaveAll: false });
  expect(await group.gcCheckIfMemberById(token, channelUrl, 'cat')).toMatchObject({ isMember: false });
  await group.gcRegisterOperators(token, channelUrl, { channelUrl, operatorIds: ['bob'] });
  expect((await group.gcListOperators(token, channelUrl)).operators).toHaveLength(2);
  await group.gcCancelTheRegistrationOfOperators(token, channelUrl, ['bob', 'ann']);
  expect((await group.gcListOperators(token, channelUrl)).operators).toEqual([]);
  await group.gcHideOrArchiveChannel(token, channelUrl, {
    channelUrl,
    userId: 'ann',
    allowAutoUnhide: true,
    shouldHideAll: false,
    hidePreviousMessages: false,
  });
  await group.gcUnhideOrUnarchiveChannel(token, channelUrl, 'ann', false);
  expect(
    await group.gcResetChatHistory(token, channelUrl, { channelUrl, userId: 'ann', resetAll: false }),
  ).toMatchObject({ tsMessageOffset: START_MS });
  expect(await moderation.gcFreezeChannel(token, channelUrl, { channelUrl, freeze: true })).toMatchObject({
    freeze: true,
  });
  expect((await group.gcListChannels(token)).channels).toEqual([]);
  expect(await group.gcViewChannelByUrl(token, channelUrl, false, false, true)).toMatchObject({
    members: [{ userId: 'bob' }, { userId: 'ann' }],
    lastMessage: null,
  });
  await group.gcDeleteChannelByUrl(token, channelUrl);
  expect(await group.gcViewChannelByUrl(token, channelUrl).catch(codeOf)).toBe(400201);
});

test('serves migration and listing of messages', async () => {
  const { users, group, messages, token } = await start();
  await users.createUser(token, { userId: 'ann', nickname: 'Ann', profileUrl: '' });
  await group.gcCreateChannel(token, { userIds: ['ann'], channelUrl: 'room-1' });
  const body = { messages: [messageOf('ann', 20), { message_type: 'ADMM', message: 'note', timestamp: 10 }] };
  await messages.migrateMessagesByUrl(token, 'room-1', body);
  const listed = await messages.listMessages(token, 'group_channels', 'room-1', '0', 0);
  expect(listed.messages).toMatchObject([
    { type: 'ADMM', message: 'note', createdAt: 10 },
    { type: 'MESG', message: 'at 20', createdAt: 20, user: { userId: 'ann' } },
  ]);
  expect(await messages.viewTotalNumberOfMessagesInChannel(token, 'group_channels', 'room-1')).toMatchObject({
    total: 2,
  });
  expect((await group.gcListChannels(token)).channels).toMatchObject([{ channelUrl: 'room-1' }]);
  const sent = await messages.sendMessage(token, 'group_channels', 'room-1', {
    messageType: 'MESG',
    userId: 'ann',
    message: 'hi',
  });
  expect(sent).toMatchObject({ message: 'hi', createdAt: START_MS, channelUrl: 'room-1' });
});

test('serves meta arrays, messages of bots and announcements', async () => {
  const { users, group, messages, bots, announcements, token } = await start();
  await users.createUser(token, { userId: 'ann', nickname: 'Ann', profileUrl: '' });
  await group.gcCreateChannel(token, { userIds: ['ann'], channelUrl: 'room-1' });
  const text = { messageType: 'MESG', userId: 'ann', message: 'hi' };
  const { messageId } = await messages.sendMessage(token, 'group_channels', 'room-1', text);
  const place = ['group_channels', 'room-1', String(messageId)] as const;
  // The client gives the list as text, although the platform's own examples send a list.
  const arrays = (...sortedMetaarray: readonly { key: string; value: string[] }[]) =>
    ({ channelType: 'group_channels', channelUrl: 'room-1', messageId: 1, sortedMetaarray }) as never;
  await messages.addExtraDataToMessage(token, ...place, arrays({ key: 'a', value: ['1'] }, { key: 'b', value: [] }));
  await messages.updateExtraDataInMessage(token, ...place, arrays({ key: 'a', value: ['2'] }));
  await messages.removeExtraDataFromMessage(token, ...place, ['b']);
  expect(await messages.viewMessageById(token, ...place, true)).toMatchObject({
    sortedMetaarray: [{ key: 'a', value: ['1', '2'] }],
  });

  await bots.createBot(token, {
    botUserid: 'helper',
    botNickname: 'Helper',
    botProfileUrl: '',
    botType: 'support',
    botCallbackUrl: 'https://bots.example.com/helper',
    isPrivacyMode: true,
    enableMarkAsRead: true,
    showMember: false,
    channelInvitationPreference: 0,
  });
  const fromBot = { message: 'hello', channelUrl: 'room-1' };
  expect(await bots.sendBotsMessage(token, 'helper', fromBot).catch(codeOf)).toBe(900020);
  await bots.joinChannels(token, 'helper', { botUserid: 'helper', channelUrls: ['room-1'] });
  await bots.sendBotsMessage(token, 'helper', fromBot);
  expect((await messages.listMessages(token, 'group_channels', 'room-1', '0', 0)).messages).toMatchObject([
    { message: 'hi' },
    { message: 'hello', user: { userId: 'helper' } },
  ]);

  const announcement = { message: { type: 'MESG', userId: 'ann', content: 'news' }, uniqueId: 'a1' };
  const target = { targetAt: 'target_channels', targetList: ['room-1'], targetChannelType: 'all' };
  expect(await announcements.scheduleAnnouncement(token, { ...announcement, ...target })).toMatchObject({
    uniqueId: 'a1',
    status: 'scheduled',
  });
});

test('serves participants, restrictions of a user, reactions and unread counts of a channel', async () => {
  const { users, open, group, moderation, messages, token } = await start();
  for (const userId of ['ann', 'bob']) await users.createUser(token, { userId, nickname: userId, profileUrl: '' });
  await open.ocCreateChannel(token, { channelUrl: 'lobby' });
  await group.gcCreateChannel(token, { userIds: ['ann', 'bob'], channelUrl: 'room-1' });
  expect(await open.ocListParticipants(token, 'lobby')).toMatchObject({ participants: [], next: '' });
  await users.createUser(token, { userId: 'mod', nickname: 'Mod', profileUrl: '' });
  const ban = { channelUrl: 'lobby', userId: 'ann', seconds: 60, agentId: 'mod', description: '' };
  await moderation.ocBanUser(token, 'lobby', ban);
  expect((await moderation.listBannedChannels(token, 'ann')).bannedChannels).toMatchObject([
    { channel: { channelUrl: 'lobby' } },
  ]);
  expect((await moderation.listMutedChannels(token, 'ann')).mutedChannels).toEqual([]);
  const text = { messageType: 'MESG', userId: 'ann', message: 'hi' };
  const { messageId } = await messages.sendMessage(token, 'group_channels', 'room-1', text);
  expect(await messages.gcViewNumberOfEachMembersUnreadMessages(token, 'room-1', 'bob')).toMatchObject({
    unread: { bob: 0 },
  });
  await messages.listReactionsOfMessage(token, 'group_channels', 'room-1', String(messageId));
});

test('serves blocks, counts, push preferences and device tokens', async () => {
  const { users, group, moderation, token } = await start();
  for (const userId of ['ann', 'bob']) await users.createUser(token, { userId, nickname: userId, profileUrl: '' });
  await group.gcCreateChannel(token, { userIds: ['ann', 'bob'], channelUrl: 'room-1' });
  await moderation.blockUser(token, 'ann', { userId: 'ann', targetId: 'bob', userIds: [], users: [] });
  expect((await moderation.listBlockedUsers(token, 'ann')).users).toMatchObject([{ userId: 'bob' }]);
  await moderation.unblockUserById(token, 'ann', 'bob');
  expect((await moderation.listBlockedUsers(token, 'ann')).users).toEqual([]);

  expect(await users.viewNumberOfUnreadMessages(token, 'ann')).toMatchObject({ unreadCount: 0 });
  expect(await users.viewNumberOfChannelsWithUnreadMessages(token, 'ann')).toMatchObject({ unreadCount: 0 });
  await users.updateCountPreferenceOfChannelByUrl(token, 'ann', 'room-1', { countPreference: 'off' });
  expect(await users.viewCountPreferenceOfChannelByUrl(token, 'ann', 'room-1')).toMatchObject({
    countPreference: 'off',
  });

  const before = await users.viewPushPreferences(token, 'ann');
  const quiet = { ...before, pushTriggerOption: 'off', doNotDisturb: true, endHour: 7 } as never;
  expect(await users.updatePushPreferences(token, 'ann', quiet)).toMatchObject({ doNotDisturb: true, endHour: 7 });
  await users.resetPushPreferences(token, 'ann');
  expect(await users.viewPushPreferences(token, 'ann')).toEqual(before);
  const ofChannel = { pushTriggerOption: 'mention_only', enable: true, pushSound: 'ping' };
  await users.updatePushPreferencesForChannelByUrl(token, 'ann', 'room-1', ofChannel);
  expect(await users.viewPushPreferencesForChannelByUrl(token, 'ann', 'room-1')).toMatchObject(ofChannel);
  await users.choosePushNotificationContentTemplate(token, 'ann', { name: 'alternative' });

  const device = { gcmRegToken: 't1', huaweiDeviceToken: '', apnsDeviceToken: '' };
  await users.addRegistrationOrDeviceToken(token, 'ann', 'gcm', device);
  const tokensOf = async () => (await users.listRegistrationOrDeviceTokens(token, 'ann', 'gcm')).tokens;
  expect(await tokensOf()).toEqual(['t1']);
  await users.viewWhoOwnsRegistrationOrDeviceTokenByToken(token, 'gcm', 't1');
  await users.removeRegistrationOrDeviceTokenByToken(token, 'ann', 'gcm', 't1');
  await users.addRegistrationOrDeviceToken(token, 'ann', 'gcm', device);
  await users.removeRegistrationOrDeviceTokenFromOwnerByToken(token, 'gcm', 't1');
  await users.addRegistrationOrDeviceToken(token, 'ann', 'gcm', device);
  await users.removeRegistrationOrDeviceToken(token, 'ann');
  expect(await tokensOf()).toEqual([]);
});
