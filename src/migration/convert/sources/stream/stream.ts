// Stream: its channel exports, and its import files: users, channels, members, messages, then reactions.
import { digestText } from '../../../../lib/digest.ts';
import type { FileTree } from '../../../../lib/file-tree.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { JsonStreamError } from '../../../../lib/json-stream.ts';
import type { Collect } from '../../../../lib/series.ts';
import type { Roster, SourceChannel, SourceItem, SourceReaction, SourceUser } from '../../export/items.ts';
import { LinkedRows } from '../../export/linked-rows.ts';
import type { ExportFields } from '../../export/look-at-fields.ts';
import { brokenFile } from '../../export/refusals.ts';
import type { ExportSource, ItemBatch, OpenExport, OpeningOptions } from '../../export/source.ts';
import { objectIn, textIn, textsIn } from '../../export/values.ts';
import { streamFields } from './fields.ts';
import { streamMessage, streamUser } from './messages.ts';
import { rowFiles, rowsOf, type StreamRow } from './rows.ts';

export const stream: ExportSource = {
  name: 'stream',
  title: 'Stream',
  form: 'JSON or JSONL files of a channel export, or an import file of {type, item}',
  isSingleFile: true,
  idsAreNames: false,
  idsArePersonal: false,
  isOpaqueId: () => true,
  // An export has some channels, each with at most 100 members, as the API lists them. An import file may have a part of the rows.
  listsEverybody: false,
  fields: streamFields,
  recognises: async (tree) => (await rowFiles(tree)).length > 0,
  open,
};

/** Facts about objects from other rows, collected in a first pass. */
interface FirstPass {
  readonly roster: Roster;
  readonly reactions: LinkedRows<SourceReaction>;
}

async function open(tree: FileTree, { collect, fields }: OpeningOptions): Promise<OpenExport> {
  const files = await rowFiles(tree);
  const { roster, reactions } = await gather(tree, files, collect, fields);
  const sizes = new Map(tree.files.map(({ path, bytes }) => [path, bytes]));
  const totalBytes = files.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);
  const read = async function* (): AsyncGenerator<ItemBatch> {
    for (const file of files) {
      for await (const { rows, bytes } of rowsOf(tree, file)) {
        yield { items: rows.map((row) => itemOf(row, reactions, fields)), bytes, file };
      }
    }
  };
  return { roster, totalBytes, files, read };
}

/** The rows of all files. A truncated file is refused. */
async function* allRows(tree: FileTree, files: readonly string[]): AsyncGenerator<readonly StreamRow[]> {
  for (const file of files) {
    try {
      for await (const { rows } of rowsOf(tree, file)) yield rows;
    } catch (error) {
      throw error instanceof JsonStreamError ? brokenFile(file, error.message) : error;
    }
  }
}

async function gather(
  tree: FileTree,
  files: readonly string[],
  collect: Collect,
  fields: ExportFields,
): Promise<FirstPass> {
  const users = new Map<string, SourceUser>();
  const channels = new Map<string, SourceChannel>();
  const members = new Map<string, string[]>();
  const operators = new Map<string, string[]>();
  const invited = new Map<string, string[]>();
  const excluded = new Map<string, string[]>();
  const reactions = new LinkedRows<SourceReaction>(collect);
  for await (const rows of allRows(tree, files)) {
    for (const { type, item } of rows) {
      const id = textIn(item, 'id');
      if (type === 'user' && id !== undefined && !users.has(id)) users.set(id, streamUser(id, item, fields));
      else if (type === 'channel') {
        const channel = channelOf(item, fields);
        if (!channels.has(channel.id)) channels.set(channel.id, channel);
      } else if (type === 'member') {
        const person = objectIn(item, 'user');
        const user = textIn(item, 'user_id') ?? textIn(person, 'id');
        if (user === undefined) continue;
        if (textIn(person, 'id') === user && !users.has(user)) users.set(user, streamUser(user, person, fields));
        const channel = channelId(item, 'channel_');
        if (fields.of('member').look(item).restriction === 'no_member') {
          addTo(excluded, channel, user);
          continue;
        }
        addTo(members, channel, user);
        const isOpen = item.invited === true && textIn(item, 'invite_accepted_at') === undefined;
        if (isOpen) addTo(invited, channel, user);
        if (/moderator|owner|admin/u.test(textIn(item, 'channel_role') ?? textIn(item, 'role') ?? ''))
          addTo(operators, channel, user);
      } else if (type === 'reaction') reactions.add(textIn(item, 'message_id') ?? '', reactionOf(item, fields));
    }
  }
  reactions.end();
  const withMembers = [...channels.values()].map((channel) => {
    const isOut = new Set(excluded.get(channel.id));
    const all = [...(channel.members ?? []), ...(members.get(channel.id) ?? [])].filter((user) => !isOut.has(user));
    return {
      ...channel,
      members: [...new Set(all)],
      operators: operators.get(channel.id) ?? [],
      invited: invited.get(channel.id) ?? [],
      excluded: [...isOut],
    };
  });
  return { roster: { users: [...users.values()], channels: withMembers }, reactions };
}

