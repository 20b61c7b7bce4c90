// Discord: JSON files of DiscordChatExporter, one per channel, or several for a large channel.
import type { FileTree } from '../../../../lib/file-tree.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../../lib/json.ts';
import type { ExportWindow } from '../../export/coverage.ts';
import { inTableOrder } from '../../export/fields.ts';
import type { SourceChannel, SourceItem } from '../../export/items.ts';
import { channelFiles, someHead, windowNameOf } from '../../export/json-files.ts';
import type { ExportFields } from '../../export/look-at-fields.ts';
import type { ExportSource, OpenExport, OpeningOptions } from '../../export/source.ts';
import { objectIn, picked, textIn, timeOf } from '../../export/values.ts';
import { discordFields } from './fields.ts';
import { discordFieldsOf, discordMessage, isSnowflake } from './messages.ts';

export const discord: ExportSource = {
  name: 'discord',
  title: 'Discord',
  form: 'a folder or zip file of JSON files from DiscordChatExporter, or one such file',
  isSingleFile: true,
  idsAreNames: false,
  idsArePersonal: false,
  isOpaqueId: isSnowflake,
  // DiscordChatExporter lists no members at all: people are known from their messages.
  listsEverybody: false,
  fields: discordFields,
  recognises: (tree) => someHead(tree, heads, isExport),
  open,
};

const heads = ['guild', 'channel'] as const;

function isExport(head: JsonObject | undefined): boolean {
  return head !== undefined && isObject(head.guild) && textIn(objectIn(head, 'channel'), 'id') !== undefined;
}

async function open(tree: FileTree, { fields }: OpeningOptions): Promise<OpenExport> {
  const messageFields = discordFieldsOf(fields);
  const windows = new Map<string, ExportWindow>();
  const known = new Map<string, JsonObject>();
  const files = await channelFiles(
    tree,
    [...heads, 'dateRange', 'exportedAt'],
    (head, path) => {
      if (head === undefined || !isExport(head)) return undefined;
      const channel = channelOf(head, fields);
      const name = windowNameOf(path);
      known.set(path, picked(head, heads));
      windows.set(name, windowOf(head, channel.id, windows.has(name) || name !== path));
      return channel;
    },
    ({ timestamp }) => timeOf(timestamp).time,
    heads,
  );
  const { channels, totalBytes, paths } = files;
  const read = () =>
    files.read(
      (at, message, channel): SourceItem => {
        const id = textIn(message, 'id');
        if (id === undefined) return { type: 'left_out', at, id: at, reason: 'object.broken' };
        return { type: 'message', at, message: discordMessage(message, channel, id, messageFields) };
      },
      async (path) => {
        const head = known.get(path) ?? {};
        // Its fields are counted while the messages are read.
        const { id } = channelOf(head, fields);
        return relationsOf(objectIn(head, 'channel'), id, path);
      },
    );
  return { roster: { users: [], channels }, totalBytes, files: paths, windows, read };
}

function isDirectType(channel: JsonObject): boolean {
  return (textIn(channel, 'type') ?? '').startsWith('Direct');
}

/** A channel of two people, which is named after the other one. People name a group. */
function isPairType(channel: JsonObject): boolean {
  return isDirectType(channel) && !(textIn(channel, 'type') ?? '').includes('Group');
}

/** A thread has its channel as `category`. A direct channel is named after the other person, without an id. */
function relationsOf(channel: JsonObject, id: string, path: string): readonly SourceItem[] {
  const of = { type: 'channel', id } as const;
  const parent = textIn(channel, 'categoryId') ?? textIn(channel, 'category');
  const isThread = (textIn(channel, 'type') ?? '').endsWith('Thread');
  if (isThread && parent !== undefined)
    return [
      { type: 'part', at: `${path}/channel/category`, id: `${id}:parent:${parent}`, of, reason: 'channel.parent' },
    ];
  if (isPairType(channel) && textIn(channel, 'name') !== undefined)
    return [{ type: 'part', at: `${path}/channel/name`, id: `${id}:partner`, of, reason: 'channel.partner' }];
  return [];
}

/** An export in parts does not say whether all parts are present. */
function windowOf(head: JsonObject, channel: string, isPart: boolean): ExportWindow {
  const timeIn = (value: JsonValue | undefined): number | undefined => {
    const { time } = timeOf(value);
    return Number.isNaN(time) ? undefined : time;
  };
  const takenAt = timeIn(head.exportedAt);
  const about = { channels: new Set([channel]), takenAt };
  if (isPart || !isObject(head.dateRange)) return about;
  const { after, before } = head.dateRange;
  const to = timeIn(before);
  return {
    ...about,
    from: isGiven(after) ? timeIn(after) : Number.NEGATIVE_INFINITY,
    to: isGiven(before) ? to && Math.min(to, takenAt ?? to) : takenAt,
  };
}

function isGiven(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}

/** Permissions are not exported, so every channel of a guild is private until people decide otherwise. */
function channelOf(head: JsonObject, fields: ExportFields): SourceChannel {
  const channel = objectIn(head, 'channel');
  const guild = objectIn(head, 'guild');
  const isDirect = isDirectType(channel);
  const partner = isPairType(channel) ? textIn(channel, 'name') : undefined;
  const { kept, reasons } = fields.of('channel').look(channel);
  const { kept: keptOfGuild } = fields.of('guild').look(guild);
  return {
    id: textIn(channel, 'id') ?? '',
    name: partner === undefined ? (textIn(channel, 'name') ?? '') : '',
    access: isDirect ? 'direct' : 'private',
    hasOpaqueId: true,
    members: undefined,
    operators: [],
    isArchived: false,
    facts: {
      ...inTableOrder(kept, discordFields.channel),
      ...(partner === undefined ? {} : { partner }),
      guild: inTableOrder(keptOfGuild, discordFields.guild),
    },
    reasons,
  };
}
