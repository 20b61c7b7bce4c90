// Tests that the vendor's clients and chatform agree on bots, metadata, bans, mutes, preferences and settings: objects made by
// one are read by the other with the same values.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as javascript from 'sendbird-platform-sdk';
import * as sendbird from 'sendbird-platform-sdk-typescript';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { RunningEmulator } from '../../../src/emulator/server.ts';
import { place } from '../../support/place.ts';
import { startPlatform } from '../../support/platform.ts';

/** Ten years mean for ever, so an end is earlier. */
const inSeconds = 3 * 365 * 24 * 3600;
const endMs = Math.ceil(Date.now() / 1000) * 1000 + inSeconds * 1000;
const until = new Date(endMs).toISOString();
/** The time between a call and the moment from which its seconds count. */
const slackMs = 60_000;

async function application() {
  const platform = await startPlatform();

  const at = await place({}, { CHATFORM_BASE_URL: platform.url, CHATFORM_API_TOKEN: platform.token });
  return {
    cwd: at.cwd,
    ...clientsOf(platform),
    declare: (text: string) => writeFile(at.path('chat.yaml'), text),
    run: async (wanted: number, ...args: readonly string[]) => {
      const ended = await at.ends(args, wanted);
      return ended.stdout;
    },
  };
}

function clientsOf({ url, token }: RunningEmulator) {
  const basePath = url.replace('/v3', '');
  const configuration = sendbird.createConfiguration({ baseServer: new sendbird.ServerConfiguration(basePath, {}) });
  return {
    token,
    settings: new sendbird.ApplicationApi(configuration),
    bots: new sendbird.BotApi(configuration),
    group: new sendbird.GroupChannelApi(configuration),
    metadata: new sendbird.MetadataApi(configuration),
    moderation: new sendbird.ModerationApi(configuration),
    open: new sendbird.OpenChannelApi(configuration),
    users: new sendbird.UserApi(configuration),
    webhook: new sendbird.WebhookApi(configuration),
    /** Makes a call with the JavaScript client. */
    plain: (Client: typeof javascript.BotApi, name: string, ...args: unknown[]): Promise<Record<string, unknown>> => {
      javascript.ApiClient.instance.basePath = basePath;
      const client = new Client();
      const method = client[name];
      if (method === undefined) throw new Error(`The JavaScript client has no ${name}.`);
      return method.call(client, token, ...args);
    },
  };
}

const sentOfHelper = {
  botUserid: 'helper',
  botNickname: 'Helper',
  botProfileUrl: 'https://acme.example/helper.png',
  botCallbackUrl: 'https://bots.acme.example/helper',
  isPrivacyMode: true,
  enableMarkAsRead: false,
  showMember: true,
  channelInvitationPreference: 1,
};

type There = Awaited<ReturnType<typeof application>>;

const manifest = `version: 1
settings:
  default_channel_invitation_preference: { auto_accept: false }
  webhook: { enabled: true, url: https://hooks.acme.example/chat, include_members: true, enabled_events: ["user:ban"] }
  auto_event_message: { user_join: { user_join: true } }
custom_types:
  support:
    domain_filter: { domains: [bad.example], type: 2 }
    profanity_filter: { keywords: [bad*, dummy], type: 1 }
users:
  alice: { nickname: Alice, auto_accept: true, discovery_keys: [a, b], preferred_languages: [de, en] }
  bob: { nickname: Bob }
  mallory: { nickname: Mallory }
  trudy: { nickname: Trudy }
bots:
  helper:
    bot_nickname: Helper
    bot_type: support
    bot_callback_url: https://bots.acme.example/helper
    bot_profile_url: https://acme.example/helper.png
    is_privacy_mode: true
    enable_mark_as_read: false
    show_member: true
    channel_invitation_preference: 1
open_channels:
  lobby:
    metadata: { topic: news }
    banned: { mallory: { until: ${until}, description: spam }, trudy: }
    muted: { bob: { description: loud } }
group_channels:
  support-1:
    members: { alice: , bob: , helper: }
    metadata: { queue: first }
    banned: { mallory: }
    muted: { bob: { until: ${until}, description: loud } }
`;

const isDone = ['--detailed-exitcode'];
const near = (ms: unknown) => Math.abs(Number(ms) - endMs) < slackMs;