function addTo(lists: Map<string, string[]>, name: string, value: string): void {
  const known = lists.get(name);
  if (known === undefined) lists.set(name, [value]);
  else known.push(value);
}

function reactionOf(item: JsonObject, fields: ExportFields): SourceReaction {
  const { kept: keptFields } = fields.of('reaction').look(item);
  return {
    name: textIn(item, 'type') ?? '',
    users: [textIn(item, 'user_id') ?? ''],
    ...(keptFields === undefined ? {} : { more: keptFields }),
  };
}

/** `type:id`. A distinct channel has no id, so a digest of its members is used. */
function channelId(item: JsonObject, prefix: '' | 'channel_'): string {
  const type = textIn(item, prefix === '' ? 'type' : 'channel_type') ?? '';
  const id = textIn(item, `${prefix}id`);
  const members = textsIn(item, `${prefix}member_ids`);
  return `${type}:${id ?? `members-${digestText(JSON.stringify([...members].sort())).slice(0, 20)}`}`;
}

function channelOf(item: JsonObject, fields: ExportFields): SourceChannel {
  const { kept, restriction, reasons } = fields.of('channel').look(item);
  const creator = textIn(item, 'created_by') ?? textIn(objectIn(item, 'created_by'), 'id');
  const isDistinct = (textIn(item, 'id') ?? '!members-').startsWith('!members-');
  return {
    id: channelId(item, ''),
    name: textIn(item, 'name') ?? '',
    access: isDistinct
      ? 'direct'
      : item.type === 'livestream' && textIn(item, 'team') === undefined
        ? 'public'
        : 'private',
    hasOpaqueId: true,
    members: textsIn(item, 'member_ids'),
    operators: [],
    ...(creator === undefined ? {} : { creator }),
    isArchived: item.frozen === true,
    isDeleted: restriction === 'deleted',
    facts: { type: textIn(item, 'type') ?? '', ...(kept === undefined ? {} : kept) },
    reasons,
  };
}

function itemOf({ at, type, item }: StreamRow, reactions: FirstPass['reactions'], fields: ExportFields): SourceItem {
  const id = textIn(item, 'id') ?? at;
  switch (type) {
    case undefined:
      return { type: 'left_out', at, id: at, reason: 'object.broken' };
    case 'user':
      return { type: 'user', at, id, name: streamUser(id, item, fields).name };
    case 'channel':
      return { type: 'channel', at, id: channelId(item, ''), name: channelOf(item, fields).name };
    case 'member': {
      const channel = channelId(item, 'channel_');
      const name = `${channel}:${textIn(item, 'user_id') ?? textIn(objectIn(item, 'user'), 'id') ?? ''}`;
      const { restriction, reasons } = fields.of('member').look(item);
      const person = objectIn(item, 'user');
      if (textIn(person, 'id') !== undefined) fields.of('user').look(person);
      if (restriction === 'no_member') return { type: 'left_out', at, id: name, reason: 'member.not-in-force' };
      return { type: 'part', at, id: name, of: { type: 'channel', id: channel }, reasons };
    }
    case 'message': {
      if (textIn(item, 'id') === undefined) return { type: 'left_out', at, id: at, reason: 'object.broken' };
      const found = streamMessage(item, channelId(item, 'channel_'), reactions.of(id), fields);
      return typeof found === 'string'
        ? { type: 'left_out', at, id, reason: found }
        : { type: 'message', at, message: found };
    }
    case 'reaction': {
      const message = textIn(item, 'message_id') ?? '';
      const name = `${message}:${textIn(item, 'type') ?? ''}:${textIn(item, 'user_id') ?? ''}`;
      fields.of('reaction').look(item);
      return { type: 'part', at, id: name, of: { type: 'message', id: message }, reason: 'reactions.enveloped' };
    }
    default:
      return { type: 'left_out', at, id, reason: 'object.not-carried' };
  }
}
