// The calls on single messages: send, view, update, delete (platform §6.2).

import { ApiError } from '../api/errors.ts';
import type { Json, JsonObject } from '../api/request.ts';
import type { Call, Operation } from '../call/call.ts';
import type { Effect } from '../stored/effects.ts';
import type { ChannelKind, ChannelRecord, MemberRecord, MessageRecord } from '../stored/records.ts';
import { messageView } from '../views/message-view.ts';
import { namedBot, namedChannel } from './bots.ts';
import { readContent, readText, readType, unhidden } from './message-fields.ts';
import { isRestricted } from './restrictions.ts';

const MAX_CUSTOM_TYPE = 128;

export function sendMessage(kind: ChannelKind): Operation {
  return (call) => {
    const { body } = call;
    const channel = call.channel(kind);
    const type = readType(body);
    const userId = type === 'ADMM' ? (body.string('user_id') ?? null) : body.requiredString('user_id');
    if (userId !== null) checkSender(call, channel, userId, type);
    return store(call, channel, type, type === 'ADMM' ? null : userId);
  };
}

/** A bot writes in group channels that it is in (platform §9.2). */
export function sendBotMessage(call: Call): Json {
  const { userId } = namedBot(call);
  const channel = namedChannel(call, call.body.requiredString('channel_url'));
  const type = readType(call.body);
  if (type === 'ADMM') throw new ApiError('invalidValue', 'message_type');
  checkSender(call, channel, userId, type);
  return { message: store(call, channel, type, userId) };
}

function store(call: Call, channel: ChannelRecord, type: MessageRecord['type'], userId: string | null): JsonObject {
  const { body, state } = call;
  const parent = readParent(call, channel, type);
  const createdAt = readTime(call, parent !== undefined);
  const message: MessageRecord = {
    id: state.application.lastMessageId + 1,
    userId,
    ...readContent(call, body, type),
    createdAt,
    updatedAt: 0,
    removed: false,
    ...(parent === undefined ? {} : { parent }),
  };
  if (channel.kind === 'open' && message.files !== undefined) throw new ApiError('invalidValue', 'files');
  checkDedupId(call, channel, message.dedupId);
  const markAsRead = body.boolean('mark_as_read') ?? false;
  const stored: Effect[] = [{ type: 'messages.put', url: channel.url, messages: [message] }];
  call.commit([
    // An ephemeral channel stores no messages (base, is_ephemeral).
    ...(channel.ephemeral ? [] : stored),
    ...memberEffects(call, channel, message, markAsRead),
  ]);
  return messageView(state, channel, message, true);
}

/** No source says whether a reply takes `created_at`, as other messages do (behaviours.md, replyTime). */
function readTime({ body, nowMs, behaviours }: Call, isReply: boolean): number {
  const time = body.integer('created_at');
  if (time === undefined) return nowMs;
  if (isReply && behaviours.replyTime === 'refused') throw new ApiError('invalidValue', 'created_at');
  return isReply && behaviours.replyTime === 'ignored' ? nowMs : time;
}

/** Pages disagree on admin messages in threads, and none says what a reply to a reply is (behaviours.md, replyToAdmin, replyDepth). */
function readParent(call: Call, channel: ChannelRecord, type: MessageRecord['type']): number | undefined {
  const { body, behaviours, state } = call;
  const id = body.integer('parent_message_id');
  if (id === undefined) return undefined;
  const message = state.messages(channel.url).get(id);
  if (message === undefined || message.removed) throw new ApiError('notFound', 'Message');
  const hasAdmin = type === 'ADMM' || message.type === 'ADMM';
  const isDeep = message.parent !== undefined;
  if ((hasAdmin && behaviours.replyToAdmin === 'refused') || (isDeep && behaviours.replyDepth === 'refused'))
    throw new ApiError('invalidValue', 'parent_message_id');
  return behaviours.replyDepth === 'attached' ? (message.parent ?? id) : id;
}

export function viewMessage(kind: ChannelKind): Operation {
  return (call) => {
    const channel = call.channel(kind);
    const withMetaArray = call.query.boolean('with_sorted_meta_array', false);
    return messageView(call.state, channel, namedMessage(call, channel), withMetaArray);
  };
}

