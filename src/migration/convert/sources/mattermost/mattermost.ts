// Mattermost: a JSONL file, alone or in a zip, with one object per line. Replies are inside their posts.

import { digestText } from '../../../../lib/digest.ts';
import type { FileTree } from '../../../../lib/file-tree.ts';
import { isObject, type JsonObject } from '../../../../lib/json.ts';
import type { ExportWindow } from '../../export/coverage.ts';
import { DerivedIds } from '../../export/derived-ids.ts';
import { inTableOrder } from '../../export/fields.ts';
import type { Roster, SourceChannel, SourceItem, SourceUser } from '../../export/items.ts';
import { parsedLines } from '../../export/lines.ts';
import type { ExportFields } from '../../export/look-at-fields.ts';
import type { ExportSource, ItemBatch, OpenExport, OpeningOptions } from '../../export/source.ts';
import { naturally, numberIn, objectIn, objectsIn, textIn, textsIn, timeOf } from '../../export/values.ts';
import { mattermostFields } from './fields.ts';
import { SourceNames } from './names.ts';
import { type PostContext, postMessage } from './posts.ts';

export const mattermost: ExportSource = {
  name: 'mattermost',
  title: 'Mattermost',
  form: 'a JSONL file from mmctl export, or a zip file that contains one',
  isSingleFile: true,
  idsAreNames: true,
  idsArePersonal: true,
  isOpaqueId: () => false,
  listsEverybody: true,
  fields: mattermostFields,
  recognises,
  open,
};

/** The folder of attachments, which may include JSONL files. */
const attachments = /(?:^|\/)data\//u;

/** The files of an export in parts, in the order of their numbers. */
async function lineFiles(tree: FileTree): Promise<readonly string[]> {
  const paths = tree.files.map(({ path }) => path);
  if (tree.type === 'file') return (await hasRows(tree, paths[0] ?? '')) ? paths : [];
  const found: string[] = [];
  for (const path of naturally(paths.filter((file) => /\.(?:jsonl|ndjson)$/u.test(file)))) {
    if (await hasRows(tree, path)) found.push(path);
  }
  const outside = found.filter((path) => !attachments.test(path));
  return outside.length > 0 ? outside : found;
}

async function recognises(tree: FileTree): Promise<boolean> {
  return (await lineFiles(tree)).length > 0;
}

async function hasRows(tree: FileTree, file: string): Promise<boolean> {
  for await (const { lines } of parsedLines(await tree.stream(file))) {
    const [first] = lines;
    if (first === undefined) continue;
    const { value } = first;
    return value?.type === 'version' || (value !== undefined && isObject(value[String(value.type)]));
  }
  return false;
}

/** Posts are read only once, later. */
const isNoPost = (text: string): boolean => !/^\s*\{\s*"type"\s*:\s*"post"/u.test(text);

async function open(tree: FileTree, { renamed, fields }: OpeningOptions): Promise<OpenExport> {
  const files = await lineFiles(tree);
  const names = new SourceNames(renamed);
  const roster = await readRoster(tree, files, names, fields);
  const { exportOf } = roster;
  const users = new Set(roster.users.map(({ id }) => id));
  const sizes = new Map(tree.files.map(({ path, bytes }) => [path, bytes]));
  const context: Omit<PostContext, 'ids'> = {
    fields,
    names,
    isUser: (id) => users.has(id),
    sizeOf: (path) => sizes.get(path) ?? sizes.get(`data/${path}`),
  };
  const known = new Set(roster.channels.map(({ id }) => id));
  const read = async function* (): AsyncGenerator<ItemBatch> {
    let ids = new DerivedIds();
    let last: string | undefined;
    for (const file of files) {
      const window = exportOf.get(file) ?? '';
      if (window !== last) ids = new DerivedIds();
      last = window;
      for await (const { lines, bytes } of parsedLines(await tree.stream(file))) {
        const items = lines.flatMap(({ number, value }) =>
          itemsOf(`${file}#${number}`, value, known, { ...context, ids }),
        );
        yield { items, bytes, file, window };
      }
    }
  };
  const totalBytes = files.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);
  return { roster, totalBytes, files, lacksPeople: roster.users.length === 0, windows: roster.windows, read };
}

