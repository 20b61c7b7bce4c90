// The reads of a channel's messages: list, total count, unread count (platform §6.3).

import { ApiError } from '../api/errors.ts';
import type { Json } from '../api/request.ts';
import type { Call, Operation } from '../call/call.ts';
import { unreadMessages } from '../call/unread-counts.ts';
import type { MessageLog } from '../stored/message-log.ts';
import type { ChannelKind, ChannelRecord, MessageRecord } from '../stored/records.ts';
import { messageView } from '../views/message-view.ts';

const MAX_SIDE = 200;
const DEFAULT_SIDE = 15;

/** Lists messages around an anchor instead of in pages: some before it, those at it, some after it. */
export function listMessages(kind: ChannelKind): Operation {
  return (call) => {
    const { query, state } = call;
    const channel = call.channel(kind);
    checkRetrieval(call);
    const log = state.messages(channel.url);
    const anchor = readAnchor(call, log);
    const prevLimit = query.integerIn('prev_limit', 0, MAX_SIDE, DEFAULT_SIDE);
    const nextLimit = query.integerIn('next_limit', 0, MAX_SIDE, DEFAULT_SIDE);
    const include = query.boolean('include', true);
    const withMetaArray = query.boolean('with_sorted_meta_array', false);
    const withReactions = query.boolean('include_reactions', false);
    const matches = readFilter(call, channel);
    const before: MessageRecord[] = [];
    const at: MessageRecord[] = [];
    const after: MessageRecord[] = [];
    for (const message of older(log, anchor)) {
      if (before.length === prevLimit) break;
      if (matches(message)) before.push(message);
    }
    for (const message of log.from(anchor.ts)) {
      if (isBefore(message, anchor) || !matches(message)) continue;
      if (isAt(message, anchor)) {
        // Messages at the anchor do not count for the limits, so that a client gets past any number of equal times (behaviours.md).
        if (include) at.push(message);
      } else if (after.length === nextLimit) break;
      else after.push(message);
    }
    const messages = [...before.reverse(), ...at, ...after];
    if (query.boolean('reverse', false)) messages.reverse();
    return { messages: messages.map((message) => messageView(state, channel, message, withMetaArray, withReactions)) };
  };
}

export function countMessages(kind: ChannelKind): Operation {
  return (call) => {
    const channel = call.channel(kind);
    checkRetrieval(call);
    const log = call.state.messages(channel.url);
    if (call.behaviours.countedReplies === 'counted') return { total: log.count };
    let total = 0;
    for (const { removed, parent } of log.from(0)) if (!removed && parent === undefined) total += 1;
    return { total };
  };
}

export function countUnread(call: Call): Json {
  const { state } = call;
  const channel = call.groupChannel();
  const members = state.members(channel.url);
  const userIds = call.query.strings('user_ids') ?? [...members.keys()];
  const unread = userIds.map((id) => {
    const member = members.get(id);
    if (member === undefined) throw new ApiError('notFound', 'Member');
    return [id, unreadMessages(call, channel.url, member)] as const;
  });
  return { unread: Object.fromEntries(unread) };
}

/** A time, or one message. With an `id`, only that message of its time is "at" the anchor. */
interface Anchor {
  readonly ts: number;
  readonly id: number | undefined;
}

/** Either field is required. The vendor's client sends both, with 0 for the unused one (platform §6.3). */
function readAnchor({ query }: Call, log: MessageLog): Anchor {
  const ts = query.integer('message_ts');
  const id = query.integer('message_id');
  if (id !== undefined && id !== 0) {
    const message = log.get(id);
    if (message === undefined) throw new ApiError('notFound', 'Message');
    return { ts: message.createdAt, id };
  }
  if (ts === undefined && id === undefined) throw new ApiError('missing', 'message_ts');
  return { ts: ts ?? 0, id: undefined };
}

/** Newest first, from the last message before the anchor. */
function* older(log: MessageLog, anchor: Anchor): Generator<MessageRecord> {
  if (anchor.id !== undefined) {
    const sameTime: MessageRecord[] = [];
    for (const message of log.from(anchor.ts)) {
      if (!isBefore(message, anchor)) break;
      sameTime.push(message);
    }
    yield* sameTime.reverse();
  }
  yield* log.before(anchor.ts);
}

function isBefore(message: MessageRecord, { ts, id }: Anchor): boolean {
  return message.createdAt < ts || (message.createdAt === ts && id !== undefined && message.id < id);
}

function isAt(message: MessageRecord, { ts, id }: Anchor): boolean {
  return id === undefined ? message.createdAt === ts : message.id === id;
}

function readFilter({ query, behaviours }: Call, channel: ChannelRecord): (message: MessageRecord) => boolean {
  const senders = query.strings('sender_ids') ?? query.strings('sender_id');
  const operators = query.choice('operator_filter', ['all', 'operator', 'nonoperator']);
  const type = query.choice('message_type', ['', 'MESG', 'FILE', 'ADMM']);
  // `*`, the default, means all. An empty value means messages without a custom type.
  const customTypes = query.string('custom_types') === '' ? [''] : (query.strings('custom_types') ?? ['*']);
  const includingRemoved = query.boolean('including_removed', false);
  // No reply is stored as also sent to its channel, so ONLY_REPLY_TO_CHANNEL shows none.
  const isAsked = query.choice('include_reply_type', ['NONE', 'ALL', 'ONLY_REPLY_TO_CHANNEL']) === 'ALL';
  const withReplies = isAsked || behaviours.listedReplies === 'always';
  return (message) =>
    (includingRemoved || !message.removed) &&
    (withReplies || message.parent === undefined) &&
    (senders === undefined || (message.userId !== null && senders.includes(message.userId))) &&
    (operators === 'all' || channel.operators.includes(message.userId ?? '') === (operators === 'operator')) &&
    (type === '' || message.type === type) &&
    (customTypes.includes('*') || customTypes.includes(message.customType));
}

/** Reading messages was a paid feature. Its refusal was recorded as 400108 (platform §6.3). */
function checkRetrieval(call: Call): void {
  if (call.behaviours.messageRetrieval === 'off')
    throw new ApiError('notAuthorized', 'Message retrieval is not enabled.');
}
