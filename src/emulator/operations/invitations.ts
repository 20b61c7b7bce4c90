// The invited users of create and invite: their ids, their member states, and the limits on members.

import { ApiError } from '../api/errors.ts';
import type { Call } from '../call/call.ts';
import { firstTimes } from '../call/history.ts';
import { Params } from '../fields/params.ts';
import type { GroupChannelRecord, HiddenStatus, InvitationStatus, MemberRecord } from '../stored/records.ts';

export const MAX_INVITED = 100;
const GROUP_MEMBERS = 100;
const SUPERGROUP_MEMBERS = 2000;
const CHANNELS_OF_ONE_USER = 2000;
const INVITATION = new Set<unknown>(['joined', 'invited_by_friend', 'invited_by_non_friend']);
const HIDDEN = new Set<unknown>(['unhidden', 'hidden_allow_auto_unhide', 'hidden_prevent_auto_unhide']);

/** The distinct ids in `user_ids` and `users`. At least one of the two fields is required (base, POST /group_channels). */
export function readInvitees(call: Call): readonly string[] {
  const { body } = call;
  const ids = body.strings('user_ids', MAX_INVITED);
  const users = body
    .list('users', MAX_INVITED)
    ?.map((user, place) => Params.nested(user, `users[${place}]`).requiredString('user_id'));
  if (ids === undefined && users === undefined) throw new ApiError('missing', 'user_ids');
  const all = [...new Set([...(ids ?? []), ...(users ?? [])])];
  if (all.length === 0) throw new ApiError('invalidValue', 'user_ids');
  if (all.length > MAX_INVITED) throw new ApiError('tooManyItems', 'user_ids');
  return all;
}

export function readInviter(call: Call): string | null {
  const inviter = call.body.string('inviter_id');
  return inviter === undefined || inviter === '' ? null : call.activeUser(inviter).userId;
}

export function newMembers(
  call: Call,
  channel: Pick<GroupChannelRecord, 'customType'> & Partial<Pick<GroupChannelRecord, 'url'>>,
  userIds: readonly string[],
  inviter: string | null,
): readonly MemberRecord[] {
  const invitation = readStatuses<InvitationStatus>(call, 'invitation_status', INVITATION);
  const hidden = readStatuses<HiddenStatus>(call, 'hidden_status', HIDDEN);
  return userIds.map((userId) => {
    const state = invitation.get(userId) ?? 'joined';
    // With auto_accept off, the invitation waits for the user even if the request says joined (platform §5.7).
    const status = state === 'joined' && !call.user(userId).autoAccept ? 'invited_by_non_friend' : state;
    return {
      userId,
      state: status === 'joined' ? 'joined' : 'invited',
      invitation: status,
      hidden: hidden.get(userId) ?? 'unhidden',
      inviter,
      joinedAt: status === 'joined' ? call.nowSeconds : 0,
      invitedAt: call.nowMs,
      ...firstTimes(call, channel, status === 'joined'),
    };
  });
}

/** Tolerates statuses of ids that are not invited, as the live service does (platform §5.7), but they must be valid. */
function readStatuses<T extends string>(call: Call, field: string, allowed: ReadonlySet<unknown>): Map<string, T> {
  const statuses = new Map<string, T>();
  const isStatus = (value: unknown): value is T => allowed.has(value);
  for (const [userId, status] of call.body.object(field) ?? []) {
    if (!isStatus(status)) throw new ApiError('invalidValue', field);
    statuses.set(userId, status);
  }
  return statuses;
}

/** The users whose invitation is not declined by itself, because they are in too many channels (behaviours.md, joinLimit). */
export function withRoom({ state, behaviours }: Call, userIds: readonly string[]): readonly string[] {
  if (behaviours.joinLimit === 'refused') return userIds;
  return userIds.filter((id) => state.channelsOf(id).size < CHANNELS_OF_ONE_USER);
}

/** 100 members in a group channel, 2,000 in a supergroup (base, Other limits); 2,000 channels a user (platform §5.7). */
export function checkRoom(
  call: Call,
  channel: Pick<GroupChannelRecord, 'super'>,
  members: number,
  added: readonly string[],
): void {
  const max = channel.super ? SUPERGROUP_MEMBERS : GROUP_MEMBERS;
  if (members + added.length > max) throw new ApiError('unacceptable', `The channel has room for ${max} members.`);
  for (const userId of added) {
    if (call.state.channelsOf(userId).size >= CHANNELS_OF_ONE_USER) {
      throw new ApiError('unacceptable', `${userId} is in ${CHANNELS_OF_ONE_USER} channels.`);
    }
  }
}
