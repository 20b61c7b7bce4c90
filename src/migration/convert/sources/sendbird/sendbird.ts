// Sendbird's Data Export: JSON files with a channel, its members and its messages. Ids and data stay unchanged.

import { filesOfMessage } from '../../../../core/model/migration/shown-files.ts';
import type { FileTree } from '../../../../lib/file-tree.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../../lib/json.ts';
import type { MessageFacts, SourceFile, SourceItem, SourceMessage, SourceUser } from '../../export/items.ts';
import { channelFiles, headOf, someHead } from '../../export/json-files.ts';
import type { ExportFields, KindFields, Look } from '../../export/look-at-fields.ts';
import type { ExportSource, OpenExport, OpeningOptions } from '../../export/source.ts';
import { safeId, scrub } from '../../export/urls.ts';
import { numberIn, objectIn, objectsIn, textIn, textsIn } from '../../export/values.ts';
import { channelOf, isOpenChannel } from './channels.ts';
import { sendbirdFields } from './fields.ts';
import { SendbirdLists } from './lists.ts';
import { nativeOf } from './native.ts';

export const sendbird: ExportSource = {
  name: 'sendbird',
  title: 'Sendbird',
  form: 'a folder or zip file of JSON files from a Data Export, or one such file',
  isSingleFile: true,
  idsAreNames: false,
  idsArePersonal: false,
  isOpaqueId: () => true,
  // A Data Export has the users and channels of a range of times, in the form of the API, which lists some members of a channel.
  listsEverybody: false,
  fields: sendbirdFields,
  recognises: (tree) => someHead(tree, heads, isExport),
  open,
};

const heads = ['channel'] as const;

function isExport(head: JsonObject | undefined): boolean {
  return head !== undefined && textIn(objectIn(head, 'channel'), 'channel_url') !== undefined;
}

async function open(tree: FileTree, { fields }: OpeningOptions): Promise<OpenExport> {
  const members = new Map<string, SourceUser>();
  const heard = new Set<string>();
  const take = (channel: JsonObject): void => {
    // Operators of an open channel may have written nothing.
    const operators = isOpenChannel(channel) ? objectsIn(channel, 'operators') : [];
    for (const member of [...objectsIn(channel, 'members'), ...operators]) {
      const user = userOf(member, fields.of('member'));
      if (user !== undefined && !members.has(user.id)) members.set(user.id, user);
    }
    for (const { user: row } of [...objectsIn(channel, 'muted_list'), ...objectsIn(channel, 'banned_list')]) {
      const user = isObject(row) ? userOf(row, fields.of('user')) : undefined;
      if (user !== undefined && !members.has(user.id)) members.set(user.id, user);
    }
  };
  const files = await channelFiles(
    tree,
    heads,
    (head) => {
      if (head === undefined || !isExport(head)) return undefined;
      const value = objectIn(head, 'channel');
      take(value);
      heard.add(textIn(value, 'channel_url') ?? '');
      return channelOf(value, fields);
    },
    ({ created_at: time }) => (typeof time === 'number' ? time : Number.NaN),
  );
  const lists = new SendbirdLists();
  await lists.read(tree, (path) => files.has(path));
  const silent = [...lists.channels.values()].filter((value) => !heard.has(textIn(value, 'channel_url') ?? ''));
  for (const value of silent) take(value);
  const users = new Map(
    [...lists.users.values()].flatMap((value) => userOf(value, fields.of('user')) ?? []).map((user) => [user.id, user]),
  );
  for (const [id, user] of members) if (!users.has(id)) users.set(id, user);
  const { totalBytes } = files;
  const paths = [...files.paths, ...lists.files];
  const channels = [...files.channels, ...silent.map((value) => channelOf(value, fields))];
  const read = () =>
    files.read(
      (at, message, url) => messageItem(at, message, url, fields),
      async (path) => channelItems(path, await headOf(tree, path, heads), fields),
      (file) => lists.batches(tree, file, fields),
    );
  return { roster: { users: [...users.values()], channels }, totalBytes, files: paths, read };
}

/** Each member is an object of the export. */
function channelItems(path: string, head: JsonObject | undefined, fields: ExportFields): SourceItem[] {
  const channel = objectIn(head ?? {}, 'channel');
  fields.of('channel').look(channel);
  for (const operator of objectsIn(channel, 'operators')) fields.of('member').look(operator);
  return objectsIn(channel, 'members').map((member, place): SourceItem => {
    const at = `${path}/channel/members#${place + 1}`;
    const id = textIn(member, 'user_id');
    if (id === undefined) return { type: 'left_out', at, id: at, reason: 'object.broken' };
    return { type: 'user', at, id, reasons: fields.of('member').look(member).reasons };
  });
}

