// A line of a history file: its schema, its fingerprints, and the message that is sent for it (platform §6.1).

import { digestText, markOf, shortMarkOf } from '../../../lib/digest.ts';
import type { JsonObject, JsonValue } from '../../../lib/json.ts';
import type { JsonSchema } from '../../kinds/definition/kind.ts';
import { textSchema, userIdSchema } from '../../kinds/definition/schemas.ts';
import { messageLengths } from '../../model/limits.ts';
import { maxTime, minTime } from '../../model/migration/message-times.ts';
import { dataMarkLength } from './line-mark.ts';

export const messageTypes = ['MESG', 'FILE', 'ADMM'] as const;
export type MessageType = (typeof messageTypes)[number];

/** A line that fits its schema. */
export interface HistoryFileLine extends JsonObject {
  readonly message_type: MessageType;
  /** Unix milliseconds. */
  readonly timestamp: number;
}

const common: Readonly<Record<string, JsonSchema>> = {
  timestamp: {
    type: 'integer',
    minimum: minTime,
    maximum: maxTime,
    description:
      'When it was sent, in Unix milliseconds: 12 digits before 2001-09-09T01:46:40Z, 13 since. Lines stand in ascending order of it.',
  },
  custom_type: textSchema(128, 'For grouping and analytics. At most 128 characters.'),
  mentioned_user_ids: { type: 'array', items: userIdSchema, description: 'Ids of users whom the message mentions.' },
  dedup_id: {
    type: 'string',
    minLength: 1,
    description:
      "The source's own id of the message, by which the platform knows one that it has; else chatform makes one. One that stands on two lines of a history file is an error: the platform would drop the second.",
  },
  sorted_metaarray: {
    type: 'array',
    description: 'Lists of texts by key, in this order.',
    items: {
      type: 'object',
      required: ['key', 'value'],
      properties: { key: { type: 'string' }, value: { type: 'array', items: { type: 'string' } } },
      additionalProperties: false,
    },
  },
};

/** The most characters of a reaction's key (platform §6.2). */
const maxReactionKey = 192;

const marks: Readonly<Record<string, JsonSchema>> = {
  reactions: {
    type: 'object',
    description:
      'By key of the reaction, the user_ids of the members who reacted. Each is a call of its own, made after the messages. Group channels only.',
    propertyNames: textSchema(maxReactionKey, 'The key of the reaction.'),
    additionalProperties: { type: 'array', items: userIdSchema, uniqueItems: true },
  },
  pinned: {
    type: 'boolean',
    description: 'true: the message is pinned, at most ten in a channel. Group channels only, without supergroups.',
  },
};

/** Admin messages are not in threads (platform §6.2). */
const threaded: Readonly<Record<string, JsonSchema>> = {
  parent: {
    type: 'string',
    minLength: 1,
    description:
      'The message is a reply in a thread: the dedup_id of the first message of the thread, which stands on an earlier line. Sent as a reply with threads: send, else as a message of the channel.',
  },
};

const text: JsonSchema = textSchema(
  messageLengths.most,
  'The text. At most 5,000 characters, or application.limits.message_length.',
);
const sender: JsonSchema = { ...userIdSchema, description: 'The sender: a declared or external user.' };

/** Returns an object of a history file as a line. A message without a type is a text message (platform §6.1). */
export function lineFrom(value: JsonObject): HistoryFileLine {
  return (value.message_type === undefined ? { message_type: 'MESG', ...value } : value) as HistoryFileLine;
}

function lineSchema(
  type: MessageType,
  title: string,
  required: readonly string[],
  properties: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  return {
    type: 'object',
    title,
    required: [...(type === 'MESG' ? [] : ['message_type']), 'timestamp', ...required],
    properties: { message_type: { const: type }, ...properties, ...common, ...marks },
    additionalProperties: false,
  };
}

const data: JsonSchema = { type: 'string', description: 'Free additional text, such as JSON.' };

