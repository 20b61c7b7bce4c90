// The request fields that open and group channels share, with their rules (base, POST /open_channels).

import { ApiError } from '../api/errors.ts';
import type { Call } from '../call/call.ts';
import { readImage } from '../call/images.ts';
import type { ChannelRecord } from '../stored/records.ts';

const MAX_OPERATORS = 100;
const MAX_NAME = 191;
const MAX_CUSTOM_TYPE = 128;
const CHANNEL_URL = /^[A-Za-z0-9_-]{4,100}$/;
const DEFAULT_COVER = 'https://static.emulator.invalid/img/cover/cover_08.jpg';

type SharedFields = Pick<ChannelRecord, 'name' | 'coverUrl' | 'customType' | 'data' | 'operators'>;

export function readSharedFields(call: Call, defaultName: string): SharedFields {
  return {
    name: call.body.string('name', MAX_NAME) ?? defaultName,
    coverUrl: readImage(call, 'cover_url', 'cover_file') ?? DEFAULT_COVER,
    customType: call.body.string('custom_type', MAX_CUSTOM_TYPE) ?? '',
    data: call.body.string('data') ?? '',
    operators: readOperatorIds(call) ?? [],
  };
}

export function readSharedUpdate(call: Call, old: ChannelRecord): SharedFields {
  const operators = readOperatorIds(call);
  return {
    name: call.body.string('name', MAX_NAME) ?? old.name,
    coverUrl: readImage(call, 'cover_url', 'cover_file') ?? old.coverUrl,
    customType: call.body.string('custom_type', MAX_CUSTOM_TYPE) ?? old.customType,
    data: call.body.string('data') ?? old.data,
    operators: operators === undefined ? old.operators : operatorsAfterUpdate(call, old.operators, operators),
  };
}

/** The given URL, if it is free, or a generated one. Both kinds of channel share a name space (behaviours.md). */
export function readNewUrl(call: Call, kind: 'open' | 'group'): string {
  const requested = call.body.string('channel_url');
  if (requested === undefined) return `sendbird_${kind}_channel_${call.nextSeq()}_${call.draw()}`;
  if (!CHANNEL_URL.test(requested)) throw new ApiError('invalidValue', 'channel_url');
  if (call.state.channel(requested) !== undefined) throw new ApiError('alreadyExists', 'channel_url');
  return requested;
}

/** `operator_ids` or the deprecated `operators`: distinct ids of existing users. */
export function readOperatorIds(call: Call): readonly string[] | undefined {
  const { body } = call;
  const ids = body.strings(body.has('operator_ids') ? 'operator_ids' : 'operators', MAX_OPERATORS);
  if (ids === undefined) return undefined;
  for (const id of ids) {
    if (call.user(id).bot !== undefined) throw new ApiError('invalidValue', `${id} is a bot`);
  }
  return [...new Set(ids)];
}

export function addOperators(known: readonly string[], added: readonly string[]): readonly string[] {
  const operators = [...new Set([...known, ...added])];
  if (operators.length > MAX_OPERATORS) throw new ApiError('tooManyItems', 'operator_ids');
  return operators;
}

export function readFreeze(call: Call): boolean {
  const freeze = call.body.boolean('freeze');
  if (freeze !== undefined) return freeze;
  if (call.behaviours.freezeWithoutValue === 'refused') throw new ApiError('missing', 'freeze');
  return true;
}

function operatorsAfterUpdate(call: Call, known: readonly string[], sent: readonly string[]): readonly string[] {
  return call.behaviours.operatorIdsOnUpdate === 'replace' ? sent : addOperators(known, sent);
}