/** `row` is a user, or a member, who is a user with a membership. What only the membership says is not a fact about the user. */
function userOf(row: JsonObject, fields: KindFields): SourceUser | undefined {
  const id = textIn(row, 'user_id');
  if (id === undefined) return undefined;
  const picture = textIn(row, 'profile_url');
  const { restriction, reasons } = fields.look(row);
  const isInactive = row.is_active === false;
  return {
    id,
    name: textIn(row, 'nickname') ?? id,
    ...(picture === undefined ? {} : { picture }),
    type: 'person',
    isDeleted: isInactive,
    isBanned: restriction === 'banned',
    hasOpaqueId: true,
    reasons: fields.kind === 'user' || isInactive ? reasons : reasons.filter((code) => code !== 'object.restricted'),
  };
}

function messageItem(at: string, message: JsonObject, url: string, fields: ExportFields): SourceItem {
  const id = numberIn(message, 'message_id');
  if (!Number.isSafeInteger(id) || Number(id) <= 0) return { type: 'left_out', at, id: at, reason: 'object.broken' };
  const look = fields.of('message').look(message);
  if (look.restriction === 'deleted') return { type: 'left_out', at, id: `${url}:${id}`, reason: 'message.deleted' };
  return { type: 'message', at, message: messageOf(message, url, String(id), look, fields) };
}

function messageOf(message: JsonObject, url: string, id: string, look: Look, fields: ExportFields): SourceMessage {
  const user = objectIn(message, 'user');
  const type = textIn(message, 'type') ?? textIn(message, 'message_type') ?? 'MESG';
  const isAdmin = type === 'ADMM';
  const sender = isAdmin ? undefined : (textIn(user, 'user_id') ?? textIn(message, 'user_id'));
  const text = typeof message.message === 'string' ? message.message : '';
  const time = numberIn(message, 'created_at') ?? Number.NaN;
  const files = filesOfMessage(message).flatMap((file) => fileOf(file, fields));
  const { native, unfit } = nativeOf(message, ['custom_type', 'data', 'sorted_metaarray']);
  const keptFields = meaningful({ ...look.kept, ...unfit });
  const parent = numberIn(message, 'parent_message_id') ?? 0;
  const updated = numberIn(message, 'updated_at') ?? 0;
  const reactions = objectsIn(message, 'reactions').map((reaction) => {
    fields.of('reaction').look(reaction);
    return { name: textIn(reaction, 'key') ?? '', users: textsIn(reaction, 'user_ids') };
  });
  const author = userOf(user, fields.of('user'));
  const facts: MessageFacts = {
    id: `sendbird:${url}:${id}`,
    ...(sender === undefined ? {} : { sender }),
    time: Number.isNaN(time) ? null : time,
    text,
    ...(type === 'MESG' ? {} : { type }),
    ...(parent > 0 ? { thread: String(parent) } : {}),
    ...(reactions.length === 0 ? {} : { reactions }),
    ...(updated > 0 && updated !== time ? { edited: updated } : {}),
    ...(keptFields === undefined ? {} : { more: keptFields }),
  };
  const mentioned = objectsIn(message, 'mentioned_users').flatMap((mention) => {
    fields.of('user').look(mention);
    return textIn(mention, 'user_id') ?? [];
  });
  return {
    channel: url,
    ...(author === undefined ? {} : { people: [author] }),
    time,
    kind: isAdmin ? 'system' : 'message',
    text,
    mentions: [...mentioned, ...textsIn(message, 'mentioned_user_ids')],
    files,
    facts,
    native: scrub(native),
    reasons: look.reasons,
    isRestricted: look.restriction === 'restricted',
  };
}

function fileOf(file: JsonObject, fields: ExportFields): SourceFile[] {
  fields.of('file').look(file);
  const url = textIn(file, 'url');
  if (url === undefined) return [];
  const size = numberIn(file, 'size');
  const type = textIn(file, 'type');
  return [
    {
      id: safeId(url),
      name: textIn(file, 'name') ?? '',
      url,
      ...(size === undefined || size < 0 ? {} : { size: Math.trunc(size) }),
      ...(type === undefined ? {} : { type }),
    },
  ];
}

/** Drops the many empty fields of the platform's answers. */
function meaningful(value: JsonObject | undefined): JsonObject | undefined {
  const isEmpty = (found: JsonValue): boolean =>
    found === null ||
    found === '' ||
    found === 0 ||
    found === false ||
    (typeof found === 'object' && Object.keys(found).length === 0);
  const entries = Object.entries(value ?? {}).filter(([, found]) => !isEmpty(found));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
