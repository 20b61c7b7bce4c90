// The calls on members: list, hide, unhide, reset history, mark as read (platform §5.3, platform §5.6, platform §6).

import { ApiError } from '../api/errors.ts';
import type { Json } from '../api/request.ts';
import type { Call } from '../call/call.ts';
import { takeSortedPage } from '../call/paging.ts';
import type { Effect } from '../stored/effects.ts';
import type { HiddenStatus, MemberRecord } from '../stored/records.ts';
import { memberView } from '../views/channel-view.ts';
import { matchesState } from './group-channel-lists.ts';
import { namedMember } from './membership.ts';

/** Skips deactivated members unless requested (platform §5.6). */
export function listMembers(call: Call): Json {
  const { query, state } = call;
  const channel = call.groupChannel();
  const operatorsFirst = query.choice('order', ['member_nickname_alphabetical', 'operator_then_member_alphabetical']);
  const operators = query.choice('operator_filter', ['all', 'operator', 'nonoperator']);
  const memberState = query.choice('member_state_filter', [
    'all',
    'invited_only',
    'joined_only',
    'invited_by_friend',
    'invited_by_non_friend',
  ]);
  const muted = query.choice('muted_member_filter', ['all', 'muted', 'unmuted']);
  const active = query.choice('member_active_mode_filter', ['activated', 'deactivated', 'all']);
  if (active === 'all' && call.behaviours.memberActiveModeAll === 'refused') {
    throw new ApiError('invalidValue', 'member_active_mode_filter');
  }
  const prefix = query.filled('nickname_startswith');
  const showReadReceipt = query.boolean('show_read_receipt', false);
  const showDeliveryReceipt = query.boolean('show_delivery_receipt', false);
  const rows = [...state.members(channel.url).values()].flatMap((member) => {
    const user = state.users.get(member.userId);
    if (user === undefined) return [];
    const mute = state.restrictions.mute.current(channel.url, user.userId, call.nowMs);
    const isOperator = channel.operators.includes(user.userId);
    const shown =
      (active === 'all' || user.active === (active === 'activated')) &&
      (operators === 'all' || isOperator === (operators === 'operator')) &&
      (prefix === undefined || user.nickname.startsWith(prefix)) &&
      (muted === 'all' || (mute !== undefined) === (muted === 'muted')) &&
      matchesState(memberState, member);
    return shown ? [{ user, member, isOperator, mute }] : [];
  });
  const { items, next } = takeSortedPage(call, `members:${channel.url}`, rows, ({ user, isOperator }) => {
    const group = operatorsFirst === 'operator_then_member_alphabetical' && isOperator ? '0' : '1';
    return `${group}${user.nickname}\0${user.userId}`;
  });
  return {
    members: items.map(({ user, member, mute }) => ({
      ...memberView(channel, user, member, mute),
      ...(showReadReceipt ? { read_ts: member.readTs } : {}),
      ...(showDeliveryReceipt ? { delivered_ts: member.readTs } : {}),
    })),
    next,
  };
}

export function isMember(call: Call): Json {
  const channel = call.groupChannel();
  const { userId } = call.user(call.path('user_id'));
  const member = call.state.members(channel.url).get(userId);
  return { is_member: member !== undefined, state: member?.state ?? 'none' };
}

export function hideChannel(call: Call): Json {
  const { body } = call;
  const channel = call.groupChannel();
  const hidden =
    (body.boolean('allow_auto_unhide') ?? true) ? 'hidden_allow_auto_unhide' : 'hidden_prevent_auto_unhide';
  const resets = body.boolean('hide_previous_messages') ?? false;
  const members = body.boolean('should_hide_all')
    ? [...call.state.members(channel.url).values()]
    : [namedMember(call, channel)];
  put(
    call,
    channel.url,
    members.map((member) => ({ ...member, hidden, offsetTs: resets ? call.nowMs : member.offsetTs })),
  );
  return {};
}

export function unhideChannel(call: Call): Json {
  const { query, state } = call;
  const channel = call.groupChannel();
  const unhidden: HiddenStatus = 'unhidden';
  const members = state.members(channel.url);
  if (query.boolean('should_unhide_all', false)) {
    put(
      call,
      channel.url,
      [...members.values()].map((member) => ({ ...member, hidden: unhidden })),
    );
    return {};
  }
  const userId = query.filled('user_id');
  if (userId === undefined) throw new ApiError('missing', 'user_id');
  const member = members.get(call.activeUser(userId).userId);
  if (member === undefined) throw new ApiError('notFound', 'Member');
  put(call, channel.url, [{ ...member, hidden: unhidden }]);
  return {};
}

export function resetHistory(call: Call): Json {
  const { body, state } = call;
  const channel = call.groupChannel();
  const members = body.boolean('reset_all') ? [...state.members(channel.url).values()] : [namedMember(call, channel)];
  put(
    call,
    channel.url,
    members.map((member) => ({ ...member, offsetTs: call.nowMs })),
  );
  return { ts_message_offset: call.nowMs };
}

export function markAsRead(call: Call): Json {
  const channel = call.groupChannel();
  const member = namedMember(call, channel);
  const readTs = Math.max(member.readTs, call.body.integer('timestamp') ?? call.nowMs);
  put(call, channel.url, [{ ...member, readTs }]);
  return {};
}

/** Applies to all channels of the user, or to those in the body. */
export function markAllAsRead(call: Call): Json {
  const { state, body } = call;
  const { userId } = call.activeUser(call.path('user_id'));
  const named = body.strings('channel_urls');
  const effects: Effect[] = [];
  for (const url of named ?? state.channelsOf(userId)) {
    const member = state.members(url).get(userId);
    if (member === undefined) throw new ApiError('notFound', 'Channel');
    effects.push({ type: 'members.put', url, members: [{ ...member, readTs: call.nowMs }] });
  }
  call.commit(effects);
  return {};
}

function put(call: Call, url: string, members: readonly MemberRecord[]): void {
  if (members.length > 0) call.commit([{ type: 'members.put', url, members }]);
}