export const lineSchemas: Readonly<Record<MessageType, JsonSchema>> = {
  MESG: lineSchema('MESG', 'text message', ['user_id', 'message'], {
    user_id: sender,
    message: text,
    data,
    ...threaded,
  }),
  FILE: lineSchema('FILE', 'file message', ['user_id', 'url'], {
    user_id: sender,
    url: { type: 'string', minLength: 1, description: 'Where the file is. It is not uploaded.' },
    file_name: { type: 'string', description: 'The name that people see.' },
    file_size: { type: 'integer', minimum: 0, description: 'In bytes.' },
    file_type: { type: 'string', description: 'The media type: image/png.' },
    thumbnails: {
      type: 'array',
      items: { type: ['string', 'object'] },
      description: 'URLs of smaller pictures, or objects that hold them.',
    },
    require_auth: { type: 'boolean', description: 'true: the file is shown to signed-in users alone.' },
    custom_field: { type: 'string', description: 'Free additional text: for files it stands here, not under data.' },
    ...threaded,
  }),
  ADMM: lineSchema('ADMM', 'admin message', ['message'], {
    message: text,
    is_silent: { type: 'boolean', description: 'true: it counts as no unread message.' },
    data,
  }),
};

/** One line of a history file, for `chatform schema history-file`. */
export const historyFileLineSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'chatform history file, one line',
  description:
    'A history file holds one message a line, as JSON, in ascending order of timestamp; it may be packed with gzip.',
  oneOf: messageTypes.map((type) => lineSchemas[type]),
};

/**
 * Returns the content of a line with its fields in a fixed order. The fields are listed one by one, because that is much
 * faster than a list of names, and history files may have ten million lines.
 */
function contentOf(line: HistoryFileLine): string {
  return JSON.stringify([
    line.message_type,
    line.timestamp,
    line.user_id,
    line.message,
    line.url,
    line.data,
    line.custom_field,
    line.custom_type,
    line.mentioned_user_ids,
    line.is_silent,
    line.file_name,
    line.file_size,
    line.file_type,
    line.thumbnails,
    line.require_auth,
    line.sorted_metaarray,
    line.dedup_id,
  ]);
}

/** Returns the fields that people see, in a fixed order. */
function seenContentOf(line: HistoryFileLine): string {
  return JSON.stringify([
    line.message_type,
    line.timestamp,
    line.user_id,
    line.message,
    line.url,
    line.mentioned_user_ids,
    line.is_silent,
    line.file_name,
    line.file_size,
    line.file_type,
    line.thumbnails,
    line.require_auth,
  ]);
}

/** Like `seenContentOf`, but concatenates without serializing. Only for usual lines without characters that JSON escapes. */
function plainContentOf({ timestamp, user_id, message }: HistoryFileLine): string {
  return `["MESG",${timestamp},"${user_id}","${message}",null,null,null,null,null,null,null,null]`;
}

/** The fields that only programs read. */
export const dataFields: ReadonlySet<string> = new Set([
  ...['data', 'custom_field', 'custom_type', 'sorted_metaarray', 'dedup_id'],
]);

/** Returns the content of `dataFields`. */
function dataContentOf({ data, custom_field, custom_type, sorted_metaarray, dedup_id }: HistoryFileLine): string {
  const arrays = sorted_metaarray === undefined ? '' : JSON.stringify(sorted_metaarray);
  return `${dedup_id ?? ''}\n${custom_type ?? ''}\n${arrays}\n${custom_field ?? ''}\n${data ?? ''}`;
}

const usual: ReadonlySet<string> = new Set([
  'message_type',
  'timestamp',
  'user_id',
  'message',
  'custom_type',
  'dedup_id',
]);

function isUsual(line: HistoryFileLine): boolean {
  for (const name in line) if (!usual.has(name)) return false;
  return line.message_type === 'MESG';
}

/**
 * Returns a fingerprint of seven characters: four of what people see, and three of the rest. Two different contents collide once
 * in sixteen million cases, and those that differ only in the rest once in 262,144.
 */
export function lineMark(line: HistoryFileLine): string {
  return markOf(seenContentOf(line)) + dataMarkOf(line);
}

