// The counts over the group channels of one user that the vendor's file 1.0.27 has (platform §12).

import { ApiError } from '../api/errors.ts';
import type { Json } from '../api/request.ts';
import type { Call } from '../call/call.ts';
import { unreadMentions, unreadMessages } from '../call/unread-counts.ts';
import { matchesState } from './group-channel-lists.ts';

const STATES = ['all', 'joined_only', 'invited_only', 'invited_by_friend', 'invited_by_non_friend'] as const;
const SIZES = ['', 'super_', 'non_super_'] as const;
const ITEMS = ['unread_message_count', 'unread_mention_count', 'invitation_count'] as const;
const ITEM_KEYS: readonly string[] = ITEMS.flatMap((item) => SIZES.map((size) => `${size}group_channel_${item}`));

export function countGroupChannels(call: Call): Json {
  const { userId } = call.user(call.path('user_id'));
  const state = call.query.choice('state', STATES);
  let count = 0;
  for (const url of call.state.channelsOf(userId)) {
    const member = call.state.members(url).get(userId);
    if (member !== undefined && matchesState(state, member)) count++;
  }
  return { group_channel_count: count };
}

export function countUnreadItems(call: Call): Json {
  const { state, query } = call;
  const { userId } = call.user(call.path('user_id'));
  const keys = query.strings('item_keys') ?? ITEM_KEYS;
  if (keys.some((key) => !ITEM_KEYS.includes(key))) throw new ApiError('invalidValue', 'item_keys');
  const customType = query.filled('custom_type');
  const counts = new Map<string, number>();
  for (const url of state.channelsOf(userId)) {
    const channel = state.groupChannels.get(url);
    const member = state.members(url).get(userId);
    if (channel === undefined || member === undefined) continue;
    if (customType !== undefined && channel.customType !== customType) continue;
    const isInvited = member.state === 'invited';
    const ofItem: Record<(typeof ITEMS)[number], number> = {
      unread_message_count: isInvited ? 0 : unreadMessages(call, url, member),
      unread_mention_count: isInvited ? 0 : unreadMentions(call, url, member),
      invitation_count: isInvited ? 1 : 0,
    };
    for (const item of ITEMS) {
      for (const size of ['', channel.super ? 'super_' : 'non_super_']) {
        const key = `${size}group_channel_${item}`;
        counts.set(key, (counts.get(key) ?? 0) + ofItem[item]);
      }
    }
  }
  return Object.fromEntries(keys.map((key) => [key, counts.get(key) ?? 0]));
}
