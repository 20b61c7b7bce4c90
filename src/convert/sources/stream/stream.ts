// Stream: an import file, a list or JSONL of {type, item}: users, channels, members, messages, then reactions.

import { digestText } from '../../../lib/digest.ts';
import type { FileTree } from '../../../lib/file-tree.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { JsonStreamError, streamJson } from '../../../lib/json-stream.ts';
import type { Collect } from '../../../lib/series.ts';
import type { Roster, SourceChannel, SourceItem, SourceReaction, SourceUser } from '../../export/items.ts';
import { parsedLines } from '../../export/lines.ts';
import { brokenFile } from '../../export/refusals.ts';
import type { Batch, OpenExport, OpeningOptions, Source } from '../../export/source.ts';
import { naturally, objectIn, others, textIn, textsIn } from '../../export/values.ts';
import { streamMessage } from './messages.ts';
import { Reactions } from './reactions.ts';

export const stream: Source = {
  name: 'stream',
  title: 'Stream',
  form: 'a JSON list or JSONL file of {type, item}',
  isSingleFile: true,
  recognises,
  open,
};

interface Row {
  readonly at: string;
  /** Undefined when it is not {type, item}. */
  readonly type: string | undefined;
  readonly item: JsonObject;
}

/** The files of an import that was cut into parts, in the order of their numbers. */
async function rowFiles(tree: FileTree): Promise<readonly string[]> {
  const paths = tree.files.map(({ path }) => path);
  const candidates = tree.type === 'file' ? paths : paths.filter((path) => /\.(?:json|jsonl|ndjson)$/u.test(path));
  const found: string[] = [];
  for (const path of naturally(candidates)) if (await hasRows(tree, path)) found.push(path);
  return found;
}

async function recognises(tree: FileTree): Promise<boolean> {
  return (await rowFiles(tree)).length > 0;
}

async function hasRows(tree: FileTree, file: string): Promise<boolean> {
  try {
    for await (const { rows } of rowsOf(tree, file)) {
      if (rows.length > 0) return rows[0]?.type !== undefined;
    }
  } catch (error) {
    if (!(error instanceof JsonStreamError)) throw error;
  }
  return false;
}

/** The rows of a JSON list or of JSONL, told apart by the first character. */
async function* rowsOf(tree: FileTree, file: string): AsyncGenerator<{ readonly rows: Row[]; readonly bytes: number }> {
  const isList = await beginsAsList(tree, file);
  if (isList) {
    for await (const { values, bytes } of streamJson(await tree.stream(file), ['$.*'])) {
      yield { rows: values.map(({ key, value }) => rowOf(`${file}#${Number(key) + 1}`, value)), bytes };
    }
    return;
  }
  for await (const { lines, bytes } of parsedLines(await tree.stream(file))) {
    yield { rows: lines.map(({ number, value }) => rowOf(`${file}#${number}`, value)), bytes };
  }
}

async function beginsAsList(tree: FileTree, file: string): Promise<boolean> {
  for await (const piece of await tree.stream(file)) return /^\ufeff?\s*\[/u.test(Buffer.from(piece).toString('utf8'));
  return false;
}

function rowOf(at: string, value: JsonValue | undefined): Row {
  const isRow = isObject(value) && typeof value.type === 'string' && isObject(value.item);
  return { at, type: isRow ? String(value.type) : undefined, item: isRow ? (value.item as JsonObject) : {} };
}

/** What other rows say of objects: gathered in a first pass. */
interface Gathered {
  readonly roster: Roster;
  readonly reactions: Reactions;
}

async function open(tree: FileTree, { collect }: OpeningOptions): Promise<OpenExport> {
  const files = await rowFiles(tree);
  const { roster, reactions } = await gather(tree, files, collect);
  const sizes = new Map(tree.files.map(({ path, bytes }) => [path, bytes]));
  const totalBytes = files.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);
  const read = async function* (): AsyncGenerator<Batch> {
    for (const file of files) {
      for await (const { rows, bytes } of rowsOf(tree, file)) {
        yield { items: rows.map((row) => itemOf(row, reactions)), bytes, file };
      }
    }
  };
  return { roster, totalBytes, files, isWhole: false, read };
}

/** The rows of all files. A file that breaks off is refused. */
async function* allRows(tree: FileTree, files: readonly string[]): AsyncGenerator<readonly Row[]> {
  for (const file of files) {
    try {
      for await (const { rows } of rowsOf(tree, file)) yield rows;
    } catch (error) {
      throw error instanceof JsonStreamError ? brokenFile(file, error.message) : error;
    }
  }
}

