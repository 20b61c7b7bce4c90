// The effects on a group channel when its members change: the server turns is_distinct off (platform §5.5).

import type { Effect } from '../stored/effects.ts';
import type { GroupChannelRecord } from '../stored/records.ts';

export function memberRemoval(channel: GroupChannelRecord, userIds: readonly string[]): readonly Effect[] {
  return [{ type: 'members.delete', url: channel.url, userIds }, ...membersChanged(channel)];
}

export function membersChanged(channel: GroupChannelRecord): readonly Effect[] {
  return channel.distinct ? [{ type: 'channel.put', channel: { ...channel, distinct: false } }] : [];
}