test('shows the clients what chatform applied', async () => {
  const { declare, run, ...clients } = await application();
  const { token, bots, metadata, moderation, settings, users, webhook, group, plain } = clients;
  await declare(manifest);
  await run(0, 'apply', 'chat.yaml', '--auto-approve', '--tokens-out', 'tokens');

  const bot = {
    bot: {
      botUserid: 'helper',
      botNickname: 'Helper',
      botType: 'support',
      botProfileUrl: 'https://acme.example/helper.png',
    },
    botCallbackUrl: 'https://bots.acme.example/helper',
    isPrivacyMode: true,
    enableMarkAsRead: false,
    showMember: true,
    channelInvitationPreference: 1,
  };
  expect(await bots.viewBotById(token, 'helper')).toMatchObject(bot);
  expect((await bots.listBots(token)).bots).toMatchObject([bot]);
  expect(await plain(javascript.BotApi, 'listBots', {})).toMatchObject({
    bots: [{ bot: { bot_userid: 'helper', bot_nickname: 'Helper' }, bot_callback_url: bot.botCallbackUrl }],
  });
  expect(await group.gcCheckIfMemberById(token, 'support-1', 'helper')).toMatchObject({ isMember: true });

  expect(await metadata.viewChannelMetadata(token, 'open_channels', 'lobby')).toEqual({ topic: 'news' });
  expect(await metadata.viewChannelMetadata(token, 'group_channels', 'support-1')).toEqual({ queue: 'first' });

  const { bannedList: inLobby = [] } = await moderation.ocListBannedUsers(token, 'lobby');
  expect(inLobby.map(({ user, description }) => [user?.userId, description]).sort()).toEqual([
    ['mallory', 'spam'],
    ['trudy', ''],
  ]);
  expect(near(inLobby.find(({ user }) => user?.userId === 'mallory')?.endAt)).toBe(true);
  expect(await moderation.gcViewBanById(token, 'support-1', 'mallory')).toMatchObject({ user: { userId: 'mallory' } });
  const mute = await moderation.gcViewMuteById(token, 'support-1', 'bob');
  expect([mute.isMuted, mute.description, near(mute.endAt)]).toEqual([true, 'loud', true]);
  expect(await moderation.ocViewMuteById(token, 'lobby', 'bob')).toMatchObject({ endAt: -1, description: 'loud' });
  expect(await plain(javascript.ModerationApi, 'gcListBannedUsers', 'support-1', {})).toMatchObject({
    banned_list: [{ user: { user_id: 'mallory' } }],
  });

  expect(await settings.viewDefaultChannelInvitationPreference(token)).toMatchObject({ autoAccept: false });
  expect(await users.viewChannelInvitationPreference(token, 'alice')).toMatchObject({ autoAccept: true });
  const alice = await users.viewUserById(token, 'alice');
  expect([alice.discoveryKeys?.sort(), alice.preferredLanguages]).toEqual([
    ['a', 'b'],
    ['de', 'en'],
  ]);
  const hook = { enabled: true, url: 'https://hooks.acme.example/chat', includeMembers: true };
  expect(await webhook.retrieveListOfSubscribedEvents(token)).toMatchObject({
    webhook: { ...hook, enabledEvents: ['user:ban'] },
  });
  expect(await plain(javascript.WebhooksApi, 'retrieveListOfSubscribedEvents', {})).toMatchObject({
    webhook: { enabled: true, url: hook.url, enabled_events: ['user:ban'] },
  });
  expect(await settings.listAutoEventMessages(token)).toMatchObject({
    autoEventMessage: { userJoin: { user_join: true } },
  });
});

