// The calls on all channels of one user: leave all, invitation preference (platform §4.2).

import { ApiError } from '../api/errors.ts';
import type { Json } from '../api/request.ts';
import type { Call } from '../call/call.ts';
import type { Effect } from '../stored/effects.ts';
import { memberRemoval } from './departures.ts';

export function leaveMyGroupChannels(call: Call): Json {
  const { state, body } = call;
  const user = call.person(call.path('user_id'));
  if (!user.active) throw new ApiError('deactivatedUser', user.userId);
  const customType = body.string('custom_type');
  const effects: Effect[] = [];
  for (const url of state.channelsOf(user.userId)) {
    const channel = state.groupChannels.get(url);
    if (channel === undefined || (customType !== undefined && channel.customType !== customType)) continue;
    effects.push(...memberRemoval(channel, [user.userId]));
  }
  call.commit(effects);
  return {};
}

export function viewInvitationPreference(call: Call): Json {
  return { auto_accept: call.user(call.path('user_id')).autoAccept };
}

export function updateInvitationPreference(call: Call): Json {
  const user = call.person(call.path('user_id'));
  const autoAccept = readAutoAccept(call);
  call.commit([{ type: 'user.put', user: { ...user, autoAccept } }]);
  return { auto_accept: autoAccept };
}

export function viewDefaultPreference(call: Call): Json {
  return { auto_accept: call.state.application.autoAccept };
}

/** Affects only users created later (platform §4.2). */
export function updateDefaultPreference(call: Call): Json {
  const autoAccept = readAutoAccept(call);
  call.commit([{ type: 'application.put', application: { ...call.state.application, autoAccept } }]);
  return { auto_accept: autoAccept };
}

function readAutoAccept(call: Call): boolean {
  const autoAccept = call.body.boolean('auto_accept');
  if (autoAccept === undefined) throw new ApiError('missing', 'auto_accept');
  return autoAccept;
}
