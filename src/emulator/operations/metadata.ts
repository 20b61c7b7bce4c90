// The calls on the metadata of a user or a channel: add, view, update, delete (platform §4.5, platform §5.3).

import { ApiError } from '../api/errors.ts';
import type { Json } from '../api/request.ts';
import type { Call, Operation } from '../call/call.ts';
import {
  addMetadata,
  checkCount,
  checkKey,
  checkValue,
  pickItems,
  readMetadata,
  touchedByUpdate,
  withoutKey,
} from '../fields/metadata.ts';
import type { Effect } from '../stored/effects.ts';
import type { StringMap } from '../stored/records.ts';

/** A user or a channel, as the owner of metadata. */
interface Owner {
  readonly metadata: StringMap;
  readonly put: (metadata: StringMap) => Effect;
}

export interface MetadataOperations {
  readonly add: Operation;
  readonly viewAll: Operation;
  readonly viewOne: Operation;
  readonly updateMany: Operation;
  readonly updateOne: Operation;
  readonly deleteAll: Operation;
  readonly deleteOne: Operation;
}

export const userMetadata = metadataOperations((call) => {
  const user = call.user(call.path('user_id'));
  return {
    metadata: user.metadata,
    put: (metadata) => ({ type: 'user.put', user: { ...user, metadata } }),
  };
});

export const openChannelMetadata = metadataOperations((call) => channelOwner(call, 'open'));
export const groupChannelMetadata = metadataOperations((call) => channelOwner(call, 'group'));

function channelOwner(call: Call, kind: 'open' | 'group'): Owner {
  const channel = call.channel(kind);
  return {
    metadata: channel.metadata,
    put: (metadata) => ({ type: 'channel.put', channel: { ...channel, metadata } }),
  };
}

function metadataOperations(ownerOf: (call: Call) => Owner): MetadataOperations {
  const update = (call: Call, sent: StringMap): StringMap => {
    const owner = ownerOf(call);
    const touched = touchedByUpdate(owner.metadata, sent, call.body.boolean('upsert') ?? false, call.behaviours);
    call.commit([owner.put(checkCount({ ...owner.metadata, ...touched }))]);
    return touched;
  };
  return {
    add: (call) => {
      const owner = ownerOf(call);
      const added = requiredMetadata(call);
      call.commit([owner.put(addMetadata(owner.metadata, added, call.behaviours))]);
      return withTime(call, added);
    },
    viewAll: (call) => {
      const { metadata } = ownerOf(call);
      const keys = call.query.strings('keys') ?? call.query.strings('key');
      return keys === undefined ? metadata : pickItems(metadata, keys);
    },
    viewOne: (call) => {
      const { metadata } = ownerOf(call);
      const key = call.path('key');
      if (!Object.hasOwn(metadata, key)) throw new ApiError('notFound', 'Metadata');
      return pickItems(metadata, [key]);
    },
    updateMany: (call) => withTime(call, update(call, requiredMetadata(call))),
    updateOne: (call) => {
      const key = checkKey(call.path('key'));
      return update(call, Object.fromEntries([[key, checkValue(key, call.body.value('value'), call.behaviours)]]));
    },
    // An older client passes one item in the query.
    deleteAll: (call) => {
      const owner = ownerOf(call);
      const key = call.query.filled('key');
      call.commit([owner.put(key === undefined ? {} : withoutKey(owner.metadata, key))]);
      return {};
    },
    deleteOne: (call) => {
      const owner = ownerOf(call);
      call.commit([owner.put(withoutKey(owner.metadata, call.path('key')))]);
      return {};
    },
  };
}

function requiredMetadata(call: Call): StringMap {
  const metadata = readMetadata(call.body, call.behaviours);
  if (metadata === undefined) throw new ApiError('missing', 'metadata');
  return metadata;
}

function withTime(call: Call, items: StringMap): Json {
  return call.body.boolean('include_ts') ? { metadata: items, ts: call.nowMs } : items;
}
