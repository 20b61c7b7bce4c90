// The calls on bans and mutes in both kinds of channel: impose, list, view, change, lift (platform §11).

import { ApiError } from '../api/errors.ts';
import type { JsonObject } from '../api/request.ts';
import type { Call, Operation } from '../call/call.ts';
import { takeSortedPage } from '../call/paging.ts';
import type { Params } from '../fields/params.ts';
import type { RestrictionKind } from '../stored/effects.ts';
import type { ChannelKind, ChannelRecord, RestrictionRecord } from '../stored/records.ts';
import { openChannelView, shortChannelView } from '../views/channel-view.ts';
import { banTimes, banView, muteTimes, muteView } from '../views/restriction-view.ts';
import { memberRemoval } from './departures.ts';

const MAX_DESCRIPTION: Readonly<Record<RestrictionKind, number>> = { ban: 250, mute: 2048 };
const FOR_EVER = -1;
const TEN_YEARS_MS = 10 * 365 * 24 * 3_600_000;

export interface RestrictionOperations {
  readonly impose: Operation;
  readonly list: Operation;
  readonly view: Operation;
  readonly lift: Operation;
}

/** Removes a member from the channel. A banned user need not be a member but must not be an operator. */
export function banOperations(kind: ChannelKind): RestrictionOperations & { readonly update: Operation } {
  return {
    impose: (call) => {
      const channel = call.channel(kind);
      const user = call.activeUser(call.body.requiredString('user_id'));
      const agent = call.body.string('agent_id');
      if (agent !== undefined) call.user(agent);
      const ban = readRestriction(call.body, 'ban', user.userId, call.nowMs);
      checkNewlyRestricted(call, channel.url, 'ban', user.userId);
      if (channel.operators.includes(user.userId)) {
        throw new ApiError('notAuthorized', 'An operator cannot be banned.');
      }
      const isMember = channel.kind === 'group' && call.state.members(channel.url).has(user.userId);
      call.commit([
        { type: 'restriction.put', kind: 'ban', url: channel.url, restriction: ban },
        ...(isMember ? memberRemoval(channel, [user.userId]) : []),
      ]);
      return banView(ban, user, call.behaviours.permanentBanEnd);
    },
    list: (call) => listRestrictions(call, call.channel(kind).url, 'ban'),
    view: (call) => {
      const { restriction, user } = namedBan(call, call.channel(kind));
      return banView(restriction, user, call.behaviours.permanentBanEnd);
    },
    update: (call) => {
      const channel = call.channel(kind);
      const { restriction, user } = namedBan(call, channel);
      if (!call.body.has('seconds')) throw new ApiError('missing', 'seconds');
      const from = call.behaviours.banUpdate === 'from_start' ? restriction.startAt : call.nowMs;
      const read = readRestriction(call.body, 'ban', user.userId, from, restriction.description);
      const ban = { ...read, startAt: restriction.startAt };
      call.commit([{ type: 'restriction.put', kind: 'ban', url: channel.url, restriction: ban }]);
      return banView(ban, user, call.behaviours.permanentBanEnd);
    },
    lift: (call) => lift(call, call.channel(kind).url, 'ban', call.path('user_id')),
  };
}

/** Leaves a member in the channel. There is no update (behaviours.md, muteOfMuted). */
export function muteOperations(kind: ChannelKind): RestrictionOperations {
  return {
    impose: (call) => {
      const channel = call.channel(kind);
      const user = call.activeUser(call.body.requiredString('user_id'));
      const mute = readRestriction(call.body, 'mute', user.userId, call.nowMs);
      checkNewlyRestricted(call, channel.url, 'mute', user.userId);
      const outsider = channel.kind === 'group' && !call.state.members(channel.url).has(user.userId);
      if (outsider) throw new ApiError('notFound', 'Member');
      call.commit([{ type: 'restriction.put', kind: 'mute', url: channel.url, restriction: mute }]);
      return channel.kind === 'open' ? openChannelView(call, channel) : {};
    },
    list: (call) => listRestrictions(call, call.channel(kind).url, 'mute'),
    view: (call) => {
      const channel = call.channel(kind);
      const { userId } = call.user(call.path('user_id'));
      const mute = call.state.restrictions.mute.current(channel.url, userId, call.nowMs);
      if (mute !== undefined) return { is_muted: true, ...muteTimes(mute, call.nowMs) };
      return { is_muted: false, remaining_duration: 0, start_at: 0, end_at: 0, description: '' };
    },
    lift: (call) => lift(call, call.channel(kind).url, 'mute', call.path('user_id')),
  };
}

export function listBannedChannels(call: Call) {
  const { items, next } = channelsOf(call, 'ban');
  return {
    banned_channels: items.map(({ channel, restriction }) => ({
      ...banTimes(restriction, call.behaviours.permanentBanEnd),
      channel: shortChannelView(channel),
    })),
    next,
  };
}