/** Needs two passes, because users name their channels and come after them. */
async function readRoster(tree: FileTree, files: readonly string[], names: SourceNames, fields: ExportFields) {
  const users = new Map<string, SourceUser>();
  const channels = new Map<string, SourceChannel>();
  const members = new Map<string, Set<string>>();
  const operators = new Map<string, Set<string>>();
  // A file that begins with a version is an export of its own. The files after it are further parts of it.
  const windows = new Map<string, ExportWindow>();
  const exportOf = new Map<string, string>();
  let name = '';
  const take = (value: JsonObject): void => {
    const object = objectIn(value, String(value.type));
    if (value.type === 'user' || value.type === 'bot') {
      const user = userOf(object, value.type === 'bot', names, fields);
      names.list('users', textIn(object, 'username') ?? '', user.id);
      if (!users.has(user.id)) users.set(user.id, user);
      for (const { channel, isOperator } of membershipsOf(object, names, fields)) {
        addTo(members, channel, user.id);
        if (isOperator) addTo(operators, channel, user.id);
      }
    } else if (value.type === 'channel') {
      const channel = channelOf(object, names, fields);
      names.list('channels', `${textIn(object, 'team') ?? ''}_${textIn(object, 'name') ?? ''}`, channel.id);
      if (!channels.has(channel.id)) channels.set(channel.id, channel);
    } else if (value.type === 'direct_channel' || value.type === 'direct_post') {
      const channel = directChannelOf(object, names, value.type === 'direct_channel' ? fields : undefined);
      if (!channels.has(channel.id)) channels.set(channel.id, channel);
    }
  };
  for (const file of files) {
    for await (const { lines } of parsedLines(await tree.stream(file), isNoPost)) {
      for (const { value } of lines) {
        if (value === undefined) continue;
        if (value.type === 'version') {
          name = file;
          windows.set(name, windowOf(value));
        } else take(value);
      }
    }
    exportOf.set(file, name);
  }
  const withMembers = [...channels.values()].map((channel) =>
    channel.access === 'direct'
      ? channel
      : {
          ...channel,
          members: [...(members.get(channel.id) ?? [])],
          operators: [...(operators.get(channel.id) ?? [])],
        },
  );
  const roster: Roster = { users: [...users.values()], channels: withMembers };
  return { ...roster, windows, exportOf };
}

/** The first line of an export states when it was made. An export has all messages until then. */
function windowOf(version: JsonObject): ExportWindow {
  const { time } = timeOf(objectIn(version, 'info').created);
  return Number.isNaN(time) ? {} : { takenAt: time, to: time };
}

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, new Set([value]));
  else known.add(value);
}

function userOf(user: JsonObject, isBot: boolean, names: SourceNames, fields: ExportFields): SourceUser {
  const username = textIn(user, 'username') ?? '';
  const fullName = [textIn(user, 'first_name'), textIn(user, 'last_name')]
    .filter((name) => name !== undefined)
    .join(' ');
  return {
    id: names.user(username),
    email: textIn(user, 'email'),
    handle: username,
    name: (textIn(user, 'nickname') ?? textIn(user, 'display_name') ?? fullName) || username,
    type: isBot ? 'bot' : (textIn(user, 'roles') ?? '').includes('system_guest') ? 'guest' : 'person',
    isDeleted: (numberIn(user, 'delete_at') ?? 0) > 0,
    hasOpaqueId: false,
    reasons: fields.of('user').look(user).reasons,
  };
}

function membershipsOf(
  user: JsonObject,
  names: SourceNames,
  fields: ExportFields,
): { readonly channel: string; readonly isOperator: boolean }[] {
  return objectsIn(user, 'teams').flatMap((team) => {
    fields.of('team').look(team);
    return objectsIn(team, 'channels').map((channel) => {
      fields.of('member').look(channel);
      return {
        channel: names.channel(textIn(team, 'name') ?? '', textIn(channel, 'name') ?? ''),
        isOperator: (textIn(channel, 'roles') ?? '').includes('channel_admin'),
      };
    });
  });
}

