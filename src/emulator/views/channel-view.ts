// The wire form of channels and members (base, Open channel, Group channel, Member; platform §5.2).

import type { Json, JsonObject } from '../api/request.ts';
import type { Call } from '../call/call.ts';
import { unreadMentions, unreadMessages } from '../call/unread-counts.ts';
import type {
  ChannelRecord,
  GroupChannelRecord,
  MemberRecord,
  MessageRecord,
  OpenChannelRecord,
  RestrictionRecord,
  UserRecord,
} from '../stored/records.ts';
import { messageView } from './message-view.ts';
import { memberMute } from './restriction-view.ts';
import { basicUserView } from './user-view.ts';

const SUPERGROUP_PREVIEW = 10;

export interface ChannelParts {
  readonly members: boolean;
  readonly metadata: boolean;
  readonly readReceipt: boolean;
  readonly deliveryReceipt: boolean;
  readonly activeMode: 'all' | 'activated' | 'deactivated';
  readonly operators: boolean;
}

/** The parts in the answers of create, invite, accept and update, which include members (platform §5.2). */
export const WITH_MEMBERS: ChannelParts = {
  members: true,
  metadata: false,
  readReceipt: false,
  deliveryReceipt: false,
  activeMode: 'all',
  operators: true,
};

export function openChannelView(
  call: Call,
  channel: OpenChannelRecord,
  withMetadata = false,
  operators: 'listed' | 'empty' | 'absent' = 'listed',
): JsonObject {
  return {
    ...commonFields(call, channel),
    participant_count: 0,
    is_dynamic_partitioned: channel.dynamicPartitioned,
    ...(operators === 'listed' ? { operators: operatorsOf(call, channel).map(basicUserView) } : {}),
    ...(operators === 'empty' ? { operators: [] } : {}),
    ...(withMetadata ? { metadata: channel.metadata } : {}),
  };
}

/** A channel in the lists of channels where a user is banned or muted (platform §11). */
export function shortChannelView(channel: ChannelRecord): JsonObject {
  return {
    name: channel.name,
    custom_type: channel.customType,
    channel_url: channel.url,
    created_at: channel.createdAt,
    cover_url: channel.coverUrl,
    data: channel.data,
  };
}

export function groupChannelView(call: Call, channel: GroupChannelRecord, parts: ChannelParts): JsonObject {
  const { state } = call;
  const members = state.members(channel.url);
  const creator = channel.createdBy === null ? undefined : state.users.get(channel.createdBy);
  const { migrationLastMessage, silentLastMessage } = call.behaviours;
  const isShown = (message: MessageRecord) =>
    (migrationLastMessage === 'changes' || message.arrivedAt === undefined) &&
    (silentLastMessage === 'changes' || !message.silent);
  const last = state.messages(channel.url).last(isShown);
  let joined = 0;
  let invitedAt = 0;
  let hasBot = false;
  const anyBots = state.bots.size > 0;
  for (const member of members.values()) {
    if (member.state === 'joined') joined++;
    if (anyBots && state.bots.get(member.userId) !== undefined) hasBot = true;
    invitedAt = Math.max(invitedAt, member.invitedAt);
  }
  return {
    ...commonFields(call, channel),
    unread_message_count: 0,
    unread_mention_count: 0,
    is_distinct: channel.distinct,
    is_public: channel.public,
    is_super: channel.super,
    is_access_code_required: channel.accessCode !== '',
    member_count: members.size,
    joined_member_count: joined,
    created_by: creator === undefined ? null : withoutMetadata(basicUserView(creator)),
    ...(parts.members ? { members: memberPreview(call, channel, parts.activeMode) } : {}),
    ...(parts.operators
      ? { operators: operatorsOf(call, channel).map((user) => operatorView(user, members.get(user.userId))) }
      : {}),
    last_message: last === undefined ? null : messageView(state, channel, last),
    ...(call.behaviours.pinsInChannelView === 'shown' ? { pinned_message_ids: [...(channel.pinned ?? [])] } : {}),
    message_survival_seconds: -1,
    invited_at: invitedAt,
    is_broadcast: false,
    is_discoverable: channel.public,
    is_exclusive: false,
    has_bot: hasBot,
    has_ai_bot: false,
    ignore_profanity_filter: false,
    disappearing_message: { message_survival_seconds: -1, is_triggered_by_message_read: false },
    sms_fallback: { wait_seconds: -1, exclude_user_ids: [] },
    ...(parts.metadata ? { metadata: channel.metadata } : {}),
    ...(parts.readReceipt ? { read_receipt: receipts(members) } : {}),
    ...(parts.deliveryReceipt ? { delivery_receipt: receipts(members) } : {}),
    channel: {
      channel_url: channel.url,
      name: channel.name,
      cover_url: channel.coverUrl,
      created_at: channel.createdAt,
      custom_type: channel.customType,
      data: channel.data,
      max_length_message: call.messageLength,
      member_count: members.size,
    },
  };
}