export function listMutedChannels(call: Call) {
  const { items, next } = channelsOf(call, 'mute');
  return {
    muted_channels: items.map(({ channel, restriction }) => ({
      ...shortChannelView(channel),
      ...muteTimes(restriction, call.nowMs),
    })),
    next,
  };
}

/** Checks a user who enters by a join, an invitation or a bot's own call. */
export function checkNotBanned(call: Call, channel: ChannelRecord, userId: string): void {
  if (isRestricted(call, channel, 'ban', userId)) throw new ApiError('bannedUser', userId);
}

/** Whether a ban or mute of the channel or of its custom type counts now. */
export function isRestricted(call: Call, channel: ChannelRecord, kind: RestrictionKind, userId: string): boolean {
  const places = [channel.url, ...(channel.customType === '' ? [] : [placeOfType(channel.customType)])];
  return places.some((place) => call.state.restrictions[kind].current(place, userId, call.nowMs) !== undefined);
}

/** Where the bans and mutes of a custom type are stored. No channel has such a URL. */
export function placeOfType(customType: string): string {
  return `custom_type:${customType}`;
}

/** `startAt` is when the seconds begin to count. */
export function readRestriction(
  body: Params,
  kind: RestrictionKind,
  userId: string,
  startAt: number,
  description = '',
): RestrictionRecord {
  const seconds = body.signedInteger('seconds') ?? FOR_EVER;
  if (seconds !== FOR_EVER && seconds < 1) throw new ApiError('invalidValue', 'seconds');
  const permanent = seconds === FOR_EVER;
  return {
    userId,
    startAt,
    endAt: startAt + (permanent ? TEN_YEARS_MS : seconds * 1000),
    permanent,
    description: body.string('description', MAX_DESCRIPTION[kind]) ?? description,
  };
}

export function lift(call: Call, url: string, kind: RestrictionKind, id: string): JsonObject {
  const { userId } = call.user(id);
  if (call.state.restrictions[kind].current(url, userId, call.nowMs) === undefined) {
    if (call.behaviours.liftOfNothing === 'refused') throw new ApiError('notFound', kind === 'ban' ? 'Ban' : 'Mute');
    return {};
  }
  call.commit([{ type: 'restriction.delete', kind, url, userId }]);
  return {};
}

/** The effect of a second ban or mute is not documented (behaviours.md, banOfBanned and muteOfMuted). */
export function checkNewlyRestricted(call: Call, url: string, kind: RestrictionKind, userId: string): void {
  const reading = kind === 'ban' ? call.behaviours.banOfBanned : call.behaviours.muteOfMuted;
  const isKnown = call.state.restrictions[kind].current(url, userId, call.nowMs) !== undefined;
  if (reading === 'refused' && isKnown) throw new ApiError('alreadyExists', 'user_id');
}

function namedBan(call: Call, channel: ChannelRecord) {
  const user = call.user(call.path('user_id'));
  const restriction = call.state.restrictions.ban.current(channel.url, user.userId, call.nowMs);
  if (restriction === undefined) throw new ApiError('notFound', 'Ban');
  return { restriction, user };
}

/** In order of their start. Ended ones are skipped. */
export function listRestrictions(call: Call, url: string, kind: RestrictionKind): JsonObject {
  const current = [...call.state.restrictions[kind].of(url).values()]
    .filter(({ endAt }) => endAt > call.nowMs)
    .flatMap((restriction) => {
      const user = call.state.users.get(restriction.userId);
      return user === undefined ? [] : [{ restriction, user }];
    });
  const { items, next } = takeSortedPage(call, `${kind}:${url}`, current, ({ restriction }) => {
    return `${String(restriction.startAt).padStart(16, '0')}${restriction.userId}`;
  });
  const counted = call.query.boolean(`show_total_${kind}_count`, false);
  return {
    [kind === 'ban' ? 'banned_list' : 'muted_list']: items.map(({ restriction, user }) =>
      kind === 'ban'
        ? banView(restriction, user, call.behaviours.permanentBanEnd)
        : muteView(restriction, user, call.nowMs),
    ),
    ...(counted ? { [`total_${kind}_count`]: current.length } : {}),
    next,
  };
}

/** The channels where the user of the path is banned or muted now, by URL. */
function channelsOf(call: Call, kind: RestrictionKind) {
  const { userId } = call.user(call.path('user_id'));
  const found = [...call.state.restrictions[kind].urlsOf(userId)].flatMap((url) => {
    const channel = call.state.channel(url);
    const restriction = call.state.restrictions[kind].current(url, userId, call.nowMs);
    return channel === undefined || restriction === undefined ? [] : [{ channel, restriction }];
  });
  return takeSortedPage(call, `${kind} of ${userId}`, found, ({ channel }) => channel.url);
}
