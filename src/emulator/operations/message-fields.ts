// The request fields of a message, shared by migrating, sending and updating (platform §6.1).

import { ApiError } from '../api/errors.ts';
import type { Call, MetaArrayBounds } from '../call/call.ts';
import { isObject, lengthOf, Params } from '../fields/params.ts';
import type { FileRecord, MemberRecord, MessageRecord } from '../stored/records.ts';

const MAX_CUSTOM_TYPE = 128;
/** An application can have another limit (platform §6.2). */
const MAX_FILES = 30;

export type Content = Pick<
  MessageRecord,
  | 'type'
  | 'text'
  | 'data'
  | 'customType'
  | 'dedupId'
  | 'mentionType'
  | 'mentioned'
  | 'metaArray'
  | 'file'
  | 'files'
  | 'silent'
>;

/** A migrated file message has `custom_field` in place of `data`, one file alone, and no caption. */
export function readContent(
  call: Pick<Call, 'messageLength' | 'metaArrays'>,
  fields: Params,
  type: MessageRecord['type'],
  isMigrated = false,
): Content {
  const mentionType = fields.string('mention_type') ?? 'users';
  if (mentionType !== 'users' && mentionType !== 'channel') {
    throw new ApiError('invalidValue', fields.named('mention_type'));
  }
  const data = fields.string(type === 'FILE' && isMigrated ? 'custom_field' : 'data') ?? '';
  const files = type === 'FILE' && !isMigrated ? readFiles(fields, data) : undefined;
  return {
    type,
    text: type !== 'FILE' ? readText(call, fields) : isMigrated ? '' : (fields.string('message') ?? ''),
    data,
    customType: fields.string('custom_type', MAX_CUSTOM_TYPE) ?? '',
    dedupId: fields.string('dedup_id') ?? '',
    mentionType,
    mentioned: fields.strings('mentioned_user_ids') ?? [],
    metaArray: readMetaArray(call, fields),
    file: type === 'FILE' && files === undefined ? readFile(fields, data) : null,
    ...(files === undefined ? {} : { files }),
    silent: fields.boolean('is_silent') ?? false,
  };
}

/** A message without a type is a text message (platform §6.1). */
export function readType(fields: Params): MessageRecord['type'] {
  const type = fields.string('message_type') ?? 'MESG';
  if (type === 'MESG' || type === 'FILE' || type === 'ADMM') return type;
  throw new ApiError('invalidValue', fields.named('message_type'));
}

/** A message that is too long is refused with the documented code (platform §2, 400700). */
export function readText({ messageLength }: Pick<Call, 'messageLength'>, fields: Params): string {
  const text = fields.requiredString('message');
  if (text.length > messageLength && lengthOf(text) > messageLength) {
    throw new ApiError('sendNotAllowed', 'The message is too long.');
  }
  return text;
}

export function readMetaArray({ metaArrays }: Pick<Call, 'metaArrays'>, fields: Params): MessageRecord['metaArray'] {
  const name = fields.named('sorted_metaarray');
  const arrays = (fields.list('sorted_metaarray') ?? []).map((item) => {
    if (!isObject(item) || typeof item.key !== 'string') throw new ApiError('invalidValue', name);
    const { key, value } = item;
    if (!Array.isArray(value) || !value.every((item): item is string => typeof item === 'string')) {
      throw new ApiError('invalidValue', name);
    }
    return { key, value };
  });
  checkMetaArray(metaArrays, arrays, name);
  return arrays;
}

/** Refuses more than the application allows for one message (platform §16.4). */
export function checkMetaArray(limits: MetaArrayBounds, arrays: MessageRecord['metaArray'], name: string): void {
  const isOver = (count: number, limit: number | undefined): boolean => count > (limit ?? Number.POSITIVE_INFINITY);
  if (isOver(arrays.length, limits.arrays)) throw new ApiError('tooManyMetaArrays', name);
  if (isOver(arrays.length, limits.keys)) throw new ApiError('tooManyMetaKeys', name);
  for (const { key, value } of arrays) {
    if (isOver(value.length, limits.values)) throw new ApiError('tooManyMetaValues', name);
    if (isOver(Buffer.byteLength(key), limits.key_bytes)) throw new ApiError('tooLong', name);
    if (value.some((text) => isOver(Buffer.byteLength(text), limits.value_bytes))) throw new ApiError('tooLong', name);
  }
}

function readFile(fields: Params, data: string): FileRecord {
  const upload = fields.file('file');
  if (upload !== undefined) {
    const url = `https://files.emulator.invalid/file/${encodeURIComponent(upload.fileName)}`;
    return { url, name: upload.fileName, type: upload.contentType, size: upload.bytes.length, data };
  }
  return readUrl(fields, data);
}

/** The files of a message with several, in place of `url` (platform §6.2). */
function readFiles(fields: Params, data: string): readonly FileRecord[] | undefined {
  const files = fields.list('files', MAX_FILES);
  if (files?.length === 0) throw new ApiError('invalidValue', 'files');
  return files?.map((file, place) => readUrl(Params.nested(file, `files[${place}]`), data));
}

function readUrl(fields: Params, data: string): FileRecord {
  return {
    url: fields.requiredString('url'),
    name: fields.string('file_name') ?? '',
    type: fields.string('file_type') ?? '',
    size: fields.integer('file_size') ?? 0,
    data,
  };
}

/** The member after a new message that is not silent, which may end a hidden state (platform §5.4). */
export function unhidden(member: MemberRecord): MemberRecord {
  return member.hidden === 'hidden_allow_auto_unhide' ? { ...member, hidden: 'unhidden' } : member;
}
