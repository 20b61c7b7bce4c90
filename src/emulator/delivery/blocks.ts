// Which users a user has blocked (platform §12). Blocking changes nothing else here.

import { ApiError } from '../api/errors.ts';
import type { Json } from '../api/request.ts';
import type { Call } from '../call/call.ts';
import { takeSortedPage } from '../call/paging.ts';
import { userView } from '../views/user-view.ts';

/** One user in `target_id`, or several in `user_ids`. */
export function blockUsers(call: Call): Json {
  const user = call.user(call.path('user_id'));
  const target = call.body.string('target_id');
  const ids = target === undefined ? call.body.requiredStrings('user_ids') : [target];
  if (ids.length === 0) throw new ApiError('invalidValue', 'user_ids');
  const targets = ids.map((id) => call.user(id));
  const blocked = [...new Set([...(user.blocked ?? []), ...ids])];
  call.commit([{ type: 'user.put', user: { ...user, blocked } }]);
  return { users: targets.map(userView), next: '' };
}

export function listBlocks(call: Call): Json {
  const { userId, blocked = [] } = call.user(call.path('user_id'));
  const list = call.query.choice('list', ['blocked_by_me', 'blocking_me']);
  const named = call.query.strings('user_ids');
  const shown = [...call.state.users.ascending()].filter(
    (other) =>
      (list === 'blocked_by_me' ? blocked.includes(other.userId) : other.blocked?.includes(userId)) &&
      (named === undefined || named.includes(other.userId)),
  );
  const { items, next } = takeSortedPage(call, `${list} of ${userId}`, shown, (other) => other.userId);
  return { users: items.map(userView), next };
}

export function unblockUser(call: Call): Json {
  const user = call.user(call.path('user_id'));
  const target = call.path('target_id');
  if (!user.blocked?.includes(target)) throw new ApiError('notFound', 'User');
  const blocked = user.blocked.filter((id) => id !== target);
  call.commit([{ type: 'user.put', user: { ...user, blocked } }]);
  return {};
}
