// The events that the platform documents for the changes of one request, as the bodies of their calls (platform §13.7).

import type { Behaviours } from '../api/behaviours.ts';
import type { JsonObject } from '../api/request.ts';
import { unreadMessages } from '../call/unread-counts.ts';
import type { RecordChange, RecordPair } from '../stored/changes.ts';
import type { ChannelRecord, GroupChannelRecord, MemberRecord, MessageRecord, UserRecord } from '../stored/records.ts';
import type { State } from '../stored/state.ts';
import { channelPart, memberParts, messagePart, shortChannelPart, totalUnread, userPart } from './parts.ts';

export interface EventContext {
  /** After the changes. */
  readonly state: State;
  readonly behaviours: Behaviours;
  readonly nowMs: number;
  /** "METHOD template" of the request. */
  readonly route: string;
  readonly includesMembers: boolean;
}

/** The body of an event without the id of the application. */
export interface Event {
  readonly category: string;
  readonly body: JsonObject;
}

const INVITE = 'POST /group_channels/{channel_url}/invite';
const UPDATE_MESSAGE = /^PUT \/(?:open|group)_channels\/\{channel_url\}\/messages\/\{message_id\}$/u;
const DECLINE = 'PUT /group_channels/{channel_url}/decline';
const LEAVE = new Set([
  'PUT /group_channels/{channel_url}/leave',
  'PUT /users/{user_id}/my_group_channels/leave',
  'DELETE /bots/{bot_userid}/channels',
  'DELETE /bots/{bot_userid}/channels/{channel_url}',
]);
const MARK_AS_READ = new Set([
  'PUT /group_channels/{channel_url}/messages/mark_as_read',
  'PUT /users/{user_id}/mark_as_read_all',
]);

export function eventsOf(changes: readonly RecordChange[], context: EventContext): readonly Event[] {
  const created = new Set(
    changes.flatMap((change) =>
      change.type === 'channel' && change.pair.before === undefined ? [change.pair.after?.url] : [],
    ),
  );
  return changes.flatMap((change) => eventsOfChange(change, created, context));
}

function eventsOfChange(
  change: RecordChange,
  created: ReadonlySet<string | undefined>,
  context: EventContext,
): readonly Event[] {
  switch (change.type) {
    case 'user':
      return blockEvents(change.pair, context);
    case 'channel':
      return channelEvents(change.pair, context);
    case 'members': {
      const channel = context.state.groupChannels.get(change.url);
      return channel === undefined ? [] : memberEvents(channel, change.pairs, created.has(channel.url), context);
    }
    case 'messages': {
      const channel = context.state.channel(change.url);
      return channel === undefined ? [] : change.pairs.flatMap((pair) => messageEvents(channel, pair, context));
    }
  }
}

function blockEvents({ before, after }: RecordPair<UserRecord>, { state }: EventContext): readonly Event[] {
  const [former, blocked] = [before?.blocked ?? [], after?.blocked ?? []];
  if (former === blocked || after === undefined) return [];
  const event = (name: string, target: string): Event => ({
    category: `user:${name}`,
    body: { [`${name}er`]: userPart(state, after.userId), [`${name}ee`]: userPart(state, target) },
  });
  return [
    ...blocked.filter((id) => !former.includes(id)).map((id) => event('block', id)),
    ...former.filter((id) => !blocked.includes(id)).map((id) => event('unblock', id)),
  ];
}

function channelEvents({ before, after }: RecordPair<ChannelRecord>, context: EventContext): readonly Event[] {
  const { state, nowMs } = context;
  if (after === undefined) {
    if (before === undefined) return [];
    const body = { removed_at: nowMs, channel: channelPart(before) };
    return [{ category: `${before.kind}_channel:remove`, body }];
  }
  if (after.kind === 'open') {
    if (before !== undefined) return [];
    const operators = after.operators.map((id) => userPart(state, id));
    return [{ category: 'open_channel:create', body: { created_at: nowMs, operators, channel: channelPart(after) } }];
  }
  const event = (name: string, body: JsonObject): Event => groupEvent(name, after, body, context);
  if (before?.kind !== 'group') {
    const inviter = after.createdBy === null ? null : userPart(state, after.createdBy);
    return [event('create', { created_at: nowMs, inviter })];
  }
  const changes = changed(before, after, [
    ['name', 'name'],
    ['cover_url', 'coverUrl'],
    ['custom_type', 'customType'],
    ['data', 'data'],
    ['access_code', 'accessCode'],
  ]);
  const isFrozenAnew = before.frozen !== after.frozen;
  return [
    ...(changes.length === 0 ? [] : [event('changed', { changed_at: nowMs, changes })]),
    ...(isFrozenAnew ? [event('freeze_unfreeze', { channel: { ...channelPart(after), freeze: after.frozen } })] : []),
  ];
}

