// Reads the membership statuses that a channel's own answer omits: how members were invited, and who hides the channel.

import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { DetailRead, EntryPartRead } from '../../kinds/definition/live-reads.ts';
import { idsIn } from '../../kinds/definition/values.ts';
import type { ApiRequest } from '../../model/request.ts';
import { membersPart, membersRead } from './members.ts';

/** Returns the members in an answer who have an invitation and have not joined, sorted. */
export function onlyInvited({ members }: JsonObject): string[] {
  return idsIn(isList(members) ? members.filter((member) => isObject(member) && member.state === 'invited') : []);
}

/** By member, when they last read the channel (platform §5.2). An answer has it only if it was asked for. */
export function receiptsIn({ read_receipt: shown }: JsonObject): ReadonlyMap<string, number> | undefined {
  if (!isObject(shown)) return undefined;
  return new Map(Object.entries(shown).flatMap(([id, at]) => (typeof at === 'number' ? [[id, at]] : [])));
}

/** Only a filter of the member list shows who was invited by a friend (platform §5.6). */
export function invitationsRead(answer: JsonObject): DetailRead | undefined {
  const invited = onlyInvited(answer);
  if (invited.length === 0) return undefined;
  return {
    part: membersRead({ member_state_filter: 'invited_by_friend' }),
    add: (attributes, items) => {
      const friends = new Set(idsIn(items));
      const status = (id: string) => (friends.has(id) ? 'invited_by_friend' : 'invited_by_non_friend');
      return withStatus(attributes, 'invitation_status', new Map(invited.map((id) => [id, status(id)])));
    },
  };
}

/** Returns the read of the channels that an active user has hidden. */
export function hiddenChannelsRequest(userId: string): ApiRequest {
  return {
    method: 'GET',
    route: '/users/{user_id}/my_group_channels',
    params: { user_id: userId },
    query: { hidden_mode: 'hidden_only', show_empty: 'true', limit: '100' },
  };
}

export function hiddenStatuses(channels: readonly JsonObject[]): ReadonlyMap<string, string> {
  return new Map(
    channels.flatMap(({ channel_url: url, hidden_state: state }): [string, string][] =>
      typeof url === 'string' && typeof state === 'string' ? [[url, state]] : [],
    ),
  );
}

/** Shows whether a member has accepted an invitation, or hides the channel. */
export function statusRead([, id = '', status]: readonly string[]): EntryPartRead {
  if (status === 'invitation_status')
    return {
      part: membersPart,
      isInitial: true,
      valueIn: (_key, items, known) => {
        const state = items.find(({ user_id }) => user_id === id)?.state;
        if (state === 'invited') return known ?? 'invited_by_non_friend';
        return state === 'joined' ? null : undefined;
      },
    };
  return {
    part: { attribute: 'members', field: 'channels', isWhole: () => false, request: () => hiddenChannelsRequest(id) },
    valueIn: (key, items) => hiddenStatuses(items).get(key) ?? null,
  };
}

/** Returns a channel's attributes with one more status for some members. */
export function withStatus(
  attributes: JsonObject,
  name: 'invitation_status' | 'hidden_status',
  statuses: ReadonlyMap<string, string>,
): JsonObject {
  const { members } = attributes;
  if (!isObject(members)) return attributes;
  const lines = Object.entries(members).map(([id, line]): [string, JsonValue] => {
    const status = statuses.get(id);
    return [id, status === undefined || !isObject(line) ? line : { ...line, [name]: status }];
  });
  return { ...attributes, members: Object.fromEntries(lines) };
}
