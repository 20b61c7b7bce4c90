// The calls on the meta arrays of a message: add keys, change their values, remove keys (platform §6.2).

import { ApiError } from '../api/errors.ts';
import type { Json } from '../api/request.ts';
import type { Call, Operation } from '../call/call.ts';
import { checkMetaArray, readMetaArray } from '../operations/message-fields.ts';
import { checkFrozen, namedMessage } from '../operations/messages.ts';
import type { ChannelKind, MessageRecord } from '../stored/records.ts';

type MetaArray = MessageRecord['metaArray'];

/** The effect of an existing key is not documented. Keys are unique elsewhere, so it is refused. */
export function addMetaArrays(kind: ChannelKind): Operation {
  return changing(kind, (call, known) => {
    const added = requiredArrays(call);
    const keys = [...known, ...added].map(({ key }) => key);
    if (new Set(keys).size < keys.length) throw new ApiError('alreadyExists', 'sorted_metaarray');
    return [...known, ...added];
  });
}

/** `mode` adds values to those of a key or removes them. An unknown key is left out unless `upsert` is set. */
export function updateMetaArrays(kind: ChannelKind): Operation {
  return changing(kind, (call, known) => {
    const mode = call.body.string('mode') ?? 'add';
    if (mode !== 'add' && mode !== 'remove') throw new ApiError('invalidValue', 'mode');
    const sent = new Map(requiredArrays(call).map(({ key, value }) => [key, value]));
    const changed = known.map(({ key, value }) => {
      const values = sent.get(key) ?? [];
      const rest = value.filter((value) => !values.includes(value));
      return { key, value: mode === 'remove' ? rest : [...rest, ...values] };
    });
    const isNew = ({ key }: MetaArray[number]): boolean => known.every((old) => old.key !== key);
    const upserts = mode === 'add' && (call.body.boolean('upsert') ?? false);
    return upserts ? [...changed, ...requiredArrays(call).filter(isNew)] : changed;
  });
}

/** The keys in the query, or all. */
export function removeMetaArrays(kind: ChannelKind): Operation {
  const remove = changing(kind, (call, known) => {
    const keys = call.query.strings('keys');
    if (keys?.some((key) => known.every((old) => old.key !== key))) throw new ApiError('notFound', 'MetaArray');
    return keys === undefined ? [] : known.filter(({ key }) => !keys.includes(key));
  });
  return (call) => {
    remove(call);
    return {};
  };
}

function changing(kind: ChannelKind, change: (call: Call, known: MetaArray) => MetaArray): Operation {
  return (call): Json => {
    const channel = call.channel(kind);
    checkFrozen(channel);
    const message = namedMessage(call, channel);
    const metaArray = change(call, message.metaArray);
    checkMetaArray(call.metaArrays, metaArray, 'sorted_metaarray');
    const changed = { ...message, metaArray, updatedAt: call.nowMs };
    call.commit([{ type: 'messages.put', url: channel.url, messages: [changed] }]);
    return { sorted_metaarray: metaArray };
  };
}

function requiredArrays(call: Call): MetaArray {
  const { body } = call;
  if (!body.has('sorted_metaarray')) throw new ApiError('missing', 'sorted_metaarray');
  return readMetaArray(call, body);
}
