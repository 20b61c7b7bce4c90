// The calls on membership: invite, join, leave, accept, decline (platform §5.3, platform §5.7).

import { ApiError } from '../api/errors.ts';
import type { Json } from '../api/request.ts';
import type { Call } from '../call/call.ts';
import { firstTimes, offsetAtAcceptance } from '../call/history.ts';
import type { Effect } from '../stored/effects.ts';
import type { GroupChannelRecord, MemberRecord } from '../stored/records.ts';
import { groupChannelView, WITH_MEMBERS } from '../views/channel-view.ts';
import { basicUserView } from '../views/user-view.ts';
import { memberRemoval, membersChanged } from './departures.ts';
import { checkRoom, MAX_INVITED, newMembers, readInvitees, readInviter, withRoom } from './invitations.ts';
import { checkNotBanned } from './restrictions.ts';

const LEAVE_REASONS = new Set([
  'admin_removed',
  'admin_deleted',
  'admin_deactivated',
  'left_by_own_choice',
  'channel_operator_removed',
]);

export function inviteMembers(call: Call): Json {
  const channel = call.groupChannel();
  const inviter = readInviter(call);
  const userIds = readInvitees(call);
  for (const id of userIds) checkNotBanned(call, channel, call.activeUser(id).userId);
  const known = call.state.members(channel.url);
  const outside = userIds.filter((id) => !known.has(id));
  if (outside.length < userIds.length && call.behaviours.inviteOfMember === 'refused') {
    throw new ApiError('alreadyExists', 'user_id');
  }
  const added = withRoom(call, outside);
  const members = newMembers(call, channel, added, inviter);
  checkRoom(call, channel, known.size, added);
  if (added.length > 0) call.commit([{ type: 'members.put', url: channel.url, members }, ...membersChanged(channel)]);
  return {
    ...answer(call),
    invited_at: call.nowMs,
    ...(inviter === null ? {} : { inviter: basicUserView(call.user(inviter)) }),
  };
}

export function joinChannel(call: Call): Json {
  const channel = call.groupChannel();
  const { userId } = call.activeUser(call.body.requiredString('user_id'));
  // Bots have calls of their own to join and leave.
  call.person(userId);
  if (!channel.public) throw new ApiError('notAuthorized', "Can't join to non-public channel.");
  checkNotBanned(call, channel, userId);
  checkAccessCode(call, channel);
  const members = call.state.members(channel.url);
  const member = members.get(userId);
  if (member?.state === 'joined') return answer(call);
  if (member === undefined) checkRoom(call, channel, members.size, [userId]);
  putMember(call, channel, joined(call, channel, userId, member), member === undefined ? membersChanged(channel) : []);
  return answer(call);
}

export function leaveChannel(call: Call): Json {
  const { body, state } = call;
  const channel = call.groupChannel();
  const reason = body.string('reason');
  if (reason !== undefined && !LEAVE_REASONS.has(reason.toLowerCase())) throw new ApiError('invalidValue', 'reason');
  const members = state.members(channel.url);
  const named = body.boolean('should_leave_all') ? [...members.keys()] : body.strings('user_ids', MAX_INVITED);
  if (named === undefined) throw new ApiError('missing', 'user_ids');
  const leaving = [...new Set(named)];
  if (!body.boolean('should_leave_all')) for (const id of leaving) call.person(id);
  for (const id of leaving) {
    // The documentation excludes deactivated users (platform §5.3).
    if (!call.user(id).active) throw new ApiError('deactivatedUser', id);
    if (!members.has(id) && call.behaviours.leaveOfNonMember === 'refused') throw new ApiError('notFound', 'Member');
    const { leaveOfInvitee } = call.behaviours;
    if (members.get(id)?.state === 'invited' && leaveOfInvitee !== 'withdraws')
      throw leaveOfInvitee === 'invalid'
        ? new ApiError('invalidValue', 'user_ids')
        : new ApiError('notFound', 'Member');
  }
  const gone = leaving.filter((id) => members.has(id));
  const effects: Effect[] = gone.length > 0 ? [...memberRemoval(channel, gone)] : [];
  if (body.boolean('should_remove_operator_status')) {
    const operators = channel.operators.filter((id) => !gone.includes(id));
    effects.push({ type: 'channel.put', channel: { ...channel, distinct: false, operators } });
  }
  call.commit(effects);
  return {};
}

/** Changes nothing for a user who has already joined (platform §5.3). */
export function acceptInvitation(call: Call): Json {
  const channel = call.groupChannel();
  const member = namedMember(call, channel);
  checkAccessCode(call, channel);
  if (member.state === 'invited') putMember(call, channel, joined(call, channel, member.userId, member), []);
  return answer(call);
}

export function declineInvitation(call: Call): Json {
  const channel = call.groupChannel();
  const member = namedMember(call, channel);
  if (member.state === 'invited') call.commit(memberRemoval(channel, [member.userId]));
  return {};
}

/** The member named by the body's `user_id`. */
export function namedMember(call: Call, channel: GroupChannelRecord): MemberRecord {
  const { userId } = call.activeUser(call.body.requiredString('user_id'));
  const member = call.state.members(channel.url).get(userId);
  if (member === undefined) throw new ApiError('notFound', 'Member');
  return member;
}

function joined(
  call: Call,
  channel: GroupChannelRecord,
  userId: string,
  member: MemberRecord | undefined,
): MemberRecord {
  const first = firstTimes(call, channel, true);
  return {
    userId,
    state: 'joined',
    invitation: 'joined',
    hidden: member?.hidden ?? 'unhidden',
    inviter: member?.inviter ?? null,
    joinedAt: call.nowSeconds,
    invitedAt: member?.invitedAt ?? 0,
    readTs: member?.readTs ?? first.readTs,
    offsetTs: member === undefined ? first.offsetTs : offsetAtAcceptance(call, channel, member),
  };
}

function checkAccessCode(call: Call, channel: GroupChannelRecord): void {
  const code = call.body.string('access_code') ?? '';
  if (channel.accessCode !== '' && code !== channel.accessCode) {
    throw new ApiError('notAuthorized', 'The access code is wrong.');
  }
}

function putMember(call: Call, channel: GroupChannelRecord, member: MemberRecord, more: readonly Effect[]): void {
  call.commit([{ type: 'members.put', url: channel.url, members: [member] }, ...more]);
}

function answer(call: Call) {
  return groupChannelView(call, call.groupChannel(), WITH_MEMBERS);
}
