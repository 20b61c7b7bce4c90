// The filters that both lists of group channels share (platform §4.6).

import { ApiError } from '../api/errors.ts';
import type { Call } from '../call/call.ts';
import type { GroupChannelRecord, MemberRecord } from '../stored/records.ts';

export type ChannelFilter = (channel: GroupChannelRecord) => boolean;

const MAX_MEMBERS_INCLUDED = 60;
/** Documented filters that this emulator does not apply. A list that ignored them would contain everything (behaviours.md). */
const UNSERVED = [
  ...['metacounter_key', 'metacounter_values', 'search_query', 'search_fields', 'members_in'],
  ...['gt', 'gte', 'lt', 'lte'].map((comparison) => `metacounter_value_${comparison}`),
];

/** Skips channels without messages unless `show_empty` is set. Frozen channels are shown (platform §5.3). */
export function readChannelFilter(call: Call): ChannelFilter {
  const unserved = UNSERVED.find((name) => call.query.filled(name) !== undefined);
  if (unserved !== undefined) throw new ApiError('invalidValue', `${unserved} is not emulated`);
  const filters = [
    ...modeFilters(call),
    ...textFilters(call),
    ...timeFilters(call),
    ...memberFilters(call),
    ...metadataFilters(call),
  ];
  return (channel) => filters.every((filter) => filter(channel));
}

function* modeFilters({ query, state }: Call): Generator<ChannelFilter> {
  const distinct = query.choice('distinct_mode', ['all', 'distinct', 'nondistinct']);
  const publicity = query.choice('public_mode', ['all', 'public', 'private']);
  const size = query.choice('super_mode', ['all', 'super', 'nonsuper']);
  if (distinct !== 'all') yield (channel) => channel.distinct === (distinct === 'distinct');
  if (publicity !== 'all') yield (channel) => channel.public === (publicity === 'public');
  if (size !== 'all') yield (channel) => channel.super === (size === 'super');
  if (!query.boolean('show_empty', false)) yield (channel) => state.messages(channel.url).count > 0;
  if (!query.boolean('show_frozen', true)) yield (channel) => !channel.frozen;
}

function* textFilters({ query }: Call): Generator<ChannelFilter> {
  const customTypes = query.strings('custom_types');
  const customTypePrefix = query.filled('custom_type_startswith');
  const name = query.filled('name');
  const nameContains = query.filled('name_contains')?.toLowerCase();
  const namePrefix = query.filled('name_startswith');
  if (customTypes !== undefined) yield (channel) => customTypes.includes(channel.customType);
  if (customTypePrefix !== undefined) yield (channel) => channel.customType.startsWith(customTypePrefix);
  if (name !== undefined) yield (channel) => channel.name === name;
  if (nameContains !== undefined) yield (channel) => channel.name.toLowerCase().includes(nameContains);
  if (namePrefix !== undefined) yield (channel) => channel.name.startsWith(namePrefix);
}

/** The filters are in milliseconds, a channel's creation time is in seconds (platform §1, Times). */
function* timeFilters({ query }: Call): Generator<ChannelFilter> {
  const after = query.integer('created_after');
  const before = query.integer('created_before');
  if (after !== undefined) yield (channel) => channel.createdAt * 1000 >= after;
  if (before !== undefined) yield (channel) => channel.createdAt * 1000 <= before;
}

function* memberFilters(call: Call): Generator<ChannelFilter> {
  const { query, state } = call;
  const exactly = query.strings('members_exactly_in');
  const included = query.strings('members_include_in', MAX_MEMBERS_INCLUDED);
  const any = query.choice('query_type', ['AND', 'OR']) === 'OR';
  const nicknames = query.strings('members_nickname');
  const nicknameContains = query.filled('members_nickname_contains');
  const nicknamePrefix = query.filled('members_nickname_startswith');
  const someNickname =
    (test: (nickname: string) => boolean): ChannelFilter =>
    ({ url }) =>
      some(state.members(url), ({ userId }) => test(state.users.get(userId)?.nickname ?? ''));
  if (exactly !== undefined) {
    const ids = new Set(exactly);
    yield ({ url }) => state.members(url).size === ids.size && exactly.every((id) => state.members(url).has(id));
  }
  if (included !== undefined) {
    yield ({ url }) => {
      const isMember = (id: string): boolean => state.members(url).has(id);
      return any ? included.some(isMember) : included.every(isMember);
    };
  }
  if (nicknames !== undefined) yield someNickname((nickname) => nicknames.includes(nickname));
  if (nicknameContains !== undefined) yield someNickname((nickname) => nickname.includes(nicknameContains));
  if (nicknamePrefix !== undefined) yield someNickname((nickname) => nickname.startsWith(nicknamePrefix));
}

function* metadataFilters({ query }: Call): Generator<ChannelFilter> {
  const key = query.filled('metadata_key');
  if (key === undefined) return;
  const values = query.strings('metadata_values');
  const prefix = query.filled('metadata_value_startswith');
  yield ({ metadata }) => {
    if (!Object.hasOwn(metadata, key)) return false;
    const value = metadata[key] ?? '';
    return (values === undefined || values.includes(value)) && (prefix === undefined || value.startsWith(prefix));
  };
}

function some(members: ReadonlyMap<string, MemberRecord>, test: (member: MemberRecord) => boolean): boolean {
  for (const member of members.values()) if (test(member)) return true;
  return false;
}
