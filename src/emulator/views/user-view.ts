// The wire form of a user (base, User response; platform §4.1).

import type { JsonObject } from '../api/request.ts';
import type { UserRecord } from '../stored/records.ts';

/** The answer of create, with `is_created` and `phone_number`. */
export function createdUserView(user: UserRecord): JsonObject {
  return { ...userView(user), is_created: true, phone_number: '' };
}

export function userView(user: UserRecord): JsonObject {
  return {
    user_id: user.userId,
    nickname: user.nickname,
    profile_url: user.profileUrl,
    access_token: user.accessToken,
    is_online: false,
    is_active: user.active,
    require_auth_for_profile_image: false,
    session_tokens: user.sessions.map(({ token, expiresAt }) => ({ session_token: token, expires_at: expiresAt })),
    last_seen_at: -1,
    discovery_keys: user.discoveryKeys,
    preferred_languages: user.preferredLanguages,
    has_ever_logged_in: false,
    metadata: user.metadata,
    created_at: user.createdAt,
    locale: '',
    is_hide_me_from_friends: false,
    is_shadow_blocked: false,
  };
}

/** The short form in channels and operator lists. */
export function basicUserView(user: UserRecord): JsonObject {
  return {
    user_id: user.userId,
    nickname: user.nickname,
    profile_url: user.profileUrl,
    metadata: user.metadata,
    require_auth_for_profile_image: false,
  };
}
