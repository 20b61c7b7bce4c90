// Names the users whom the platform would not let into further group channels (platform §5.7).

import type { Diagnostic } from '../../model/diagnostic.ts';
import { type CrowdedUser, channelsOfUser } from '../../model/limits.ts';
import type { Plan } from '../../model/plan.ts';

/** The number of users that are named. */
const maxNamed = 20;
const joining: ReadonlySet<string> = new Set(['POST /group_channels', 'POST /group_channels/{channel_url}/invite']);

/**
 * A danger of plans that add members: the base document names no such limit, and the page of the vendor was read in part. If the
 * application is known to refuse (reading `joinLimit`), it is an error.
 */
export function overChannelLimit(
  { requests }: Pick<Plan, 'requests'>,
  users: readonly CrowdedUser[],
  isRefused: boolean,
): Diagnostic[] {
  const over = users.filter(({ channels }) => channels > channelsOfUser.most);
  const [first] = over;
  if (first === undefined || !requests.some(({ method, route }) => joining.has(`${method} ${route}`))) return [];
  const names = over.slice(0, maxNamed).map(({ id, channels, isCounted }) => {
    return `${id} (${channels.toLocaleString('en')} channels${isCounted === true ? ', counted on the platform' : ''})`;
  });
  const more = over.length > maxNamed ? ` and ${over.length - maxNamed} more` : '';
  const most = channelsOfUser.most.toLocaleString('en');
  const effect = isRefused
    ? `This application refuses a user in more than ${most} group channels`
    : `By the vendor's pages, a user joins at most ${most} group channels: further invitations are declined by themselves, and a creation may fail. The base document names no limit`;
  return [
    {
      severity: isRefused ? 'error' : 'warning',
      code: 'user.too-many-channels',
      summary: 'Invitations of users in too many channels are declined',
      detail: `${effect}. Affected: ${names.join(', ')}${more}. Remove them from channels that have ended, or ask the vendor's support.`,
      ...(isRefused ? {} : { dangerous: true }),
      source: first.source,
    },
  ];
}
