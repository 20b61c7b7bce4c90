// Reactions to messages and pinned messages of group channels (platform §6.2).

import { ApiError } from '../api/errors.ts';
import type { Json } from '../api/request.ts';
import type { Call } from '../call/call.ts';
import { checkFrozen, namedMessage } from '../operations/messages.ts';
import type { GroupChannelRecord, MessageRecord, Reaction } from '../stored/records.ts';

const MAX_KEY = 192;
const MAX_KEYS = 20;
const MAX_PINS = 10;

/** Adding an existing reaction and removing a missing one are answered with `success: false`. */
export function addReaction(call: Call): Json {
  const { body } = call;
  const reaction = body.requiredString('reaction', MAX_KEY);
  return change(call, body.requiredString('user_id'), reaction, 'ADD', (known) => {
    const users = known.find(({ key }) => key === reaction)?.userIds ?? [];
    if (users.length === 0 && known.length >= MAX_KEYS) throw new ApiError('tooManyItems', 'reactions');
    return users;
  });
}

export function removeReaction(call: Call): Json {
  const reaction = call.query.string('reaction');
  const userId = call.query.string('user_id');
  if (userId === undefined) throw new ApiError('missing', 'user_id');
  if (reaction === undefined) throw new ApiError('missing', 'reaction');
  return change(call, userId, reaction, 'DELETE', (known) => known.find(({ key }) => key === reaction)?.userIds ?? []);
}

/** The users by key. */
export function listReactions(call: Call): Json {
  const { reactions = [] } = namedMessage(call, call.groupChannel());
  return Object.fromEntries(reactions.map(({ key, userIds }) => [key, [...userIds]]));
}

function change(
  call: Call,
  userId: string,
  reaction: string,
  operation: 'ADD' | 'DELETE',
  usersOf: (known: readonly Reaction[]) => readonly string[],
): Json {
  const channel = call.groupChannel();
  checkFrozen(channel);
  const message = namedMessage(call, channel);
  checkReactor(call, channel, userId);
  const known = message.reactions ?? [];
  const before = usersOf(known);
  const isAdded = operation === 'ADD';
  const answer = { user_id: userId, operation, reaction, msg_id: message.id };
  if (before.includes(userId) === isAdded) return { ...answer, success: false };
  const userIds = isAdded ? [...before, userId] : before.filter((id) => id !== userId);
  const others = known.filter(({ key }) => key !== reaction);
  const reactions = userIds.length === 0 ? others : [...others, { key: reaction, userIds, updatedAt: call.nowMs }];
  put(call, channel, { ...message, reactions });
  return { ...answer, success: true, updated_at: call.nowMs };
}

/** Whether users outside the channel may react is not documented (behaviours.md, reactionOfNonMember). */
function checkReactor(call: Call, channel: GroupChannelRecord, userId: string): void {
  if (!call.user(userId).active) throw new ApiError('deactivatedUser', userId);
  if (call.behaviours.reactionOfNonMember === 'refused' && !call.state.members(channel.url).has(userId)) {
    throw new ApiError('notAMember', userId);
  }
}

/** At most ten per channel. The effect of a second call for a message is not documented (behaviours.md, pinOfPinned). */
export function pinMessage(call: Call): Json {
  const { channel, message, pinned } = pinsOf(call);
  if (pinned.includes(message.id)) {
    if (call.behaviours.pinOfPinned === 'refused') throw new ApiError('alreadyExists', 'pinned_message');
    return {};
  }
  if (pinned.length >= MAX_PINS) throw new ApiError('tooManyItems', 'pinned_messages');
  call.commit([{ type: 'channel.put', channel: { ...channel, pinned: [...pinned, message.id] } }]);
  return {};
}

export function unpinMessage(call: Call): Json {
  const { channel, message, pinned } = pinsOf(call);
  if (!pinned.includes(message.id)) {
    if (call.behaviours.pinOfPinned === 'refused') throw new ApiError('notFound', 'PinnedMessage');
    return {};
  }
  call.commit([{ type: 'channel.put', channel: { ...channel, pinned: pinned.filter((id) => id !== message.id) } }]);
  return {};
}

function pinsOf(call: Call) {
  const channel = call.groupChannel();
  if (channel.super) throw new ApiError('unacceptable', 'Supergroups have no pinned messages.');
  checkFrozen(channel);
  return { channel, message: namedMessage(call, channel), pinned: channel.pinned ?? [] };
}

function put(call: Call, channel: GroupChannelRecord, message: MessageRecord): void {
  call.commit([{ type: 'messages.put', url: channel.url, messages: [message] }]);
}
