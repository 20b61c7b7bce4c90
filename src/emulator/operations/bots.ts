// The calls on bots: create, list, view, update, delete, join and leave channels (platform §9.2).

import { ApiError } from '../api/errors.ts';
import type { Json, JsonObject } from '../api/request.ts';
import type { Call } from '../call/call.ts';
import { checkDomain } from '../call/domains.ts';
import { firstTimes } from '../call/history.ts';
import { oldestOf, takePage } from '../call/paging.ts';
import { isWebUrl } from '../fields/urls.ts';
import type { Effect } from '../stored/effects.ts';
import type { BotRecord, GroupChannelRecord, UserRecord } from '../stored/records.ts';
import { type BotUser, botView, datedBotView } from '../views/bot-view.ts';
import { groupChannelView, WITH_MEMBERS } from '../views/channel-view.ts';
import { memberRemoval, membersChanged } from './departures.ts';
import { checkRoom } from './invitations.ts';
import { checkNotBanned } from './restrictions.ts';

const MAX_USER_ID = 80;
const MAX_NICKNAME = 80;
const MAX_PROFILE_URL = 2048;
const MAX_TYPE = 128;
const MAX_CALLBACK_URL = 1024;

export function createBot(call: Call): Json {
  const { body } = call;
  const userId = body.requiredString('bot_userid', MAX_USER_ID);
  if (userId === '') throw new ApiError('notAllowedCharacter', 'bot_userid');
  const ai = readAi(call);
  const bot: BotRecord = {
    type: body.requiredString('bot_type', MAX_TYPE),
    callbackUrl: readCallback(call, ai === undefined) ?? '',
    ...(ai === undefined ? {} : { ai }),
    privacyMode: body.requiredBoolean('is_privacy_mode'),
    marksAsRead: body.boolean('enable_mark_as_read') ?? true,
    showsMembers: body.boolean('show_member') ?? false,
    token: call.draw(),
  };
  const user: BotUser = {
    seq: call.nextSeq(),
    userId,
    nickname: body.requiredString('bot_nickname', MAX_NICKNAME),
    profileUrl: checkImage(call, body.requiredString('bot_profile_url', MAX_PROFILE_URL)),
    accessToken: '',
    active: true,
    createdAt: call.nowSeconds,
    metadata: {},
    discoveryKeys: [],
    preferredLanguages: [],
    autoAccept: readAutoAccept(call) ?? true,
    sessions: [],
    bot,
  };
  // Bots and users share a name space (platform §9.1).
  if (call.state.users.get(userId) !== undefined) throw new ApiError('alreadyExists', 'bot_userid');
  call.commit([{ type: 'user.put', user }]);
  return datedBotView(user);
}

export function listBots(call: Call): Json {
  const { items, next } = takePage(
    call,
    'bots',
    (position) => oldestOf(call.state.bots, undefined, position),
    ({ seq }) => String(seq),
  );
  return { bots: items.filter(isBot).map(datedBotView), next };
}

export function viewBot(call: Call): Json {
  return botView(namedBot(call));
}

/** The type cannot be updated (platform §9.1). */
export function updateBot(call: Call): Json {
  const { body } = call;
  const old = namedBot(call);
  const ai = readAi(call);
  const image = body.string('bot_profile_url', MAX_PROFILE_URL);
  const user: BotUser = {
    ...old,
    nickname: body.string('bot_nickname', MAX_NICKNAME) ?? old.nickname,
    profileUrl: image === undefined ? old.profileUrl : checkImage(call, image),
    autoAccept: readAutoAccept(call) ?? old.autoAccept,
    bot: {
      ...old.bot,
      callbackUrl: readCallback(call, false) ?? old.bot.callbackUrl,
      ...(ai === undefined ? {} : { ai }),
      privacyMode: body.boolean('is_privacy_mode') ?? old.bot.privacyMode,
      marksAsRead: body.boolean('enable_mark_as_read') ?? old.bot.marksAsRead,
      showsMembers: body.boolean('show_member') ?? old.bot.showsMembers,
    },
  };
  call.commit([{ type: 'user.put', user }]);
  return botView(user);
}

export function deleteBot(call: Call): Json {
  const { userId } = namedBot(call);
  call.commit([...departures(call, userId, call.state.channelsOf(userId)), { type: 'user.delete', userId }]);
  return {};
}

