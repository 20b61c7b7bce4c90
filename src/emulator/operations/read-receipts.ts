// What do the calls do that mark messages as read? (base, Other operations; platform §6)

import type { Call } from '../call.ts';
import { Refusal } from '../errors.ts';
import type { Json } from '../http/request.ts';
import type { Effect } from '../stored/effects.ts';
import { namedMember } from './membership.ts';

export function markAsRead(call: Call): Json {
  const channel = call.groupChannel();
  const member = namedMember(call, channel);
  const readTs = Math.max(member.readTs, call.body.integer('timestamp') ?? call.nowMs);
  call.commit([{ type: 'members.put', url: channel.url, members: [{ ...member, readTs }] }]);
  return {};
}

/** In all channels of the user, or in those that the body names. */
export function markAllAsRead(call: Call): Json {
  const { state, body } = call;
  const { userId } = call.activeUser(call.path('user_id'));
  const named = body.strings('channel_urls');
  const effects: Effect[] = [];
  for (const url of named ?? state.channelsOf(userId)) {
    const member = state.members(url).get(userId);
    if (member === undefined) throw new Refusal('notFound', 'Channel');
    effects.push({ type: 'members.put', url, members: [{ ...member, readTs: call.nowMs }] });
  }
  call.commit(effects);
  return {};
}
