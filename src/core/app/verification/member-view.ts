// Compares what members see with the history files of their group channels (platform §16.1).
//
// The list of a channel's messages is the administrator's view. A member does not see messages at or before
// `ts_message_offset`, which only the member's own list of channels shows.

import { isList, isObject, type JsonObject } from '../../../lib/json.ts';
import type { Series } from '../../../lib/series.ts';
import { countMarks, historyFileOf } from '../../history/lines/history-file.ts';
import { mapOf } from '../../kinds/definition/values.ts';
import { keyOf } from '../../model/address.ts';
import type { MemberView, MemberViews } from '../../model/migration-report.ts';
import type { Resource } from '../../model/resource.ts';
import type { LiveReader } from '../../refresh/send.ts';
import { eachOfKind } from '../visibility/histories.ts';

/** The number of users read in parallel. */
const maxAtOnce = 32;
/** The number of members that a report names. */
const maxNamed = 10;

interface Seen {
  members: number;
  hidden: string[];
  hiddenFrom: number;
  absent: number;
  /** The latest offset of a member. */
  offset: number;
  readonly times: readonly { readonly first: number; readonly last: number; readonly count: number }[];
}

/** Reads the channels of each declared member of a group channel with a history file: one request for a hundred channels. */
export async function viewAsMembers(resources: Series<Resource>, reader: LiveReader): Promise<MemberViews> {
  const channels = new Map<string, Seen>();
  for (const { address, attributes } of eachOfKind(resources, 'messages')) {
    if (attributes.channel !== 'group_channel') continue;
    const times = historyFileOf(attributes).blocks.map(({ first, last, marks }) => {
      return { first, last, count: countMarks(marks) };
    });
    if (times.length > 0)
      channels.set(keyOf(address), { members: 0, hidden: [], hiddenFrom: 0, absent: 0, offset: 0, times });
  }
  const urlsOf = new Map<string, Set<string>>();
  for (const { address, attributes } of channels.size === 0 ? [] : eachOfKind(resources, 'group_channel')) {
    const url = keyOf(address);
    if (!channels.has(url)) continue;
    for (const id of Object.keys(mapOf(attributes, 'members'))) {
      const urls = urlsOf.get(id) ?? new Set();
      urlsOf.set(id, urls.add(url));
    }
  }
  const waiting = urlsOf.entries();
  const work = async (): Promise<void> => {
    for (const [id, urls] of waiting) await viewAs(id, urls, channels, reader);
  };
  await Promise.all(Array.from({ length: maxAtOnce }, work));
  const views = [...channels].map(([url, tally]) => viewOf(url, tally));
  views.sort((left, right) => (left.channel_url < right.channel_url ? -1 : 1));
  const sum = (count: (view: MemberView) => number) => views.reduce((total, view) => total + count(view), 0);
  return {
    users: urlsOf.size,
    memberships: sum(({ members }) => members),
    hidden_from: sum(({ hidden_from }) => hidden_from),
    not_members: sum(({ not_members }) => not_members),
    channels: views.filter(({ hidden_from, not_members }) => hidden_from + not_members > 0),
  };
}

async function viewAs(
  id: string,
  urls: ReadonlySet<string>,
  channels: ReadonlyMap<string, Seen>,
  reader: LiveReader,
): Promise<void> {
  const missing = new Set(urls);
  for await (const channel of channelsOf(id, reader)) {
    const { channel_url: url, ts_message_offset: offset } = channel;
    const tally = typeof url === 'string' && missing.delete(url) ? channels.get(url) : undefined;
    if (tally === undefined) continue;
    tally.members += 1;
    if (typeof offset !== 'number' || offset < (tally.times[0]?.first ?? 0)) continue;
    tally.hiddenFrom += 1;
    tally.offset = Math.max(tally.offset, offset);
    if (tally.hidden.length < maxNamed) tally.hidden.push(id);
  }
  for (const url of missing) {
    const tally = channels.get(url);
    if (tally !== undefined) tally.absent += 1;
  }
}

/** None if the platform refuses to show them, as it may for a deactivated user. */
async function* channelsOf(id: string, reader: LiveReader): AsyncGenerator<JsonObject> {
  let token = '';
  do {
    const answer = await reader.send({
      method: 'GET',
      route: '/users/{user_id}/my_group_channels',
      params: { user_id: id },
      // By default the list omits hidden channels and channels without messages (platform §4.6).
      query: {
        limit: '100',
        hidden_mode: 'all',
        show_empty: 'true',
        show_frozen: 'true',
        ...(token === '' ? {} : { token }),
      },
    });
    if (answer.type !== 'ok') return;
    const { channels, next } = answer.body;
    for (const channel of isList(channels) ? channels : []) if (isObject(channel)) yield channel;
    // A repeated token would lead in a circle.
    token = typeof next === 'string' && next !== token ? next : '';
  } while (token !== '');
}

function viewOf(url: string, { members, hidden, hiddenFrom, absent, offset, times }: Seen): MemberView {
  // Of the call that the offset divides, only the first message is known to be hidden.
  const messages = times.reduce((sum, { first, last, count }) => {
    return sum + (last <= offset ? count : first <= offset ? 1 : 0);
  }, 0);
  return {
    channel_url: url,
    members,
    hidden_from: hiddenFrom,
    ...(hiddenFrom === 0 ? {} : { messages, first: [...hidden].sort() }),
    not_members: absent,
  };
}
