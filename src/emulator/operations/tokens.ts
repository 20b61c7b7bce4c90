// The calls on session tokens: issue, revoke (base, Authentication; platform §4.2).

import { ApiError } from '../api/errors.ts';
import type { Json } from '../api/request.ts';
import type { Call } from '../call/call.ts';
import type { SessionToken } from '../stored/records.ts';

const LIFETIME_MS = 604_800_000;

export function issueSessionToken(call: Call): Json {
  const user = call.person(call.path('user_id'));
  const session = newSession(call, readExpiry(call, 'expires_at'));
  call.commit([{ type: 'user.put', user: { ...user, sessions: [...user.sessions, session] } }]);
  return { token: session.token, expires_at: session.expiresAt };
}

export function revokeSessionTokens(call: Call): Json {
  const user = call.user(call.path('user_id'));
  call.commit([{ type: 'user.put', user: { ...user, sessions: [] } }]);
  return {};
}

/** Milliseconds in 13 digits (base, User). Refuses a past time, which includes every time in seconds. */
export function readExpiry(call: Call, field: string): number {
  const expiresAt = call.body.integer(field);
  if (expiresAt === undefined) return call.nowMs + LIFETIME_MS;
  if (expiresAt <= call.nowMs || String(expiresAt).length !== 13) throw new ApiError('invalidValue', field);
  return expiresAt;
}

/** Three parts joined by dots, as a JWT looks (platform §4.2). */
export function newSession(call: Call, expiresAt: number): SessionToken {
  const header = Buffer.from('{"alg":"none"}').toString('base64url');
  const claims = Buffer.from(JSON.stringify({ exp: Math.floor(expiresAt / 1000) })).toString('base64url');
  return { token: `${header}.${claims}.${call.draw()}`, expiresAt };
}