/** The fields that only a user's own view of a channel has (platform §5.2, last row). */
export function personalFields(call: Call, channel: GroupChannelRecord, userId: string): JsonObject {
  const member = call.state.members(channel.url).get(userId);
  const inviter = member?.inviter == null ? undefined : call.state.users.get(member.inviter);
  return {
    is_hidden: member !== undefined && member.hidden !== 'unhidden',
    hidden_state: member?.hidden ?? 'unhidden',
    member_state: member?.state ?? 'none',
    my_role: channel.operators.includes(userId) ? 'operator' : '',
    joined_ts: member?.joinedAt ?? 0,
    is_muted: call.state.restrictions.mute.current(channel.url, userId, call.nowMs) !== undefined,
    is_push_enabled: member?.pushTrigger !== 'off',
    user_last_read: member?.readTs ?? 0,
    count_preference: member?.countPreference ?? 'all',
    push_trigger_option: member?.pushTrigger ?? 'all',
    ts_message_offset: member?.offsetTs ?? 0,
    unread_message_count: member === undefined ? 0 : unreadMessages(call, channel.url, member),
    unread_mention_count: member === undefined ? 0 : unreadMentions(call, channel.url, member),
    ...(inviter === undefined ? {} : { inviter: basicUserView(inviter) }),
  };
}

export function memberView(
  channel: GroupChannelRecord,
  user: UserRecord,
  member: MemberRecord,
  mute: RestrictionRecord | undefined,
): JsonObject {
  return {
    user_id: user.userId,
    nickname: user.nickname,
    profile_url: user.profileUrl,
    is_active: user.active,
    is_online: false,
    last_seen_at: -1,
    state: member.state,
    role: channel.operators.includes(user.userId) ? 'operator' : '',
    metadata: user.metadata,
    require_auth_for_profile_image: false,
    ...memberMute(mute),
    friend_name: null,
    friend_discovery_key: null,
  };
}

function commonFields(call: Call, channel: ChannelRecord): JsonObject {
  return {
    name: channel.name,
    channel_url: channel.url,
    cover_url: channel.coverUrl,
    custom_type: channel.customType,
    data: channel.data,
    is_ephemeral: channel.ephemeral,
    max_length_message: call.messageLength,
    created_at: channel.createdAt,
    freeze: channel.frozen,
  };
}

/** All members of a group channel, or ten of a supergroup (platform §5.2). Live answers begin with the newest (platform §8.1). */
function memberPreview(call: Call, channel: GroupChannelRecord, activeMode: ChannelParts['activeMode']): Json {
  const views: JsonObject[] = [];
  const { restrictions } = call.state;
  const members = [...call.state.members(channel.url).values()];
  if (call.behaviours.memberOrder === 'newest_first') members.reverse();
  for (const member of members) {
    if (channel.super && views.length === SUPERGROUP_PREVIEW) break;
    const user = call.state.users.get(member.userId);
    if (user === undefined) continue;
    if (activeMode === 'all' || user.active === (activeMode === 'activated'))
      views.push(memberView(channel, user, member, restrictions.mute.current(channel.url, user.userId, call.nowMs)));
  }
  return views;
}

function operatorsOf(call: Call, channel: ChannelRecord): readonly UserRecord[] {
  return channel.operators.map((id) => call.state.users.get(id)).filter((user) => user !== undefined);
}

function operatorView(user: UserRecord, member: MemberRecord | undefined): JsonObject {
  return {
    user_id: user.userId,
    nickname: user.nickname,
    profile_url: user.profileUrl,
    is_active: user.active,
    is_online: false,
    last_seen_at: -1,
    state: member?.state ?? '',
    metadata: user.metadata,
    require_auth_for_profile_image: false,
  };
}

function withoutMetadata({ metadata: _, ...rest }: JsonObject): JsonObject {
  return rest;
}

function receipts(members: ReadonlyMap<string, MemberRecord>): JsonObject {
  return Object.fromEntries([...members.values()].map(({ userId, readTs }) => [userId, readTs]));
}