async function gather(tree: FileTree, files: readonly string[], collect: Collect): Promise<Gathered> {
  const users = new Map<string, SourceUser>();
  const channels = new Map<string, SourceChannel>();
  const members = new Map<string, string[]>();
  const operators = new Map<string, string[]>();
  const reactions = new Reactions(collect);
  for await (const rows of allRows(tree, files)) {
    for (const { type, item } of rows) {
      const id = textIn(item, 'id');
      if (type === 'user' && id !== undefined && !users.has(id)) users.set(id, userOf(id, item));
      else if (type === 'channel') {
        const channel = channelOf(item);
        if (!channels.has(channel.id)) channels.set(channel.id, channel);
      } else if (type === 'member') {
        const user = textIn(item, 'user_id');
        if (user === undefined) continue;
        const channel = channelId(item, 'channel_');
        addTo(members, channel, user);
        if (/moderator|owner|admin/u.test(textIn(item, 'channel_role') ?? '')) addTo(operators, channel, user);
      } else if (type === 'reaction') reactions.add(textIn(item, 'message_id') ?? '', reactionOf(item));
    }
  }
  reactions.end();
  const withMembers = [...channels.values()].map((channel) => ({
    ...channel,
    members: [...new Set([...(channel.members ?? []), ...(members.get(channel.id) ?? [])])],
    operators: operators.get(channel.id) ?? [],
  }));
  return { roster: { users: [...users.values()], channels: withMembers }, reactions };
}

function addTo(lists: Map<string, string[]>, name: string, value: string): void {
  const known = lists.get(name);
  if (known === undefined) lists.set(name, [value]);
  else known.push(value);
}

function reactionOf(item: JsonObject): SourceReaction {
  const left = others(item, new Set(['message_id', 'type', 'user_id']));
  return {
    name: textIn(item, 'type') ?? '',
    users: [textIn(item, 'user_id') ?? ''],
    ...(left === undefined ? {} : { more: left }),
  };
}

const userFields: ReadonlySet<string> = new Set(['id', 'name', 'image', 'role', 'deactivated_at', 'deleted_at']);

function userOf(id: string, item: JsonObject): SourceUser {
  const picture = textIn(item, 'image');
  return {
    id,
    name: textIn(item, 'name') ?? id,
    ...(picture === undefined ? {} : { picture }),
    type: item.role === 'guest' || item.role === 'anonymous' ? 'guest' : 'person',
    isDeleted: textIn(item, 'deactivated_at') !== undefined || textIn(item, 'deleted_at') !== undefined,
    hasOpaqueId: true,
    reasons: others(item, userFields) === undefined ? [] : ['user.profile-fields'],
  };
}

/** `type:id`; of a distinct channel, which has no id, a digest of its members. */
function channelId(item: JsonObject, prefix: '' | 'channel_'): string {
  const type = textIn(item, prefix === '' ? 'type' : 'channel_type') ?? '';
  const id = textIn(item, `${prefix}id`);
  const members = textsIn(item, `${prefix}member_ids`);
  return `${type}:${id ?? `members-${digestText(JSON.stringify([...members].sort())).slice(0, 20)}`}`;
}

const channelFields: ReadonlySet<string> = new Set([
  'id',
  'type',
  'name',
  'member_ids',
  'created_by',
  'frozen',
  'image',
]);

function channelOf(item: JsonObject): SourceChannel {
  const creator = textIn(item, 'created_by') ?? textIn(objectIn(item, 'created_by'), 'id');
  const isDistinct = textIn(item, 'id') === undefined;
  return {
    id: channelId(item, ''),
    name: textIn(item, 'name') ?? '',
    access: isDistinct ? 'direct' : item.type === 'livestream' ? 'public' : 'private',
    hasOpaqueId: true,
    members: textsIn(item, 'member_ids'),
    operators: [],
    ...(creator === undefined ? {} : { creator }),
    isArchived: item.frozen === true,
    facts: { type: textIn(item, 'type') ?? '', ...others(item, channelFields) },
    reasons: [],
  };
}

function itemOf({ at, type, item }: Row, reactions: Gathered['reactions']): SourceItem {
  const id = textIn(item, 'id') ?? at;
  switch (type) {
    case undefined:
      return { type: 'left_out', at, id: at, reason: 'object.broken' };
    case 'user':
      return { type: 'user', at, id };
    case 'channel':
      return { type: 'channel', at, id: channelId(item, '') };
    case 'member': {
      const channel = channelId(item, 'channel_');
      return {
        type: 'part',
        at,
        id: `${channel}:${textIn(item, 'user_id') ?? ''}`,
        of: { type: 'channel', id: channel },
      };
    }
    case 'message': {
      if (textIn(item, 'id') === undefined) return { type: 'left_out', at, id: at, reason: 'object.broken' };
      const found = streamMessage(item, channelId(item, 'channel_'), reactions.of(id));
      return typeof found === 'string'
        ? { type: 'left_out', at, id, reason: found }
        : { type: 'message', at, message: found };
    }
    case 'reaction': {
      const message = textIn(item, 'message_id') ?? '';
      const name = `${message}:${textIn(item, 'type') ?? ''}:${textIn(item, 'user_id') ?? ''}`;
      return { type: 'part', at, id: name, of: { type: 'message', id: message }, reason: 'reactions.enveloped' };
    }
    default:
      return { type: 'left_out', at, id, reason: 'object.not-carried' };
  }
}
