// The two lists of group channels: all of the application, and those of one user (platform §4.6, platform §5.3).

import type { Json } from '../api/request.ts';
import type { Call } from '../call/call.ts';
import { filtered, newestFirst, newestOf, type Page, takePage, takeSortedPage } from '../call/paging.ts';
import { unreadMessages } from '../call/unread-counts.ts';
import type { GroupChannelRecord, MemberRecord } from '../stored/records.ts';
import { groupChannelView, personalFields } from '../views/channel-view.ts';
import { type ChannelFilter, readChannelFilter } from './channel-filter.ts';
import { readChannelParts } from './group-channels.ts';

const ORDERS = [
  'chronological',
  'latest_last_message',
  'channel_name_alphabetical',
  'metadata_value_alphabetical',
] as const;

export function listGroupChannels(call: Call): Json {
  const matches = readChannelFilter(call);
  const parts = readChannelParts(call);
  const urls = call.query.strings('channel_urls');
  const order = call.query.choice('order', ORDERS);
  // In order of creation every page costs the same. The other orders sort the whole list.
  const page =
    order === 'chronological'
      ? takePage(
          call,
          'group_channels',
          (position) => filtered(newestOf(call.state.groupChannels, urls, position), matches),
          (channel) => String(channel.seq),
        )
      : sorted(call, 'group_channels', newestOf(call.state.groupChannels, urls, undefined), matches, order);
  return {
    channels: page.items.map((channel) => groupChannelView(call, channel, parts)),
    next: page.next,
    ts: call.nowMs,
  };
}

export function listMyGroupChannels(call: Call): Json {
  const { state, query } = call;
  const { userId } = call.user(call.path('user_id'));
  const matches = readChannelFilter(call);
  const matchesMember = readMemberFilter(call);
  const parts = readChannelParts(call);
  const urls = query.strings('channel_urls');
  const order = query.choice('order', ORDERS);
  const mine: GroupChannelRecord[] = [];
  for (const url of state.channelsOf(userId)) {
    const channel = state.groupChannels.get(url);
    const member = state.members(url).get(userId);
    if (channel === undefined || member === undefined || (urls !== undefined && !urls.includes(url))) continue;
    if (matchesMember(channel, member)) mine.push(channel);
  }
  const page = sorted(call, `my_group_channels:${userId}`, mine, matches, order);
  return {
    channels: page.items.map((channel) => ({
      ...groupChannelView(call, channel, parts),
      ...personalFields(call, channel, userId),
    })),
    next: page.next,
    ts: call.nowMs,
  };
}

function sorted(
  call: Call,
  listing: string,
  channels: Iterable<GroupChannelRecord>,
  matches: ChannelFilter,
  order: (typeof ORDERS)[number],
): Page<GroupChannelRecord> {
  const metadataKey = call.query.filled('metadata_order_key') ?? '';
  return takeSortedPage(call, listing, filtered(channels, matches), (channel) => {
    const age = newestFirst(channel.seq);
    switch (order) {
      case 'chronological':
        return age;
      case 'latest_last_message':
        return `${newestFirst(call.state.messages(channel.url).last()?.createdAt ?? 0)}${age}`;
      case 'channel_name_alphabetical':
        return `${channel.name}\0${age}`;
      case 'metadata_value_alphabetical':
        return `${Object.hasOwn(channel.metadata, metadataKey) ? channel.metadata[metadataKey] : ''}\0${age}`;
    }
  });
}

/** The filters on the user's own membership. Hidden channels are skipped unless requested (platform §4.6). */
function readMemberFilter(call: Call): (channel: GroupChannelRecord, member: MemberRecord) => boolean {
  const { query } = call;
  const hidden = query.choice('hidden_mode', [
    'unhidden_only',
    'hidden_only',
    'hidden_allow_auto_unhide',
    'hidden_prevent_auto_unhide',
    'all',
  ]);
  const state = query.choice('member_state_filter', [
    'all',
    'invited_only',
    'joined_only',
    'invited_by_friend',
    'invited_by_non_friend',
  ]);
  const unread = query.choice('unread_filter', ['all', 'unread_message']);
  return (channel, member) =>
    (hidden === 'all' ||
      (hidden === 'unhidden_only' && member.hidden === 'unhidden') ||
      (hidden === 'hidden_only' && member.hidden !== 'unhidden') ||
      hidden === member.hidden) &&
    matchesState(state, member) &&
    (unread === 'all' || unreadMessages(call, channel.url, member) > 0);
}

export function matchesState(filter: string, member: MemberRecord): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'joined_only':
      return member.state === 'joined';
    case 'invited_only':
      return member.state === 'invited';
    default:
      return member.state === 'invited' && member.invitation === filter;
  }
}