/** Group channels only. A channel that already has the bot stays as it is. */
export function joinChannels(call: Call): Json {
  const { state } = call;
  const bot = namedBot(call);
  const urls = [...new Set(call.body.requiredStrings('channel_urls'))];
  if (urls.length === 0) throw new ApiError('invalidValue', 'channel_urls');
  const channels = urls.map((url) => namedChannel(call, url));
  const effects: Effect[] = [];
  for (const channel of channels) {
    const members = state.members(channel.url);
    const member = members.get(bot.userId);
    if (member?.state === 'joined') continue;
    checkNotBanned(call, channel, bot.userId);
    if (member === undefined) checkRoom(call, channel, members.size, [bot.userId]);
    effects.push({ type: 'members.put', url: channel.url, members: [joined(call, channel, bot)] });
    // An invited bot is already a member, so the members stay the same.
    if (member === undefined) effects.push(...membersChanged(channel));
  }
  call.commit(effects);
  return { channels: channels.map(({ url }) => groupChannelView(call, namedChannel(call, url), WITH_MEMBERS)) };
}

export function leaveChannelAsBot(call: Call): Json {
  const { userId } = namedBot(call);
  leave(call, userId, call.path('channel_url'));
  return {};
}

/** All channels, or the one in `channel_url`, which an older client sends. */
export function leaveChannelsAsBot(call: Call): Json {
  const { userId } = namedBot(call);
  const url = call.query.filled('channel_url');
  if (url === undefined) call.commit(departures(call, userId, call.state.channelsOf(userId)));
  else leave(call, userId, url);
  return {};
}

function leave(call: Call, userId: string, url: string): void {
  const channel = namedChannel(call, url);
  if (call.state.members(url).has(userId)) call.commit(memberRemoval(channel, [userId]));
  else if (call.behaviours.leaveOfNonMember === 'refused') throw new ApiError('notFound', 'Member');
}

function departures(call: Call, userId: string, urls: Iterable<string>): readonly Effect[] {
  return [...urls].flatMap((url) => {
    const channel = call.state.groupChannels.get(url);
    return channel === undefined ? [] : memberRemoval(channel, [userId]);
  });
}

function joined(call: Call, channel: GroupChannelRecord, { userId }: UserRecord) {
  return {
    userId,
    state: 'joined',
    invitation: 'joined',
    hidden: 'unhidden',
    inviter: null,
    joinedAt: call.nowSeconds,
    invitedAt: call.nowMs,
    ...firstTimes(call, channel, true),
  } as const;
}

export function namedBot(call: Call): BotUser {
  const user = call.state.bots.get(call.path('bot_userid'));
  if (user === undefined || !isBot(user)) throw new ApiError('notFound', 'Bot');
  return user;
}

export function namedChannel(call: Call, url: string): GroupChannelRecord {
  const channel = call.state.groupChannels.get(url);
  if (channel === undefined) throw new ApiError('notFound', 'Channel');
  return channel;
}

function isBot(user: UserRecord): user is BotUser {
  return user.bot !== undefined;
}

function checkImage(call: Call, url: string): string {
  checkDomain(call, url);
  return url;
}

function readCallback({ body }: Call, isRequired: boolean): string | undefined {
  const url = isRequired
    ? body.requiredString('bot_callback_url', MAX_CALLBACK_URL)
    : body.string('bot_callback_url', MAX_CALLBACK_URL);
  if (url !== undefined && !isWebUrl(url)) throw new ApiError('invalidValue', 'bot_callback_url');
  return url;
}

/** Kept as it is sent (platform §9.3). A platform that only shows it ignores the field. */
function readAi({ body, behaviours }: Call): JsonObject | undefined {
  const ai = behaviours.botAi === 'readable' ? undefined : body.object('ai');
  return ai === undefined ? undefined : (Object.fromEntries(ai) as JsonObject);
}

/** 0: the bot joins when invited. 1: it waits until it accepts. */
function readAutoAccept(call: Call): boolean | undefined {
  const preference = call.body.integer('channel_invitation_preference');
  if (preference === undefined) return undefined;
  if (preference > 1) throw new ApiError('invalidValue', 'channel_invitation_preference');
  return preference === 0;
}
