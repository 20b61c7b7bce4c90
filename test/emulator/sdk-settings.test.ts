// The vendor's clients create and read bots, channel metadata, bans, mutes, preferences and settings on the emulator.

import * as javascript from 'sendbird-platform-sdk';
import * as sendbird from 'sendbird-platform-sdk-typescript';
import { expect, test } from 'vitest';
import { START_MS, startApi } from './support/support.ts';

async function start() {
  const api = await startApi();
  await api.users('ann', 'bob');
  await api.ok('POST', '/open_channels', { channel_url: 'lobby' });
  await api.room('room-1', ['ann', 'bob']);
  const configuration = sendbird.createConfiguration({
    baseServer: new sendbird.ServerConfiguration(api.emulator.url.replace('/v3', ''), {}),
  });
  return {
    api,
    token: api.emulator.token,
    application: new sendbird.ApplicationApi(configuration),
    bots: new sendbird.BotApi(configuration),
    group: new sendbird.GroupChannelApi(configuration),
    metadata: new sendbird.MetadataApi(configuration),
    moderation: new sendbird.ModerationApi(configuration),
    open: new sendbird.OpenChannelApi(configuration),
    statistics: new sendbird.StatisticsApi(configuration),
    users: new sendbird.UserApi(configuration),
    webhook: new sendbird.WebhookApi(configuration),
  };
}

const BOT = {
  botUserid: 'helper',
  botNickname: 'Helper',
  botProfileUrl: '',
  botType: 'support',
  botCallbackUrl: 'https://bots.example.com/helper',
  isPrivacyMode: true,
};

test('bots', async () => {
  const { bots, group, token } = await start();
  const created = await bots.createBot(token, { ...BOT, showMember: true, channelInvitationPreference: 0 });
  expect(created).toMatchObject({
    bot: { botUserid: 'helper', botNickname: 'Helper', botType: 'support', botToken: expect.stringMatching(/./) },
    botCallbackUrl: BOT.botCallbackUrl,
    isPrivacyMode: true,
    enableMarkAsRead: true,
    showMember: true,
    channelInvitationPreference: 0,
  });
  expect(await bots.viewBotById(token, 'helper')).toMatchObject({ bot: created.bot });
  await bots.joinChannels(token, 'helper', { botUserid: 'helper', channelUrls: ['room-1'] });
  expect((await group.gcListMembers(token, 'room-1')).members).toMatchObject([
    { userId: 'helper' },
    { userId: 'ann' },
    { userId: 'bob' },
  ]);
  const changed = { ...BOT, enableMarkAsRead: false, showMember: false, channelInvitationPreference: 1 };
  expect(await bots.updateBotById(token, 'helper', changed)).toMatchObject({
    bot: { botToken: created.bot?.botToken },
    enableMarkAsRead: false,
    channelInvitationPreference: 1,
  });
  expect((await bots.listBots(token)).bots).toMatchObject([{ bot: { botUserid: 'helper' }, showMember: false }]);
  await bots.leaveChannelsByUrl(token, 'helper', 'room-1');
  expect(await group.gcCheckIfMemberById(token, 'room-1', 'helper')).toMatchObject({ isMember: false });
  await bots.deleteBotById(token, 'helper');
  expect((await bots.listBots(token)).bots).toEqual([]);
});

test('channel metadata, read with the lists', async () => {
  const { metadata, open, group, token } = await start();
  for (const [channelType, channelUrl] of [
    ['open_channels', 'lobby'],
    ['group_channels', 'room-1'],
  ] as const) {
    const first = { channelType, channelUrl, metadata: { topic: 'x', seats: 5 }, includeTs: true };
    expect(await metadata.createChannelMetadata(token, channelType, channelUrl, first)).toMatchObject({
      metadata: { topic: 'x', seats: '5' },
    });
    await metadata.updateChannelMetadata(token, channelType, channelUrl, { metadata: { topic: 'y' }, upsert: true });
    await metadata.deleteChannelMetadataByKey(token, channelType, channelUrl, 'seats');
    expect(await metadata.viewChannelMetadata(token, channelType, channelUrl)).toEqual({ topic: 'y' });
  }
  const lobbies = await open.ocListChannels(token, '', 10, undefined, undefined, undefined, true, true);
  expect(lobbies.channels).toMatchObject([{ channelUrl: 'lobby' }]);
  const unset = undefined;
  const rooms = await group.gcListChannels(
    ...([token, '', 10, unset, unset, unset, unset, unset, true, false, false, false, true] as const),
  );
  expect(rooms.channels).toMatchObject([{ channelUrl: 'room-1' }]);
});

