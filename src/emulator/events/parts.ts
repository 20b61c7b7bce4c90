// The parts that the bodies of several events have in common (platform §13.7).

import type { JsonObject } from '../api/request.ts';
import { unreadMentions, unreadMessages } from '../call/unread-counts.ts';
import type { ChannelRecord, GroupChannelRecord, MessageRecord, UserRecord } from '../stored/records.ts';
import type { State } from '../stored/state.ts';

/** The id of the emulated application. */
export const APP_ID = '00000000-0000-0000-0000-000000000000';

/** A user, or the id alone of one who was deleted. */
export function userPart(state: State, userId: string): JsonObject {
  const { nickname = '', profileUrl = '', metadata = {} }: Partial<UserRecord> = state.users.get(userId) ?? {};
  return { user_id: userId, nickname, profile_url: profileUrl, metadata };
}

/** The channel in events about channels and members. */
export function channelPart(channel: ChannelRecord): JsonObject {
  const group = channel.kind === 'group' ? channel : undefined;
  return {
    ...shortChannelPart(channel),
    is_distinct: group?.distinct ?? false,
    is_public: group?.public ?? false,
    is_super: group?.super ?? false,
    is_ephemeral: channel.ephemeral,
    is_discoverable: group?.public ?? false,
  };
}

/** The channel in events about messages. */
export function shortChannelPart({ name, url, customType, data }: ChannelRecord): JsonObject {
  return { name, channel_url: url, custom_type: customType, data };
}

export function messagePart({ id, customType, createdAt, text, data, file }: MessageRecord): JsonObject {
  return {
    message_id: id,
    custom_type: customType,
    created_at: createdAt,
    data,
    ...(file === null ? { message: text, translations: {} } : { url: file.url }),
  };
}

/** All members. A supergroup never has them in an event. */
export function memberParts(state: State, channel: GroupChannelRecord): readonly JsonObject[] {
  return [...state.members(channel.url).values()].flatMap((member) => {
    const user = state.users.get(member.userId);
    if (user === undefined) return [];
    const unread = unreadMessages({ state }, channel.url, member);
    const total = totalUnread(state, user.userId);
    return {
      ...userPart(state, user.userId),
      is_active: user.active,
      is_online: false,
      is_hidden: member.hidden === 'unhidden' ? 0 : 1,
      state: member.state,
      unread_message_count: total,
      total_unread_message_count: total,
      channel_unread_message_count: unread,
      channel_mention_count: unreadMentions({ state }, channel.url, member),
      push_enabled: member.pushTrigger !== 'off',
      push_trigger_option: member.pushTrigger ?? 'default',
      do_not_disturb: user.push?.do_not_disturb ?? false,
    };
  });
}

export function totalUnread(state: State, userId: string): number {
  let unread = 0;
  for (const url of state.channelsOf(userId)) {
    const member = state.members(url).get(userId);
    if (member !== undefined) unread += unreadMessages({ state }, url, member);
  }
  return unread;
}
