// The calls on users: create, view, list, update, delete (base, POST /users; platform §4).

import { ApiError } from '../api/errors.ts';
import type { Json } from '../api/request.ts';
import type { Call } from '../call/call.ts';
import { readImage } from '../call/images.ts';
import { filtered, oldestOf, takePage } from '../call/paging.ts';
import { unreadCounts } from '../call/unread-counts.ts';
import { checkCount, readMetadata } from '../fields/metadata.ts';
import type { Effect } from '../stored/effects.ts';
import type { SessionToken, UserRecord } from '../stored/records.ts';
import { createdUserView, userView } from '../views/user-view.ts';
import { memberRemoval } from './departures.ts';
import { newSession, readExpiry } from './tokens.ts';

const MAX_USER_ID = 80;
const MAX_NICKNAME = 80;
const MAX_LANGUAGES = 4;
const MAX_LISTED_IDS = 250;

export function createUser(call: Call): Json {
  const { body } = call;
  const userId = body.requiredString('user_id', MAX_USER_ID);
  if (userId === '') throw new ApiError('notAllowedCharacter', 'user_id');
  const nickname = body.requiredString('nickname', MAX_NICKNAME);
  const profileUrl = readImage(call, 'profile_url', 'profile_file');
  if (profileUrl === undefined && call.behaviours.profileImage === 'required')
    throw new ApiError('missing', 'profile_url');
  const metadata = checkCount(readMetadata(body, call.behaviours) ?? {});
  const discoveryKeys = body.strings('discovery_keys') ?? [];
  const preferredLanguages = body.strings('preferred_languages', MAX_LANGUAGES) ?? [];
  const accessToken = body.boolean('issue_access_token') ? call.draw() : '';
  const sessions = readSession(call);
  if (call.state.users.get(userId) !== undefined) throw new ApiError('alreadyExists', 'user_id');
  const user: UserRecord = {
    seq: call.nextSeq(),
    userId,
    nickname,
    profileUrl: profileUrl ?? '',
    accessToken,
    active: true,
    createdAt: call.nowSeconds,
    metadata,
    discoveryKeys,
    preferredLanguages,
    autoAccept: call.state.application.autoAccept,
    sessions,
  };
  call.commit([{ type: 'user.put', user }]);
  return createdUserView(user);
}

export function viewUser(call: Call): Json {
  const user = call.user(call.path('user_id'));
  if (!user.active && call.behaviours.deactivatedUserRead === 'refused') {
    throw new ApiError('deactivatedUser', user.userId);
  }
  if (!call.query.boolean('include_unread_count', false)) return userView(user);
  return { ...userView(user), ...unreadCounts(call, user.userId) };
}

export function countUnreadMessages(call: Call): Json {
  const { userId } = call.user(call.path('user_id'));
  return { unread_count: unreadCounts(call, userId).unread_message_count ?? 0 };
}

export function countUnreadChannels(call: Call): Json {
  const { userId } = call.user(call.path('user_id'));
  return { unread_count: unreadCounts(call, userId).unread_channel_count ?? 0 };
}

export function listUsers(call: Call): Json {
  const matches = readFilter(call);
  const userIds = call.query.strings('user_ids', MAX_LISTED_IDS);
  const { items, next } = takePage(
    call,
    'users',
    (position) => filtered(oldestOf(call.state.users, userIds, position), matches),
    (user) => String(user.seq),
  );
  return { users: items.map(userView), next };
}

/** The filters of a user list. Deactivated users are skipped unless requested (platform §4.3). */
function readFilter({ query }: Call): (user: UserRecord) => boolean {
  const mode = query.choice('active_mode', ['activated', 'deactivated', 'all']);
  const showBot = query.boolean('show_bot', true);
  const nickname = query.filled('nickname');
  const prefix = query.filled('nickname_startswith');
  const key = query.filled('metadatakey');
  const values = query.strings('metadatavalues_in');
  if ((key === undefined) !== (values === undefined)) {
    throw new ApiError('missingSome', key === undefined ? 'metadatakey' : 'metadatavalues_in');
  }
  return (user) =>
    (showBot || user.bot === undefined) &&
    (mode === 'all' || user.active === (mode === 'activated')) &&
    (nickname === undefined || user.nickname === nickname) &&
    (prefix === undefined || user.nickname.startsWith(prefix)) &&
    (key === undefined || (Object.hasOwn(user.metadata, key) && (values?.includes(user.metadata[key] ?? '') ?? false)));
}

export function updateUser(call: Call): Json {
  const { body, state } = call;
  const old = call.person(call.path('user_id'));
  const active = body.boolean('is_active') ?? old.active;
  const leaveAll = body.boolean('leave_all_when_deactivated') ?? true;
  // Accepted without a visible effect: the answer keeps -1 (platform §4.1).
  body.integer('last_seen_at');
  const user: UserRecord = {
    ...old,
    nickname: body.string('nickname', MAX_NICKNAME) ?? old.nickname,
    profileUrl: readImage(call, 'profile_url', 'profile_file') ?? old.profileUrl,
    discoveryKeys: body.strings('discovery_keys') ?? old.discoveryKeys,
    preferredLanguages: body.strings('preferred_languages', MAX_LANGUAGES) ?? old.preferredLanguages,
    accessToken: body.boolean('issue_access_token') ? call.draw() : old.accessToken,
    sessions: [...old.sessions, ...readSession(call)],
    active,
  };
  const effects: Effect[] = [{ type: 'user.put', user }];
  if (old.active && !active && leaveAll) {
    // "Leaves all joined group channels" (platform §4.4): invitations stay.
    for (const url of state.channelsOf(user.userId)) {
      const channel = state.groupChannels.get(url);
      const joined = state.members(url).get(user.userId)?.state === 'joined';
      if (channel !== undefined && joined) effects.push(...memberRemoval(channel, [user.userId]));
    }
  }
  call.commit(effects);
  return userView(call.user(user.userId));
}

export function deleteUser(call: Call): Json {
  const { userId } = call.person(call.path('user_id'));
  call.commit(deletionOf(call.state, userId));
  return {};
}

/** The effects that delete a user: the memberships end, and messages stay. */
export function deletionOf(state: Call['state'], userId: string): readonly Effect[] {
  const effects: Effect[] = [];
  for (const url of state.channelsOf(userId)) {
    const channel = state.groupChannels.get(url);
    if (channel !== undefined) effects.push(...memberRemoval(channel, [userId]));
  }
  return [...effects, { type: 'user.delete', userId }];
}

/** The deprecated way to a session token (base, User). */
function readSession(call: Call): readonly SessionToken[] {
  const expiresAt = readExpiry(call, 'session_token_expires_at');
  return call.body.boolean('issue_session_token') ? [newSession(call, expiresAt)] : [];
}