function channelOf(channel: JsonObject, names: SourceNames, fields: ExportFields): SourceChannel {
  const { kept, reasons } = fields.of('channel').look(channel);
  return {
    id: names.channel(textIn(channel, 'team') ?? '', textIn(channel, 'name') ?? ''),
    name: textIn(channel, 'display_name') ?? textIn(channel, 'name') ?? '',
    access: channel.type === 'O' ? 'public' : 'private',
    hasOpaqueId: true,
    members: [],
    operators: [],
    isArchived: (numberIn(channel, 'deleted_at') ?? numberIn(channel, 'delete_at') ?? 0) > 0,
    facts: inTableOrder(kept, mattermostFields.channel),
    reasons,
  };
}

function directMembers(object: JsonObject, names: SourceNames): readonly string[] {
  const fields = ['channel_members', 'members'].map((name) => textsIn(object, name));
  const participants = objectsIn(object, 'participants').flatMap(
    (participant) => textIn(participant, 'username') ?? [],
  );
  return [...new Set([...fields.flat(), ...participants].map((name) => names.user(name)))].sort();
}

/** The id is derived from the members, but does not contain their names. */
function directId(members: readonly string[]): string {
  return `direct-${digestText(JSON.stringify(members)).slice(0, 20)}`;
}

/** `fields` is undefined for a post, which is not a row of its channel. */
function directChannelOf(object: JsonObject, names: SourceNames, fields?: ExportFields): SourceChannel {
  const members = directMembers(object, names);
  for (const person of objectsIn(object, 'participants')) fields?.of('participant').look(person);
  const { kept, reasons = [] } = fields?.of('channel').look(object) ?? {};
  return {
    id: directId(members),
    name: '',
    access: 'direct',
    hasOpaqueId: true,
    members,
    operators: [],
    isArchived: false,
    facts: inTableOrder(kept, mattermostFields.channel),
    reasons,
  };
}

/** One line: an object, or a post with its replies. */
function itemsOf(
  at: string,
  value: JsonObject | undefined,
  channels: ReadonlySet<string>,
  context: PostContext,
): SourceItem[] {
  const { names } = context;
  const object = value === undefined ? undefined : value[String(value.type)];
  if (value?.type === 'version') return [{ type: 'left_out', at, id: at, reason: 'object.not-carried' }];
  if (!isObject(object)) return [{ type: 'left_out', at, id: at, reason: 'object.broken' }];
  switch (value?.type) {
    case 'user':
    case 'bot': {
      const { id, name } = userOf(object, value.type === 'bot', names, context.fields);
      membershipsOf(object, names, context.fields);
      return [{ type: 'user', at, id, name }];
    }
    case 'channel': {
      const { id, name } = channelOf(object, names, context.fields);
      return [{ type: 'channel', at, id, name }];
    }
    case 'direct_channel':
      return [{ type: 'channel', at, id: directChannelOf(object, names, context.fields).id }];
    case 'post':
    case 'direct_post': {
      const channel =
        value.type === 'post'
          ? names.channel(textIn(object, 'team') ?? '', textIn(object, 'channel') ?? '')
          : directId(directMembers(object, names));
      return postItems(at, object, channels.has(channel) ? channel : `?${channel}`, context);
    }
    default:
      return [{ type: 'left_out', at, id: textIn(object, 'name') ?? at, reason: 'object.not-carried' }];
  }
}

function postItems(at: string, post: JsonObject, channel: string, context: PostContext): SourceItem[] {
  const root = postMessage(post, channel, undefined, context);
  const rootId = root.message.facts.id.slice(`mattermost:${channel}:`.length);
  const replies = objectsIn(post, 'replies').map(
    (reply, place): SourceItem => postItem(`${at}/replies#${place + 1}`, postMessage(reply, channel, rootId, context)),
  );
  return [postItem(at, root), ...replies];
}

function postItem(at: string, { message, isDeleted }: ReturnType<typeof postMessage>): SourceItem {
  if (!isDeleted) return { type: 'message', at, message };
  return { type: 'left_out', at, id: message.facts.id.replace('mattermost:', ''), reason: 'message.deleted' };
}