export function updateMessage(kind: ChannelKind): Operation {
  return (call) => {
    const { body, state } = call;
    const channel = call.channel(kind);
    checkFrozen(channel);
    const old = namedMessage(call, channel);
    if (readType(body) !== old.type) throw new ApiError('invalidValue', 'message_type');
    const data = body.string('data');
    const message: MessageRecord = {
      ...old,
      text: body.has('message') ? readText(call, body) : old.text,
      data: data ?? old.data,
      file: old.file === null || data === undefined ? old.file : { ...old.file, data },
      customType: body.string('custom_type', MAX_CUSTOM_TYPE) ?? old.customType,
      mentioned: body.strings('mentioned_user_ids') ?? old.mentioned,
      updatedAt: call.nowMs,
    };
    call.commit([{ type: 'messages.put', url: channel.url, messages: [message] }]);
    return messageView(state, channel, message, true);
  };
}

export function deleteMessage(kind: ChannelKind): Operation {
  return (call) => {
    const channel = call.channel(kind);
    checkFrozen(channel);
    const message = { ...namedMessage(call, channel), removed: true };
    const effects: Effect[] = [{ type: 'messages.put', url: channel.url, messages: [message] }];
    if (channel.kind === 'group' && channel.pinned?.includes(message.id) === true) {
      const pinned = channel.pinned.filter((id) => id !== message.id);
      effects.push({ type: 'channel.put', channel: { ...channel, pinned } });
    }
    call.commit(effects);
    return {};
  };
}

/** Documented only for sending, which is refused, and not for updates and deletions (platform §6.2). */
export function checkFrozen(channel: ChannelRecord): void {
  if (channel.frozen) throw new ApiError('frozenChannel', channel.url);
}

export function namedMessage(call: Call, channel: ChannelRecord): MessageRecord {
  const message = call.state.messages(channel.url).get(Number(call.path('message_id')));
  if (message === undefined || message.removed) throw new ApiError('notFound', 'Message');
  return message;
}

/** Active members who are not muted, and in a frozen channel operators (platform §2, 400700 and 9000xx; platform §5.3). */
function checkSender(call: Call, channel: ChannelRecord, userId: string, type: MessageRecord['type']): void {
  if (!call.user(userId).active) throw new ApiError('sendNotAllowed', 'The sender is deactivated.');
  if (type === 'ADMM') return;
  const isOperator = channel.operators.includes(userId);
  const joined = call.state.members(channel.url).get(userId)?.state === 'joined';
  if (isRestricted(call, channel, 'ban', userId)) throw new ApiError('bannedSender', userId);
  if (channel.kind === 'group' && !joined) throw new ApiError('notAMember', userId);
  if (isRestricted(call, channel, 'mute', userId)) throw new ApiError('mutedSender', userId);
  if (channel.frozen && !isOperator && call.behaviours.messageIntoFrozen === 'refused')
    throw new ApiError('frozenChannel', channel.url);
}

/** A known id is refused, because no other response could refer to the message. */
function checkDedupId(call: Call, channel: ChannelRecord, dedupId: string): void {
  const { behaviours, state } = call;
  if (dedupId === '' || behaviours.dedup === 'ignore') return;
  const scope = behaviours.dedupScope === 'channel' ? channel.url : undefined;
  if (state.knowsDedupId(dedupId, scope)) throw new ApiError('alreadyExists', 'dedup_id');
}

function memberEffects(
  call: Call,
  channel: ChannelRecord,
  message: MessageRecord,
  markAsRead: boolean,
): readonly Effect[] {
  if (channel.kind === 'open') return [];
  const after = (member: MemberRecord): MemberRecord => {
    if (member.userId !== message.userId) return message.silent ? member : unhidden(member);
    const readTs = markAsRead ? call.nowMs : member.readTs;
    // A member who hid the channel for good and then writes in it makes it reappear (platform §5.4).
    const hidden = member.hidden === 'unhidden' ? 'unhidden' : 'hidden_allow_auto_unhide';
    return { ...member, hidden, readTs };
  };
  const members = [...call.state.members(channel.url).values()];
  const changed = members.map(after).filter((member, place) => {
    const old = members[place];
    return member.hidden !== old?.hidden || member.readTs !== old.readTs;
  });
  return changed.length === 0 ? [] : [{ type: 'members.put', url: channel.url, members: changed }];
}