/** The same application as in `manifest`, made by clients only. */
async function madeByClients({
  token,
  bots,
  group,
  metadata,
  moderation,
  open,
  plain,
  settings,
  users,
  webhook,
}: There) {
  const seconds = Math.round((endMs - Date.now()) / 1000);
  for (const [userId, nickname] of [
    ['alice', 'Alice'],
    ['bob', 'Bob'],
    ['mallory', 'Mallory'],
    ['trudy', 'Trudy'],
  ] as const) {
    await users.createUser(token, { userId, nickname, profileUrl: '' });
  }
  const described = { userId: 'alice', nickname: 'Alice', profileUrl: '' };
  await users.updateUserById(token, 'alice', {
    ...described,
    discoveryKeys: ['b', 'a'],
    preferredLanguages: ['de', 'en'],
  });
  await users.updateChannelInvitationPreference(token, 'alice', { autoAccept: true });
  await bots.createBot(token, { botType: 'support', ...sentOfHelper });
  await open.ocCreateChannel(token, { channelUrl: 'lobby', operatorIds: [] });
  await group.gcCreateChannel(token, {
    channelUrl: 'support-1',
    userIds: ['alice', 'bob'],
    users: [{ userId: 'alice' }, { userId: 'bob' }],
  });
  await bots.joinChannels(token, 'helper', { botUserid: 'helper', channelUrls: ['support-1'] });
  const topic = { channelType: 'open_channels', channelUrl: 'lobby', metadata: { topic: 'news' } };
  await metadata.createChannelMetadata(token, 'open_channels', 'lobby', topic);
  const queue = { channelType: 'group_channels', channelUrl: 'support-1', metadata: { queue: 'first' } };
  await metadata.createChannelMetadata(token, 'group_channels', 'support-1', queue);
  const spam = { user_id: 'mallory', seconds, description: 'spam' };
  await plain(javascript.ModerationApi, 'ocBanUser', 'lobby', { ocBanUserData: spam });
  const forEver = { agentId: 'alice', seconds: -1, description: '' };
  await moderation.ocBanUser(token, 'lobby', { ...forEver, channelUrl: 'lobby', userId: 'trudy' });
  await moderation.gcBanUser(token, 'support-1', { ...forEver, channelUrl: 'support-1', userId: 'mallory' });
  const loud = { userId: 'bob', description: 'loud' };
  await moderation.ocMuteUser(token, 'lobby', { ...loud, seconds: -1 });
  await moderation.gcMuteUser(token, 'support-1', { ...loud, channelUrl: 'support-1', seconds });
  await settings.updateDefaultChannelInvitationPreference(token, { autoAccept: false });
  const hook = { enabled: true, url: 'https://hooks.acme.example/chat', includeMembers: true };
  await webhook.chooseWhichEventsToSubscribeTo(token, { ...hook, enabledEvents: ['user:ban'] });
  await settings.configureAutoEventMessages(token, { autoEventMessage: { userJoin: { user_join: true } } });
  await settings.setDomainFilter(token, 'support', {
    domainFilter: { domains: ['bad.example'], type: 2, shouldCheckGlobal: false },
    profanityFilter: { keywords: ['bad*', 'dummy'], regexFilters: [], type: 1, shouldCheckGlobal: false },
  });
}

test('takes objects that clients made into state', async () => {
  const there = await application();
  await madeByClients(there);
  await there.declare(`policy: { existing: adopt_equal }\n${manifest}`);
  // Taking an object into state is a change.
  const planned = JSON.parse(await there.run(2, 'plan', 'chat.yaml', '--refresh', '--format', 'json', ...isDone));
  expect(planned).toMatchObject({ requests: [], warnings: [] });
  await there.run(0, 'apply', 'chat.yaml', '--refresh', '--auto-approve');
  await there.run(0, 'plan', 'chat.yaml', '--refresh', ...isDone);
  await there.run(0, 'drift', 'chat.yaml', ...isDone);
});

test('exports objects that clients made with the same values', async () => {
  const there = await application();
  await madeByClients(there);
  await there.run(0, 'export', '--out-dir', 'estate', '--read-each');
  const declared = parse(manifest);
  for (const section of ['settings', 'custom_types', 'bots', 'users', 'open_channels', 'group_channels']) {
    const text = await readFile(join(there.cwd, 'estate', `${section}.yaml`), 'utf8');
    expect(comparable(parse(text)[section]), section).toMatchObject(comparable(declared[section]));
  }
  for (const args of [['plan'], ['plan', '--refresh'], ['drift']]) await there.run(0, ...args, 'estate', ...isDone);
});

/** Ends are given to the second, and an empty entry is an empty line. */
function comparable(value: unknown): Record<string, unknown> {
  const text = JSON.stringify(value, (key, inner) =>
    key === 'until' ? near(Date.parse(String(inner))) : (inner ?? {}),
  );
  return JSON.parse(text);
}
