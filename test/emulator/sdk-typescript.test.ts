// Tests that the vendor's TypeScript client works with the emulator.

import * as sendbird from 'sendbird-platform-sdk-typescript';
import { expect, test } from 'vitest';
import { messageOf, START_MS, startApi } from './support/support.ts';

/** The client, with the users ann, bob and cat, the open channel lobby and the group channel room-1 of ann and bob. */
async function start() {
  const api = await startApi();
  await api.users('ann', 'bob', 'cat');
  await api.ok('POST', '/open_channels', { channel_url: 'lobby' });
  await api.room('room-1', ['ann', 'bob'], { is_public: true, operator_ids: ['ann'] });
  const { url, token } = api.emulator;
  const baseServer = new sendbird.ServerConfiguration(url.replace('/v3', ''), {});
  const configuration = sendbird.createConfiguration({ baseServer });
  return {
    token,
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

const idsOf = (list: readonly { userId?: string }[] | undefined) => list?.map(({ userId }) => userId);

const channelUrl = 'room-1';
const text = { messageType: 'MESG', userId: 'ann', message: 'hi' };

test('serves users to the client', async () => {
  const { users, metadata, token } = await start();
  const userId = 'u 1/é?#';
  const created = await users.createUser(token, { userId, nickname: 'U', profileUrl: '', issueAccessToken: true });
  expect(created).toMatchObject({ userId, nickname: 'U', isActive: true, isCreated: true, lastSeenAt: -1 });
  expect(created.accessToken).not.toBe('');
  expect(await users.viewUserById(token, userId)).toMatchObject({ userId });
  const first = await users.listUsers(token, '', 3);
  const second = await users.listUsers(token, first.next, 3);
  expect([idsOf(first.users), idsOf(second.users), second.next]).toEqual([['ann', 'bob', 'cat'], [userId], '']);
  const off = { userId: 'bob', nickname: 'Bob', profileUrl: '', isActive: false, leaveAllWhenDeactivated: false };
  expect(await users.updateUserById(token, 'bob', off)).toMatchObject({ nickname: 'Bob', isActive: false });
  expect(idsOf((await users.listUsers(token, '', 10, 'deactivated')).users)).toEqual(['bob']);
  expect(idsOf((await users.listUsers(token, '', 10, 'all', true, 'ann,bob')).users)).toEqual(['ann', 'bob']);
  await metadata.createUserMetadata(token, 'ann', { metadata: { a: '1' } });
  expect(await users.viewUserById(token, 'ann')).toMatchObject({ metadata: { a: '1' } });
  expect(await users.createUserToken(token, 'ann', {})).toMatchObject({ token: expect.any(String) });
  await users.deleteUserById(token, 'ann');
  expect(await users.viewUserById(token, 'ann').catch(codeOf)).toBe(400201);
  expect(await users.viewUserById('wrong', 'bob').catch(codeOf)).toBe(400401);
  expect(await users.createUser(token, off).catch(codeOf)).toBe(400202);
});

test('serves open channels, their operators, participants, bans and freezing', async () => {
  const { open, moderation, token } = await start();
  const created = await open.ocCreateChannel(token, { channelUrl: 'hall', name: 'Hall', operatorIds: ['ann'] });
  expect(created).toMatchObject({ channelUrl: 'hall', name: 'Hall', freeze: false, maxLengthMessage: 5000 });
  expect(created.createdAt).toBe(Math.floor(START_MS / 1000));
  await open.ocRegisterOperators(token, 'hall', { channelUrl: 'hall', operatorIds: ['bob'] });
  expect(idsOf((await open.ocListOperators(token, 'hall')).operators)).toEqual(['ann', 'bob']);
  await open.ocCancelTheRegistrationOfOperators(token, 'hall', ['ann', 'bob']);
  expect((await open.ocListOperators(token, 'hall')).operators).toEqual([]);
  expect(await open.ocListParticipants(token, 'hall')).toMatchObject({ participants: [], next: '' });
  const frozen = { channelUrl: 'hall', freeze: true };
  expect(await moderation.ocFreezeChannel(token, 'hall', frozen)).toMatchObject(frozen);
  expect((await open.ocListChannels(token)).channels).toMatchObject([frozen, { channelUrl: 'lobby' }]);
  const ban = { channelUrl: 'hall', userId: 'ann', seconds: 60, agentId: 'bob', description: '' };
  await moderation.ocBanUser(token, 'hall', ban);
  const { bannedChannels } = await moderation.listBannedChannels(token, 'ann');
  expect(bannedChannels).toMatchObject([{ channel: { channelUrl: 'hall' } }]);
  expect((await moderation.listMutedChannels(token, 'ann')).mutedChannels).toEqual([]);
  await open.ocDeleteChannelByUrl(token, 'hall');
  expect(await open.ocViewChannelByUrl(token, 'hall').catch(codeOf)).toBe(400201);
});

test('serves membership, operators, hiding and freezing of group channels', async () => {
  const { users, group, moderation, token } = await start();
  const wanted = { channelUrl: 'room-2', isPublic: true, operatorIds: ['ann'], strict: true };
  const created = await group.gcCreateChannel(token, { userIds: ['ann'], users: [{ userId: 'ann' }], ...wanted });
  expect(created).toMatchObject({ channelUrl: 'room-2', memberCount: 1, isPublic: true, isDistinct: false });
  await users.updateChannelInvitationPreference(token, 'cat', { autoAccept: false });
  const invitation = { channelUrl, userIds: ['cat'], users: [], invitationStatus: {}, hiddenStatus: {} };
  const joined = (count: number) => ({ memberCount: 3, joinedMemberCount: count });
  expect(await group.gcInviteAsMembers(token, channelUrl, invitation)).toMatchObject(joined(2));
  const cat = { channelUrl, userId: 'cat', accessCode: '' };
  expect(await group.gcAcceptInvitation(token, channelUrl, cat)).toMatchObject(joined(3));
  await group.gcLeaveChannel(token, channelUrl, { channelUrl, userIds: ['cat'], shouldLeaveAll: false });
  expect(await group.gcCheckIfMemberById(token, channelUrl, 'cat')).toMatchObject({ isMember: false });
  await group.gcJoinChannel(token, channelUrl, cat);
  expect(idsOf((await group.gcListMembers(token, channelUrl)).members)).toEqual(['ann', 'bob', 'cat']);
  await group.gcRegisterOperators(token, channelUrl, { channelUrl, operatorIds: ['bob'] });
  expect((await group.gcListOperators(token, channelUrl)).operators).toHaveLength(2);
  await group.gcCancelTheRegistrationOfOperators(token, channelUrl, ['bob', 'ann']);
  expect((await group.gcListOperators(token, channelUrl)).operators).toEqual([]);
  const hiding = { allowAutoUnhide: true, shouldHideAll: false, hidePreviousMessages: false };
  await group.gcHideOrArchiveChannel(token, channelUrl, { channelUrl, userId: 'ann', ...hiding });
  await group.gcUnhideOrUnarchiveChannel(token, channelUrl, 'ann', false);
  const reset = { channelUrl, userId: 'ann', resetAll: false };
  expect(await group.gcResetChatHistory(token, channelUrl, reset)).toMatchObject({ tsMessageOffset: START_MS });
  const frozen = { channelUrl, freeze: true };
  expect(await moderation.gcFreezeChannel(token, channelUrl, frozen)).toMatchObject({ freeze: true });
  expect((await group.gcListChannels(token)).channels).toEqual([]);
  const viewed = await group.gcViewChannelByUrl(token, channelUrl, false, false, true);
  expect([idsOf(viewed.members), viewed.lastMessage]).toEqual([['cat', 'bob', 'ann'], null]);
  await group.gcDeleteChannelByUrl(token, channelUrl);
  expect(await group.gcViewChannelByUrl(token, channelUrl).catch(codeOf)).toBe(400201);
});

test('serves messages: migrated, listed, counted, with meta arrays, of bots, and announcements', async () => {
  const { group, messages, bots, announcements, token } = await start();
  const body = { messages: [messageOf('ann', 20), { message_type: 'ADMM', message: 'note', timestamp: 10 }] };
  await messages.migrateMessagesByUrl(token, channelUrl, body);
  const listed = () => messages.listMessages(token, 'group_channels', channelUrl, '0', 0);
  expect((await listed()).messages).toMatchObject([
    { type: 'ADMM', message: 'note', createdAt: 10 },
    { type: 'MESG', message: 'at 20', createdAt: 20, user: { userId: 'ann' } },
  ]);
  const { total } = await messages.viewTotalNumberOfMessagesInChannel(token, 'group_channels', channelUrl);
  expect(total).toBe(2);
  expect((await group.gcListChannels(token)).channels).toMatchObject([{ channelUrl }]);
  const sent = await messages.sendMessage(token, 'group_channels', channelUrl, text);
  expect(sent).toMatchObject({ message: 'hi', createdAt: START_MS, channelUrl });
  const place = ['group_channels', channelUrl, String(sent.messageId)] as const;
  const unread = await messages.gcViewNumberOfEachMembersUnreadMessages(token, channelUrl, 'bob');
  expect(unread).toMatchObject({ unread: { bob: 0 } });
  await messages.listReactionsOfMessage(token, ...place);
  // The client gives the list as text, although the platform's own examples send a list.
  const arrays = (...sortedMetaarray: readonly { key: string; value: string[] }[]) =>
    ({ channelType: 'group_channels', channelUrl, messageId: 1, sortedMetaarray }) as never;
  await messages.addExtraDataToMessage(token, ...place, arrays({ key: 'a', value: ['1'] }, { key: 'b', value: [] }));
  await messages.updateExtraDataInMessage(token, ...place, arrays({ key: 'a', value: ['2'] }));
  await messages.removeExtraDataFromMessage(token, ...place, ['b']);
  const { sortedMetaarray } = await messages.viewMessageById(token, ...place, true);
  expect(sortedMetaarray).toMatchObject([{ key: 'a', value: ['1', '2'] }]);

  await bots.createBot(token, {
    ...{ botUserid: 'helper', botNickname: 'Helper', botProfileUrl: '', botType: 'support', isPrivacyMode: true },
    ...{ botCallbackUrl: 'https://bots.example.com/helper', enableMarkAsRead: true, showMember: false },
    channelInvitationPreference: 0,
  });
  const fromBot = { message: 'hello', channelUrl };
  expect(await bots.sendBotsMessage(token, 'helper', fromBot).catch(codeOf)).toBe(900020);
  await bots.joinChannels(token, 'helper', { botUserid: 'helper', channelUrls: [channelUrl] });
  await bots.sendBotsMessage(token, 'helper', fromBot);
  expect((await listed()).messages?.at(-1)).toMatchObject({ message: 'hello', user: { userId: 'helper' } });

  const announcement = { message: { type: 'MESG', userId: 'ann', content: 'news' }, uniqueId: 'a1' };
  const target = { targetAt: 'target_channels', targetList: [channelUrl], targetChannelType: 'all' };
  const scheduled = await announcements.scheduleAnnouncement(token, { ...announcement, ...target });
  expect(scheduled).toMatchObject({ uniqueId: 'a1', status: 'scheduled' });
});

test('serves blocks, counts, push preferences and device tokens', async () => {
  const { users, moderation, token } = await start();
  await moderation.blockUser(token, 'ann', { userId: 'ann', targetId: 'bob', userIds: [], users: [] });
  expect(idsOf((await moderation.listBlockedUsers(token, 'ann')).users)).toEqual(['bob']);
  await moderation.unblockUserById(token, 'ann', 'bob');
  expect((await moderation.listBlockedUsers(token, 'ann')).users).toEqual([]);

  expect(await users.viewNumberOfUnreadMessages(token, 'ann')).toMatchObject({ unreadCount: 0 });
  expect(await users.viewNumberOfChannelsWithUnreadMessages(token, 'ann')).toMatchObject({ unreadCount: 0 });
  const off = { countPreference: 'off' };
  await users.updateCountPreferenceOfChannelByUrl(token, 'ann', channelUrl, off);
  expect(await users.viewCountPreferenceOfChannelByUrl(token, 'ann', channelUrl)).toMatchObject(off);

  const before = await users.viewPushPreferences(token, 'ann');
  const quiet = { ...before, pushTriggerOption: 'off', doNotDisturb: true, endHour: 7 } as never;
  expect(await users.updatePushPreferences(token, 'ann', quiet)).toMatchObject({ doNotDisturb: true, endHour: 7 });
  await users.resetPushPreferences(token, 'ann');
  expect(await users.viewPushPreferences(token, 'ann')).toEqual(before);
  const ofChannel = { pushTriggerOption: 'mention_only', enable: true, pushSound: 'ping' };
  await users.updatePushPreferencesForChannelByUrl(token, 'ann', channelUrl, ofChannel);
  expect(await users.viewPushPreferencesForChannelByUrl(token, 'ann', channelUrl)).toMatchObject(ofChannel);
  await users.choosePushNotificationContentTemplate(token, 'ann', { name: 'alternative' });

  const device = { gcmRegToken: 't1', huaweiDeviceToken: '', apnsDeviceToken: '' };
  const add = () => users.addRegistrationOrDeviceToken(token, 'ann', 'gcm', device);
  const tokensOf = async () => (await users.listRegistrationOrDeviceTokens(token, 'ann', 'gcm')).tokens;
  await add();
  expect(await tokensOf()).toEqual(['t1']);
  await users.viewWhoOwnsRegistrationOrDeviceTokenByToken(token, 'gcm', 't1');
  for (const remove of [
    () => users.removeRegistrationOrDeviceTokenByToken(token, 'ann', 'gcm', 't1'),
    () => users.removeRegistrationOrDeviceTokenFromOwnerByToken(token, 'gcm', 't1'),
    () => users.removeRegistrationOrDeviceToken(token, 'ann'),
  ]) {
    await add();
    await remove();
    expect(await tokensOf()).toEqual([]);
  }
});
