// Stream: its channel exports, and its import files: users, channels, members, messages, then reactions.
import { digestText } from '../../../lib/digest.ts';
import type { FileTree } from '../../../lib/file-tree.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { JsonStreamError } from '../../../lib/json-stream.ts';
import type { Collect } from '../../../lib/series.ts';
import type { Roster, SourceChannel, SourceItem, SourceReaction, SourceUser } from '../../export/items.ts';
import { LinkedRows } from '../../export/linked-rows.ts';
import { brokenFile } from '../../export/refusals.ts';
import { mayBeRestricted, restrictionOf } from '../../export/restrictions.ts';
import type { ExportSource, ItemBatch, OpenExport, OpeningOptions } from '../../export/source.ts';
import { objectIn, others, textIn, textsIn } from '../../export/values.ts';
import { streamMessage, streamRestrictions, streamUser } from './messages.ts';
import { rowFiles, rowsOf, type StreamRow } from './rows.ts';

export const stream: ExportSource = {
  name: 'stream',
  title: 'Stream',
  form: 'JSON or JSONL files of a channel export, or an import file of {type, item}',
  isSingleFile: true,
  idsAreNames: false,
  // An export has some channels, each with at most 100 members, as the API lists them. An import file may have a part of the rows.
  listsEverybody: false,
  restrictions: streamRestrictions,
  recognises: async (tree) => (await rowFiles(tree)).length > 0,
  open,
};

/** Facts about objects from other rows, collected in a first pass. */
interface FirstPass {
  readonly roster: Roster;
  readonly reactions: LinkedRows<SourceReaction>;
}

async function open(tree: FileTree, { collect }: OpeningOptions): Promise<OpenExport> {
  const files = await rowFiles(tree);
  const { roster, reactions } = await gather(tree, files, collect);
  const sizes = new Map(tree.files.map(({ path, bytes }) => [path, bytes]));
  const totalBytes = files.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);
  const read = async function* (): AsyncGenerator<ItemBatch> {
    for (const file of files) {
      for await (const { rows, bytes } of rowsOf(tree, file)) {
        yield { items: rows.map((row) => itemOf(row, reactions)), bytes, file };
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

async function gather(tree: FileTree, files: readonly string[], collect: Collect): Promise<FirstPass> {
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
      if (type === 'user' && id !== undefined && !users.has(id)) users.set(id, streamUser(id, item));
      else if (type === 'channel') {
        const channel = channelOf(item);
        if (!channels.has(channel.id)) channels.set(channel.id, channel);
      } else if (type === 'member') {
        const person = objectIn(item, 'user');
        const user = textIn(item, 'user_id') ?? textIn(person, 'id');
        if (user === undefined) continue;
        if (textIn(person, 'id') === user && !users.has(user)) users.set(user, streamUser(user, person));
        const channel = channelId(item, 'channel_');
        if (restrictionOf(item, streamRestrictions.member) === 'no_member') {
          addTo(excluded, channel, user);
          continue;
        }
        addTo(members, channel, user);
        const isOpen = item.invited === true && textIn(item, 'invite_accepted_at') === undefined;
        if (isOpen) addTo(invited, channel, user);
        if (/moderator|owner|admin/u.test(textIn(item, 'channel_role') ?? textIn(item, 'role') ?? ''))
          addTo(operators, channel, user);
      } else if (type === 'reaction') reactions.add(textIn(item, 'message_id') ?? '', reactionOf(item));
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

function reactionOf(item: JsonObject): SourceReaction {
  const left = others(item, new Set(['message_id', 'type', 'user_id']));
  return {
    name: textIn(item, 'type') ?? '',
    users: [textIn(item, 'user_id') ?? ''],
    ...(left === undefined ? {} : { more: left }),
  };
}

/** `type:id`. A distinct channel has no id, so a digest of its members is used. */
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
  'disabled',
  'deleted_at',
]);

function channelOf(item: JsonObject): SourceChannel {
  const creator = textIn(item, 'created_by') ?? textIn(objectIn(item, 'created_by'), 'id');
  const isDistinct = (textIn(item, 'id') ?? '!members-').startsWith('!members-');
  return {
    id: channelId(item, ''),
    name: textIn(item, 'name') ?? '',
    access: isDistinct ? 'direct' : item.type === 'livestream' ? 'public' : 'private',
    hasOpaqueId: true,
    members: textsIn(item, 'member_ids'),
    operators: [],
    ...(creator === undefined ? {} : { creator }),
    isArchived: item.frozen === true,
    isDeleted: restrictionOf(item, streamRestrictions.channel) === 'deleted',
    facts: { type: textIn(item, 'type') ?? '', ...others(item, channelFields) },
    reasons: mayBeRestricted(item, streamRestrictions.channel) ? ['object.maybe-restricted'] : [],
  };
}

function itemOf({ at, type, item }: StreamRow, reactions: FirstPass['reactions']): SourceItem {
  const id = textIn(item, 'id') ?? at;
  switch (type) {
    case undefined:
      return { type: 'left_out', at, id: at, reason: 'object.broken' };
    case 'user':
      return { type: 'user', at, id, name: streamUser(id, item).name };
    case 'channel':
      return { type: 'channel', at, id: channelId(item, ''), name: channelOf(item).name };
    case 'member': {
      const channel = channelId(item, 'channel_');
      const name = `${channel}:${textIn(item, 'user_id') ?? textIn(objectIn(item, 'user'), 'id') ?? ''}`;
      if (restrictionOf(item, streamRestrictions.member) === 'no_member')
        return { type: 'left_out', at, id: name, reason: 'member.not-in-force' };
      const isDoubtful = mayBeRestricted(item, streamRestrictions.member);
      const doubt = isDoubtful ? ({ reason: 'object.maybe-restricted' } as const) : {};
      return { type: 'part', at, id: name, of: { type: 'channel', id: channel }, ...doubt };
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
