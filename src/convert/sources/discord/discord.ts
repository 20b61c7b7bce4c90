// Discord: the JSON files of DiscordChatExporter, one a channel, in parts where a channel is large.
import type { FileTree } from '../../../lib/file-tree.ts';
import { isObject, type JsonObject } from '../../../lib/json.ts';
import type { SourceChannel, SourceItem } from '../../model.ts';
import { objectIn, picked, textIn } from '../../values.ts';
import { headOf, jsonFiles, messageItems, someHead } from '../json-files.ts';
import type { Batch, OpenExport, Source } from '../source.ts';
import { discordMessage } from './messages.ts';

export const discord: Source = {
  name: 'discord',
  title: 'Discord',
  form: 'the JSON files of DiscordChatExporter, in a folder or zip file, or one of them',
  isSingleFile: true,
  recognises: (tree) => someHead(tree, heads, isExport),
  open,
};

const heads = ['guild', 'channel'] as const;

function isExport(head: JsonObject | undefined): boolean {
  return head !== undefined && isObject(head.guild) && textIn(objectIn(head, 'channel'), 'id') !== undefined;
}

async function open(tree: FileTree): Promise<OpenExport> {
  const files = jsonFiles(tree);
  const channels = new Map<string, SourceChannel>();
  /** By file; undefined for files of another kind. */
  const channelIds = new Map<string, string>();
  /** Files that are the first of their channel: the others are parts of it. */
  const firsts = new Set<string>();
  for (const { path } of files) {
    const head = await headOf(tree, path, heads);
    if (head === undefined || !isExport(head)) continue;
    const channel = channelOf(head);
    channelIds.set(path, channel.id);
    if (channels.has(channel.id)) continue;
    channels.set(channel.id, channel);
    firsts.add(path);
  }
  const read = async function* (): AsyncGenerator<Batch> {
    for (const file of files) {
      const { path } = file;
      const id = channelIds.get(path);
      if (id === undefined) {
        yield { items: [{ type: 'left_out', at: path, id: path, reason: 'file.unknown' }], bytes: file.bytes };
        continue;
      }
      const channel: SourceItem = firsts.has(path)
        ? { type: 'channel', at: path, id }
        : { type: 'part', at: path, id: `${id}:${path}`, of: { type: 'channel', id } };
      yield { items: [channel], bytes: 0 };
      yield* messageItems(tree, file, (at, message) => ({ type: 'message', at, message: discordMessage(message, id) }));
    }
  };
  return {
    roster: { users: [], channels: [...channels.values()] },
    totalBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    read,
  };
}

/** Permissions are not exported, so that every channel of a guild is private until people decide otherwise. */
function channelOf(head: JsonObject): SourceChannel {
  const channel = objectIn(head, 'channel');
  const guild = objectIn(head, 'guild');
  const isDirect = (textIn(channel, 'type') ?? '').startsWith('Direct');
  return {
    id: textIn(channel, 'id') ?? '',
    name: isDirect ? '' : (textIn(channel, 'name') ?? ''),
    access: isDirect ? 'direct' : 'private',
    hasOpaqueId: true,
    members: undefined,
    operators: [],
    isArchived: false,
    facts: { ...picked(channel, ['type', 'category', 'topic']), guild: picked(guild, ['id', 'name']) },
    reasons: [],
  };
}
