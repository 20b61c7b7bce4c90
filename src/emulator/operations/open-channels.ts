// The calls on open channels: create, view, list, update, freeze, delete (base, POST /open_channels; platform §5.1).

import { ApiError } from '../api/errors.ts';
import type { Json } from '../api/request.ts';
import type { Call } from '../call/call.ts';
import { filtered, newestOf, takePage } from '../call/paging.ts';
import type { OpenChannelRecord } from '../stored/records.ts';
import { openChannelView } from '../views/channel-view.ts';
import { readFreeze, readNewUrl, readSharedFields, readSharedUpdate } from './channel-fields.ts';

export function createOpenChannel(call: Call): Json {
  const channel: OpenChannelRecord = {
    kind: 'open',
    seq: call.nextSeq(),
    ...readSharedFields(call, 'open channel'),
    url: readNewUrl(call, 'open'),
    ephemeral: call.body.boolean('is_ephemeral') ?? false,
    dynamicPartitioned: call.body.boolean('is_dynamic_partitioned') ?? true,
    frozen: false,
    createdAt: call.nowSeconds,
    metadata: {},
  };
  return store(call, channel);
}

export function viewOpenChannel(call: Call): Json {
  // Every response contains the operators, even if not requested (behaviours.md).
  call.query.boolean('include_operators', false);
  const withMetadata = call.query.boolean('show_metadata', false);
  return openChannelView(
    call,
    openChannel(call),
    withMetadata && call.behaviours.channelMetadataInView === 'when_asked',
  );
}

export function listOpenChannels(call: Call): Json {
  const { query } = call;
  const urls = query.strings('channel_urls');
  const customTypes = query.strings('custom_types');
  const nameContains = query.filled('name_contains')?.toLowerCase();
  const urlContains = query.filled('url_contains');
  const showFrozen = query.boolean('show_frozen', true);
  const showMetadata = query.boolean('show_metadata', false);
  const matches = (channel: OpenChannelRecord): boolean =>
    (showFrozen || !channel.frozen) &&
    (customTypes === undefined || customTypes.includes(channel.customType)) &&
    (nameContains === undefined || channel.name.toLowerCase().includes(nameContains)) &&
    (urlContains === undefined || channel.url.includes(urlContains));
  const { items, next } = takePage(
    call,
    'open_channels',
    (position) => filtered(newestOf(call.state.openChannels, urls, position), matches),
    (channel) => String(channel.seq),
  );
  // The vendor documents the parameter in no file for this list, so its effect is unknown.
  query.boolean('include_operators', false);
  const operators = call.behaviours.operatorsInOpenLists;
  return {
    channels: items.map((channel) => openChannelView(call, channel, showMetadata, operators)),
    next,
    ts: call.nowMs,
  };
}

export function updateOpenChannel(call: Call): Json {
  const old = openChannel(call);
  return store(call, { ...old, ...readSharedUpdate(call, old) });
}

export function freezeOpenChannel(call: Call): Json {
  return store(call, { ...openChannel(call), frozen: readFreeze(call) });
}

export function deleteOpenChannel(call: Call): Json {
  call.commit([{ type: 'channel.delete', url: openChannel(call).url }]);
  return {};
}

/** Always empty: participants are connected users, and no client connects to the emulator. */
export function listParticipants(call: Call): Json {
  openChannel(call);
  return { participants: [], next: '' };
}

function openChannel(call: Call): OpenChannelRecord {
  const channel = call.channel('open');
  if (channel.kind !== 'open') throw new ApiError('notFound', 'Channel');
  return channel;
}

function store(call: Call, channel: OpenChannelRecord): Json {
  call.commit([{ type: 'channel.put', channel }]);
  return openChannelView(call, channel);
}
