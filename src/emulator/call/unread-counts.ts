// Counts the messages that a member has not read (platform §4.2 include_unread_count, platform §6.3).

import type { JsonObject } from '../api/request.ts';
import type { MemberRecord } from '../stored/records.ts';
import type { Call } from './call.ts';

/** Messages of others after the read receipt. Silent messages do not count. */
export function unreadMessages(call: Pick<Call, 'state'>, url: string, member: MemberRecord): number {
  let unread = 0;
  for (const message of call.state.messages(url).from(Math.max(member.readTs, member.offsetTs) + 1)) {
    if (!message.removed && !message.silent && message.userId !== member.userId) unread++;
  }
  return unread;
}

export function unreadMentions(call: Pick<Call, 'state'>, url: string, member: MemberRecord): number {
  let unread = 0;
  for (const message of call.state.messages(url).from(Math.max(member.readTs, member.offsetTs) + 1)) {
    if (!message.removed && message.mentioned.includes(member.userId)) unread++;
  }
  return unread;
}

/** The two unread counts of a user, over the channels that the query's `custom_types` and `super_mode` select. */
export function unreadCounts(call: Call, userId: string): JsonObject {
  const customTypes = call.query.strings('custom_types');
  const superMode = call.query.choice('super_mode', ['all', 'super', 'nonsuper']);
  let channels = 0;
  let messages = 0;
  for (const url of call.state.channelsOf(userId)) {
    const channel = call.state.groupChannels.get(url);
    const member = call.state.members(url).get(userId);
    if (channel === undefined || member === undefined) continue;
    if (customTypes !== undefined && !customTypes.includes(channel.customType)) continue;
    if (superMode !== 'all' && channel.super !== (superMode === 'super')) continue;
    const unread = unreadMessages(call, url, member);
    messages += unread;
    if (unread > 0) channels++;
  }
  return { unread_channel_count: channels, unread_message_count: messages };
}
