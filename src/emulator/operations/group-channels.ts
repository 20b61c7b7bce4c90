// The calls on group channels: create, view, update, freeze, delete (base, POST /group_channels; platform §5.3).

import { ApiError } from '../api/errors.ts';
import type { Json } from '../api/request.ts';
import type { Call } from '../call/call.ts';
import type { GroupChannelRecord } from '../stored/records.ts';
import { type ChannelParts, groupChannelView, personalFields, WITH_MEMBERS } from '../views/channel-view.ts';
import { readFreeze, readNewUrl, readSharedFields, readSharedUpdate } from './channel-fields.ts';
import { checkRoom, newMembers, readInvitees, readInviter, withRoom } from './invitations.ts';

export function createGroupChannel(call: Call): Json {
  const { body } = call;
  const shared = readSharedFields(call, 'group channel');
  const flags = checkFlags({
    distinct: body.boolean('is_distinct') ?? false,
    public: body.boolean('is_public') ?? false,
    super: body.boolean('is_super') ?? false,
    accessCode: body.string('access_code') ?? '',
  });
  const createdBy = readInviter(call);
  const userIds = knownUsers(call, readInvitees(call), body.boolean('strict') ?? false);
  const members = newMembers(call, shared, withRoom(call, userIds), createdBy);
  if (flags.distinct) {
    const existing = findDistinct(call, userIds, shared.customType);
    if (existing !== undefined) return groupChannelView(call, existing, WITH_MEMBERS);
  }
  checkRoom(
    call,
    flags,
    0,
    members.map(({ userId }) => userId),
  );
  const channel: GroupChannelRecord = {
    kind: 'group',
    seq: call.nextSeq(),
    ...shared,
    ...flags,
    url: readNewUrl(call, 'group'),
    ephemeral: body.boolean('is_ephemeral') ?? false,
    blockSdkJoin: body.boolean('block_sdk_user_channel_join') ?? false,
    createdBy,
    frozen: false,
    createdAt: call.nowSeconds,
    metadata: {},
  };
  call.commit([
    { type: 'channel.put', channel },
    { type: 'members.put', url: channel.url, members },
  ]);
  return groupChannelView(call, channel, WITH_MEMBERS);
}

export function viewGroupChannel(call: Call): Json {
  const { query } = call;
  const channel = call.groupChannel();
  const parts = readChannelParts(call);
  const metadata = parts.metadata && call.behaviours.channelMetadataInView === 'when_asked';
  const view = groupChannelView(call, channel, { ...parts, metadata });
  const userId = query.filled('user_id');
  return userId === undefined ? view : { ...view, ...personalFields(call, channel, call.user(userId).userId) };
}

export function updateGroupChannel(call: Call): Json {
  const { body } = call;
  const old = call.groupChannel();
  const isPublic = body.boolean('is_public') ?? old.public;
  const flags = checkFlags({
    distinct: body.boolean('is_distinct') ?? old.distinct,
    public: isPublic,
    super: body.boolean('is_super') ?? old.super,
    // A channel that is no longer public needs no code.
    accessCode: body.string('access_code') ?? (isPublic ? old.accessCode : ''),
  });
  // A supergroup cannot become a group channel again (platform §5.5).
  if (old.super && !flags.super) throw new ApiError('invalidValue', 'is_super');
  return store(call, { ...old, ...readSharedUpdate(call, old), ...flags });
}

export function freezeGroupChannel(call: Call): Json {
  return store(call, { ...call.groupChannel(), frozen: readFreeze(call) });
}

export function deleteGroupChannel(call: Call): Json {
  call.commit([{ type: 'channel.delete', url: call.groupChannel().url }]);
  return {};
}

/** The optional parts of a view or a list. Each has an older name without `show_` (platform §5.3). */
export function readChannelParts({ query, behaviours }: Call): ChannelParts {
  return {
    members: query.boolean('show_member', false) || query.boolean('member', false),
    metadata: query.boolean('show_metadata', false),
    readReceipt: query.boolean('show_read_receipt', false) || query.boolean('read_receipt', false),
    deliveryReceipt: query.boolean('show_delivery_receipt', false),
    activeMode: query.choice('member_active_mode', ['all', 'activated', 'deactivated']),
    operators: behaviours.operatorsInGroupViews === 'listed',
  };
}

type Flags = Pick<GroupChannelRecord, 'distinct' | 'public' | 'super' | 'accessCode'>;

function checkFlags(flags: Flags): Flags {
  if (flags.super && flags.distinct) throw new ApiError('invalidValue', 'is_distinct must be false for a supergroup');
  if (flags.accessCode !== '' && !flags.public) throw new ApiError('invalidValue', 'access_code');
  return flags;
}

/** With `strict`, an unknown user fails the creation. Without it, unknown users are left out (base, strict). */
function knownUsers(call: Call, userIds: readonly string[], strict: boolean): readonly string[] {
  const known = userIds.filter((id) => call.state.users.get(id) !== undefined);
  if (strict && known.length < userIds.length) throw new ApiError('invalidValue', 'user_ids');
  for (const id of known) call.activeUser(id);
  return known;
}

/** The distinct channel of exactly these members and this custom type (base, is_distinct). */
function findDistinct(call: Call, userIds: readonly string[], customType: string): GroupChannelRecord | undefined {
  const { state } = call;
  for (const url of state.channelsOf(userIds[0] ?? '')) {
    const channel = state.groupChannels.get(url);
    if (channel === undefined || !channel.distinct || channel.customType !== customType) continue;
    const members = state.members(url);
    if (members.size === userIds.length && userIds.every((id) => members.has(id))) return channel;
  }
  return undefined;
}

function store(call: Call, channel: GroupChannelRecord): Json {
  call.commit([{ type: 'channel.put', channel }]);
  return groupChannelView(call, channel, WITH_MEMBERS);
}