/** Like `lineMark`, but faster for most lines, given the line's JSON in any layout. */
export function lineMarkOf(json: string, line: HistoryFileLine): string {
  const isPlain = isUsual(line) && !json.includes('\\');
  return markOf(isPlain ? plainContentOf(line) : seenContentOf(line)) + dataMarkOf(line);
}

function dataMarkOf(line: HistoryFileLine): string {
  return shortMarkOf(dataContentOf(line)).slice(0, dataMarkLength);
}

/** Fields that no call changes in an existing message (platform §6.2). */
const fixedFields = ['file_name', 'file_size', 'file_type', 'thumbnails', 'require_auth', 'is_silent'];

/** Whether a line has fields that an edit of its message cannot change. */
export function hasFixedFields(line: HistoryFileLine): boolean {
  return line.message_type !== 'MESG' && fixedFields.some((name) => line[name] !== undefined);
}

/**
 * Returns a fingerprint of five characters of what an edit keeps: type, time, sender, the URL of a file, and whether the message
 * is a reply. Messages that one sender wrote within a millisecond have the same fingerprint. Other messages collide once in a thousand
 * million cases.
 */
export function identityMark(
  type: JsonValue,
  time: JsonValue,
  sender: JsonValue,
  url: JsonValue,
  isReply = false,
): string {
  const thread = isReply ? '\nreply' : '';
  return shortMarkOf(`${type}\n${time}\n${sender ?? ''}\n${type === 'FILE' ? url : ''}${thread}`);
}

export function identityOfLine({ message_type: type, timestamp, user_id, url, parent }: HistoryFileLine): string {
  return identityMark(type, timestamp, user_id ?? null, url ?? null, parent !== undefined);
}

/** Returns the likeness of a line in a history file with threads, where a reply is like no other message. */
export function threadLikeness(line: HistoryFileLine): string {
  return inThread(likenessOfLine(line), line.parent !== undefined);
}

/** Marks the likeness of replies. */
export function inThread(likeness: string, isReply: boolean): string {
  return isReply ? `${likeness} reply` : likeness;
}

/** Returns a line that is sent as a message of the channel, even if it names a thread. */
export function withoutThread(line: HistoryFileLine): HistoryFileLine {
  if (line.parent === undefined) return line;
  const { parent: _parent, ...message } = line;
  return message as HistoryFileLine;
}

/** Returns what identifies a live message, because the platform does not show its dedup_id (semantics §5.5). */
export function likeness(type: JsonValue, time: JsonValue, sender: JsonValue, content: JsonValue): string {
  return JSON.stringify([time, sender, type, content]);
}

export function likenessOfLine(line: HistoryFileLine): string {
  const { message_type: type, timestamp, user_id, message, url } = line;
  return likeness(type, timestamp, user_id ?? null, (type === 'FILE' ? url : message) ?? null);
}

/** Reactions, pins and replies have calls of their own. */
function withoutMarks(line: HistoryFileLine): HistoryFileLine {
  if (line.reactions === undefined && line.pinned === undefined) return withoutThread(line);
  const { reactions: _reactions, pinned: _pinned, ...message } = line;
  return withoutThread(message as HistoryFileLine);
}

/**
 * Returns the message that is sent for a line. The platform drops a message whose dedup_id it already has. `repeat` is the
 * number of earlier lines with the same likeness, so that a text written twice within a millisecond arrives twice. `call` is
 * set after messages were edited or deleted, so that a line like one of them arrives.
 */
export function messageOf(declared: HistoryFileLine, channel: string, repeat: number, call?: number): JsonObject {
  const line = withoutMarks(declared);
  const thread = declared.parent === undefined ? [] : ['reply'];
  const id = line.dedup_id ?? digestText(JSON.stringify([channel, contentOf(line), repeat, ...thread])).slice(0, 40);
  if (call === undefined) return line.dedup_id === undefined ? { ...line, dedup_id: id } : line;
  return { ...line, dedup_id: digestText(JSON.stringify([id, call])).slice(0, 40) };
}
