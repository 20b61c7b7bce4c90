// The wire form of a message (platform §6.2).

import type { JsonObject } from '../api/request.ts';
import type { ChannelRecord, FileRecord, MessageRecord } from '../stored/records.ts';
import type { State } from '../stored/state.ts';
import { basicUserView } from './user-view.ts';

export function messageView(
  state: State,
  channel: ChannelRecord,
  message: MessageRecord,
  withMetaArray = false,
  withReactions = false,
): JsonObject {
  return {
    message_id: message.id,
    type: message.type,
    custom_type: message.customType,
    channel_url: channel.url,
    channel_type: channel.kind === 'open' ? 'open_channels' : 'group_channels',
    ...(message.userId === null ? {} : { user: senderView(state, channel, message.userId) }),
    mention_type: message.mentionType,
    mentioned_users: message.mentioned
      .map((id) => state.users.get(id))
      .filter(isKnown)
      .map(basicUserView),
    is_removed: message.removed,
    message: message.text,
    data: message.data,
    file: message.file === null ? {} : fileView(message.file),
    files: (message.files ?? []).map(fileView),
    translations: {},
    ...(withMetaArray ? { sorted_metaarray: message.metaArray.map(({ key, value }) => ({ key, value })) } : {}),
    message_events: {
      send_push_notification: message.silent ? 'none' : 'receivers',
      update_unread_count: !message.silent,
      update_mention_count: !message.silent,
      update_last_message: true,
    },
    ...(message.parent === undefined ? {} : { parent_message_id: message.parent }),
    thread_info: {},
    reactions: (withReactions ? (message.reactions ?? []) : []).map(({ key, userIds, updatedAt }) => ({
      key,
      user_ids: [...userIds],
      updated_at: updatedAt,
    })),
    silent: message.silent,
    message_survival_seconds: -1,
    message_retention_hour: -1,
    is_op_msg: message.userId !== null && channel.operators.includes(message.userId),
    created_at: message.createdAt,
    updated_at: message.updatedAt,
  };
}

function fileView({ url, name, type, size, data }: FileRecord): JsonObject {
  return { url, name, type, size, data };
}

/** The sender as known now. Only the id remains of a deleted user (behaviours.md, deleted users). */
function senderView(state: State, channel: ChannelRecord, userId: string): JsonObject {
  const user = state.users.get(userId);
  const role = channel.operators.includes(userId) ? 'operator' : '';
  if (user !== undefined) return { ...basicUserView(user), is_active: user.active, role };
  return {
    user_id: userId,
    nickname: '',
    profile_url: '',
    metadata: {},
    require_auth_for_profile_image: false,
    is_active: false,
    role,
  };
}

function isKnown<T>(value: T | undefined): value is T {
  return value !== undefined;
}