function memberEvents(
  channel: GroupChannelRecord,
  pairs: readonly RecordPair<MemberRecord>[],
  isCreation: boolean,
  context: EventContext,
): readonly Event[] {
  const { state, behaviours, nowMs, route } = context;
  const users = (members: readonly MemberRecord[]) => members.map(({ userId }) => userPart(state, userId));
  const event = (name: string, body: JsonObject): Event => groupEvent(name, channel, body, context);
  const gone = pairs.flatMap(({ before, after }) => (before !== undefined && after === undefined ? before : []));
  if (gone.length > 0) {
    if (route === DECLINE) return [event('decline_invite', { declined_invite_at: nowMs, users: users(gone) })];
    return LEAVE.has(route) ? [event('leave', { left_at: nowMs, users: users(gone) })] : [];
  }
  const present = pairs.flatMap(({ before, after }) => (after === undefined ? [] : { before, after }));
  const invited = present.flatMap(({ before, after }) => (before === undefined ? after : []));
  const joined = present.flatMap(({ before, after }) =>
    after.state === 'joined' && before?.state !== 'joined' ? after : [],
  );
  const read = MARK_AS_READ.has(route) ? present.map(({ after }) => after) : [];
  const [first] = invited;
  const joins = joined.length === 0 ? [] : behaviours.joinEvents === 'together' ? [joined] : joined.map((one) => [one]);
  return [
    // Users of a creation are announced by joins alone.
    ...(first !== undefined && route === INVITE && !isCreation
      ? [
          event('invite', {
            invited_at: nowMs,
            inviter: first.inviter === null ? null : userPart(state, first.inviter),
            invitees: users(invited),
          }),
        ]
      : []),
    ...joins.map((members) => event('join', { joined_at: nowMs, users: users(members) })),
    ...read.flatMap((member) => readEvent(channel, member, context)),
  ];
}

/** Documented for a user who has no more unread messages. */
function readEvent(channel: GroupChannelRecord, member: MemberRecord, context: EventContext): readonly Event[] {
  const { state } = context;
  if (unreadMessages({ state }, channel.url, member) > 0) return [];
  const update = {
    user_id: member.userId,
    read_ts: member.readTs,
    channel_unread_message_count: 0,
    total_unread_message_count: totalUnread(state, member.userId),
  };
  return [groupEvent('message_read', channel, { read_updates: [update] }, context)];
}

function messageEvents(
  channel: ChannelRecord,
  pair: RecordPair<MessageRecord>,
  context: EventContext,
): readonly Event[] {
  const { before, after: message } = pair;
  if (message === undefined) return [];
  if (before === undefined) return isAnnounced(message, context) ? [sendEvent(channel, message, context)] : [];
  // The bodies of the other events are known for group channels alone.
  if (channel.kind === 'open') return [];
  const { state, route, nowMs } = context;
  const event = (name: string, body: JsonObject): Event =>
    groupEvent(name, channel, { ...body, channel: shortChannelPart(channel) }, context);
  const about = { custom_type: message.customType, type: message.type, payload: messagePart(message) };
  const sender = message.userId === null ? {} : { sender: userPart(state, message.userId) };
  if (message.removed && !before.removed) return [event('message_delete', { ...sender, ...about })];
  if (UPDATE_MESSAGE.test(route)) {
    const changes = changed(before, message, [
      ['message', 'text'],
      ['data', 'data'],
      ['custom_type', 'customType'],
    ]);
    return [event('message_update', { ...sender, ...about, changes, sdk: 'API' })];
  }
  return reactionsChanged(before, message).map(({ name, reaction, userId }) =>
    event(name, { reaction, ts: nowMs, user: userPart(state, userId), message: messagePart(message) }),
  );
}

/** Whether the platform sends an event for a new message of this kind. */
function isAnnounced({ type, arrivedAt }: MessageRecord, { behaviours }: EventContext): boolean {
  if (arrivedAt !== undefined && behaviours.migrationEvents === 'absent') return false;
  return type !== 'ADMM' || behaviours.adminMessageEvents === 'sent';
}

function sendEvent(channel: ChannelRecord, message: MessageRecord, context: EventContext): Event {
  const { state } = context;
  const body = {
    ...(message.userId === null ? {} : { sender: userPart(state, message.userId) }),
    silent: message.silent,
    custom_type: message.customType,
    mention_type: message.mentionType,
    mentioned_users: message.mentioned.map((id) => userPart(state, id)),
    type: message.type,
    payload: messagePart(message),
    channel: shortChannelPart(channel),
    sdk: 'API',
  };
  if (channel.kind === 'group') return groupEvent('message_send', channel, body, context);
  return { category: 'open_channel:message_send', body };
}

function reactionsChanged(before: MessageRecord, after: MessageRecord) {
  const listed = ({ reactions = [] }: MessageRecord) =>
    reactions.flatMap(({ key, userIds }) => userIds.map((userId) => ({ reaction: key, userId })));
  const isIn = (list: ReturnType<typeof listed>, { reaction, userId }: { reaction: string; userId: string }) =>
    list.some((other) => other.reaction === reaction && other.userId === userId);
  const [former, present] = [listed(before), listed(after)];
  return [
    ...present.filter((one) => !isIn(former, one)).map((one) => ({ ...one, name: 'reaction_add' })),
    ...former.filter((one) => !isIn(present, one)).map((one) => ({ ...one, name: 'reaction_delete' })),
  ];
}

function groupEvent(name: string, channel: GroupChannelRecord, body: JsonObject, context: EventContext): Event {
  const members = context.includesMembers && !channel.super ? { members: memberParts(context.state, channel) } : {};
  return { category: `group_channel:${name}`, body: { channel: channelPart(channel), ...members, ...body } };
}

/** The fields with another value, by their names on the wire. */
function changed<T>(
  before: T,
  after: T,
  fields: readonly (readonly [name: string, field: keyof T & string])[],
): JsonObject[] {
  return fields.flatMap(([key, field]) => {
    const [old, changedTo] = [before[field], after[field]];
    return old === changedTo ? [] : [{ key, old: String(old), new: String(changedTo) }];
  });
}
