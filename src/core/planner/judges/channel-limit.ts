// Names the users whom the platform would not let into further group channels (platform §5.7).

import { type CrowdedUser, channelsOfUser } from '../../model/limits.ts';
import type { Plan } from '../../model/plan.ts';
import type { Finding } from '../draft/finding.ts';

/** The number of users that are named. */
const maxNamed = 20;
const joining: ReadonlySet<string> = new Set(['POST /group_channels', 'POST /group_channels/{channel_url}/invite']);

export function addsMembers({ requests }: Pick<Plan, 'requests'>): boolean {
  return requests.some(({ method, route }) => joining.has(`${method} ${route}`));
}

/**
 * A danger of plans that add members: the base document names no such limit, and the page of the vendor was read in part. If the
 * application is known to refuse (behaviour `joinLimit`), it is an error.
 */
export function overChannelLimit(
  plan: Pick<Plan, 'requests'>,
  users: readonly CrowdedUser[],
  isRefused: boolean,
): Finding[] {
  const over = users.filter(({ channels }) => channels > channelsOfUser.most);
  const [first] = over;
  if (first === undefined || !addsMembers(plan)) return [];
  const namedUsers = over.slice(0, maxNamed);
  return [
    {
      severity: isRefused ? 'error' : 'warning',
      problem: { code: 'user.too-many-channels', users: namedUsers, more: over.length - namedUsers.length, isRefused },
      ...(isRefused ? {} : { dangerous: true }),
      source: first.source,
    },
  ];
}
