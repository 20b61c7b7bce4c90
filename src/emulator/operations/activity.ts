// The calls on activity: active users by day and month, typing indicators (platform §14).

import { ApiError } from '../api/errors.ts';
import type { Json } from '../api/request.ts';
import type { Call, Operation } from '../call/call.ts';

const MAX_TYPING = 10;

/** Always 0: only connected users are active, and no client connects to the emulator. */
export function countActive(name: 'dau' | 'mau'): Operation {
  return ({ query }) => {
    const date = query.filled('date');
    const isDate = date === undefined || (/^\d{4}-\d{2}-\d{2}$/u.test(date) && !Number.isNaN(Date.parse(date)));
    if (!isDate) throw new ApiError('invalidValue', 'date');
    return { [name]: 0 };
  };
}

/** Start and stop have no visible effect, because typing indicators go only to connected users. */
export function indicateTyping(call: Call): Json {
  const channel = call.groupChannel();
  const userIds = call.body.requiredStrings('user_ids', MAX_TYPING);
  if (userIds.length === 0) throw new ApiError('invalidValue', 'user_ids');
  for (const id of userIds) {
    const { userId } = call.activeUser(id);
    if (!call.state.members(channel.url).has(userId)) throw new ApiError('notFound', 'Member');
  }
  return {};
}