test('bans and mutes', async () => {
  const { moderation, token } = await start();
  const ban = { channelUrl: 'room-1', userId: 'ann', agentId: 'bob', seconds: 60, description: 'spam' };
  const shown = { startAt: START_MS, endAt: START_MS + 60_000, description: 'spam' };
  expect(await moderation.gcBanUser(token, 'room-1', ban)).toMatchObject({ ...shown, user: { userId: 'ann' } });
  expect((await moderation.gcListBannedUsers(token, 'room-1')).bannedList).toMatchObject([shown]);
  const longer = { channelUrl: 'room-1', bannedUserId: 'ann', seconds: 90, description: 'more' };
  expect(await moderation.gcUpdateBanById(token, 'room-1', 'ann', longer)).toMatchObject({ endAt: START_MS + 90_000 });
  expect(await moderation.gcViewBanById(token, 'room-1', 'ann')).toMatchObject({ description: 'more' });
  expect((await moderation.listBannedChannels(token, 'ann')).bannedChannels).toHaveLength(1);
  await moderation.gcUnbanUserById(token, 'room-1', 'ann');
  expect((await moderation.gcListBannedUsers(token, 'room-1')).bannedList).toEqual([]);

  await moderation.ocBanUser(token, 'lobby', { ...ban, channelUrl: 'lobby' });
  expect((await moderation.ocListBannedUsers(token, 'lobby')).bannedList).toMatchObject([shown]);
  const mute = { channelUrl: 'lobby', userId: 'bob', seconds: -1, description: 'loud' };
  expect(await moderation.ocMuteUser(token, 'lobby', mute)).toMatchObject({ channelUrl: 'lobby' });
  await moderation.gcMuteUser(token, 'room-1', { ...mute, channelUrl: 'room-1', seconds: 60 });
  expect((await moderation.ocListMutedUsers(token, 'lobby')).mutedList).toMatchObject([
    { userId: 'bob', endAt: -1, description: 'loud' },
  ]);
  expect(await moderation.gcViewMuteById(token, 'room-1', 'bob')).toMatchObject({
    remainingDuration: 60_000,
    endAt: START_MS + 60_000,
  });
  await moderation.gcUnmuteUserById(token, 'room-1', 'bob');
  expect((await moderation.gcListMutedUsers(token, 'room-1')).mutedList).toEqual([]);
});

test('preferences of users and of the application', async () => {
  const { application, users, token } = await start();
  await application.updateDefaultChannelInvitationPreference(token, { autoAccept: false });
  expect(await application.viewDefaultChannelInvitationPreference(token)).toMatchObject({ autoAccept: false });
  expect(await users.viewChannelInvitationPreference(token, 'ann')).toMatchObject({ autoAccept: true });
  await users.createUser(token, { userId: 'cat', nickname: '', profileUrl: '', discoveryKeys: ['k'] });
  expect(await users.viewChannelInvitationPreference(token, 'cat')).toMatchObject({ autoAccept: false });
  await users.updateChannelInvitationPreference(token, 'cat', { autoAccept: true });
  expect(await users.viewChannelInvitationPreference(token, 'cat')).toMatchObject({ autoAccept: true });
  const change = { userId: 'cat', nickname: '', profileUrl: '', discoveryKeys: ['a', 'b'], preferredLanguages: ['ko'] };
  await users.updateUserById(token, 'cat', change);
  expect(await users.viewUserById(token, 'cat')).toMatchObject({
    discoveryKeys: ['a', 'b'],
    preferredLanguages: ['ko'],
  });
});

