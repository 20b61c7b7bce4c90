// The wire form of bans and mutes (platform §11).

import type { JsonObject } from '../api/request.ts';
import type { RestrictionRecord, UserRecord } from '../stored/records.ts';
import { basicUserView } from './user-view.ts';

/** The end of a ban. The value for permanent bans is not documented (behaviours.md, permanentBanEnd). */
export function banTimes(ban: RestrictionRecord, permanentEnd: 'ten_years' | 'minus_one'): JsonObject {
  const end = ban.permanent && permanentEnd === 'minus_one' ? -1 : ban.endAt;
  return { start_at: ban.startAt, end_at: end, description: ban.description };
}

export function banView(ban: RestrictionRecord, user: UserRecord, permanentEnd: 'ten_years' | 'minus_one'): JsonObject {
  return { user: basicUserView(user), ...banTimes(ban, permanentEnd) };
}

/** A permanent mute shows -1 as its end and as the remaining time. */
export function muteTimes(mute: RestrictionRecord, nowMs: number): JsonObject {
  return {
    start_at: mute.startAt,
    end_at: mute.permanent ? -1 : mute.endAt,
    remaining_duration: mute.permanent ? -1 : mute.endAt - nowMs,
    description: mute.description,
  };
}

export function muteView(mute: RestrictionRecord, user: UserRecord, nowMs: number): JsonObject {
  return { ...basicUserView(user), ...muteTimes(mute, nowMs) };
}

/** The part of a member, or of a user's own view of a channel. */
export function memberMute(mute: RestrictionRecord | undefined): JsonObject {
  if (mute === undefined) return { is_muted: false, muted_end_at: -1, muted_description: '' };
  return { is_muted: true, muted_end_at: mute.permanent ? -1 : mute.endAt, muted_description: mute.description };
}