test('webhook, event messages, moderation, active users', async () => {
  const { api, application, statistics, webhook, token } = await start();
  const choice = { enabled: true, url: 'https://hooks.example.com', includeMembers: true, enabledEvents: ['user:ban'] };
  expect(await webhook.chooseWhichEventsToSubscribeTo(token, choice)).toMatchObject({ webhook: choice });
  expect(await webhook.retrieveListOfSubscribedEvents(token, true)).toMatchObject({
    webhook: { ...choice, allWebhookCategories: expect.arrayContaining(['user:ban']) },
  });
  await application.configureAutoEventMessages(token, { autoEventMessage: { userJoin: { user_join: true } } });
  expect(await application.listAutoEventMessages(token)).toMatchObject({
    autoEventMessage: { userJoin: { user_join: true }, channelChange: { channel_change: false } },
  });
  await application.setDomainFilter(token, 'sports', {
    domainFilter: { domains: ['bad.example'], type: 2, shouldCheckGlobal: true },
    profanityFilter: { keywords: ['dumb'], regexFilters: [{ regex: 'a+' }], type: 1, shouldCheckGlobal: false },
    imageModeration: { type: 1, softBlock: true, limits: { adult: 1 }, checkUrls: false },
  });
  expect(await api.ok('GET', '/applications/settings_by_channel_custom_type/sports')).toMatchObject({
    custom_type: 'sports',
    domain_filter: { domains: ['bad.example'], type: 2, should_check_global: true },
    profanity_filter: { keywords: 'dumb', regex_filters: [{ regex: 'a+' }], type: 1 },
    image_moderation: { type: 1, soft_block: true, limits: { adult: 1, racy: 4 } },
  });
  expect(await statistics.viewNumberOfDailyActiveUsers(token)).toMatchObject({ dau: 0 });
  expect(await statistics.viewNumberOfMonthlyActiveUsers(token, '2026-11-22')).toMatchObject({ mau: 0 });
});

test('the JavaScript client: bots, bans, settings', async () => {
  const { api, token } = await start();
  javascript.ApiClient.instance.basePath = api.emulator.url.replace('/v3', '');
  const call = (client: InstanceType<typeof javascript.UserApi>, name: string, ...args: unknown[]) => {
    const method = client[name];
    if (method === undefined) throw new Error(`The client has no ${name}.`);
    return method.call(client, token, ...args);
  };
  const createBotData = {
    bot_userid: 'helper',
    bot_nickname: 'Helper',
    bot_profile_url: '',
    bot_type: 'support',
    bot_callback_url: BOT.botCallbackUrl,
    is_privacy_mode: true,
  };
  const bots = new javascript.BotApi();
  expect(await call(bots, 'createBot', { createBotData })).toMatchObject({ bot: { bot_userid: 'helper' } });
  expect(await call(bots, 'listBots', {})).toMatchObject({ bots: [{ bot: { bot_nickname: 'Helper' } }] });
  const moderation = new javascript.ModerationApi();
  const ocBanUserData = { user_id: 'ann', seconds: 60, description: 'spam' };
  expect(await call(moderation, 'ocBanUser', 'lobby', { ocBanUserData })).toMatchObject({ description: 'spam' });
  expect(await call(moderation, 'ocListBannedUsers', 'lobby', {})).toMatchObject({
    banned_list: [{ user: { user_id: 'ann' }, end_at: START_MS + 60_000 }],
  });
  const webhook = new javascript.WebhooksApi();
  const chooseWhichEventsToSubscribeToData = { enabled: false, url: '' };
  await call(webhook, 'chooseWhichEventsToSubscribeTo', { chooseWhichEventsToSubscribeToData });
  expect(await call(webhook, 'retrieveListOfSubscribedEvents', {})).toMatchObject({ webhook: { enabled: false } });
});
