// Slack: a zip or folder with lists of users and conversations, and a folder of day files for each conversation.
import { isAscii, isUtf8 } from 'node:buffer';
import type { FileTree, TreeFile } from '../../../../lib/file-tree.ts';
import { compareText, isList, isObject, type JsonObject, type JsonValue } from '../../../../lib/json.ts';
import type { ExportWindow } from '../../export/coverage.ts';
import { inTableOrder } from '../../export/fields.ts';
import type { SourceChannel, SourceItem, SourceUser } from '../../export/items.ts';
import type { ExportFields } from '../../export/look-at-fields.ts';
import { isClutter } from '../../export/parts.ts';
import type { ReasonCode } from '../../export/reasons.ts';
import { brokenFile, missingFile } from '../../export/refusals.ts';
import type { ExportSource, ItemBatch, OpenExport, OpeningOptions } from '../../export/source.ts';
import { isTooDeep, numberIn, objectIn, textIn, textsIn } from '../../export/values.ts';
import { bytesOf, daysByFolder, isDay, isListed, ownersOf } from './days.ts';
import { slackFields } from './fields.ts';
import { type SlackContext, slackFieldsOf, slackMessage } from './messages.ts';

export const slack: ExportSource = {
  name: 'slack',
  title: 'Slack',
  form: 'a zip file or folder with users.json, channels.json and a folder of day files for each channel',
  isSingleFile: false,
  idsAreNames: false,
  idsArePersonal: false,
  isOpaqueId,
  listsEverybody: true,
  fields: slackFields,
  recognises: (tree) => rootsOf(tree).length > 0,
  open,
};

/** A day of one channel, or a list of the workspace, is parsed whole. */
const maxFileBytes = 256_000_000;

const conversations = {
  'channels.json': 'public',
  'groups.json': 'private',
  'mpims.json': 'direct',
  'dms.json': 'direct',
} as const;
type ConversationList = keyof typeof conversations;
const userLists = ['users.json', 'org_users.json'] as const;
/** Folders with lists of conversations: one per workspace, or several exports of one workspace. */
function rootsOf(tree: FileTree): readonly string[] {
  const lists = tree.files
    .map(({ path }) => path)
    .filter((path) => !isClutter(path) && Object.hasOwn(conversations, path.split('/').at(-1) ?? ''));
  return [...new Set(lists.map((path) => path.slice(0, path.lastIndexOf('/') + 1)))].sort();
}

/** One export, or one workspace of an organisation. */
interface Root {
  /** From the root of the tree: empty, or with a slash at the end. */
  readonly folder: string;
  readonly files: readonly TreeFile[];
  readonly people: readonly List[];
  readonly channelLists: readonly List[];
  readonly days: ReadonlyMap<string, readonly TreeFile[]>;
}

interface List {
  /** From the root of the tree. */
  readonly file: string;
  /** `users.json`. */
  readonly name: string;
  readonly values: readonly JsonValue[];
  readonly bytes: number;
}

async function open(tree: FileTree, { folders, name, fields }: OpeningOptions): Promise<OpenExport> {
  const names = rootsOf(tree);
  const roots: Root[] = [];
  for (const folder of names) {
    // A file belongs to the innermost of the folders that it is in.
    const inner = names.filter((name) => name.startsWith(folder) && name !== folder);
    const files = tree.files.filter(
      ({ path }) => path.startsWith(folder) && !isClutter(path) && !inner.some((name) => path.startsWith(name)),
    );
    roots.push(await rootOf(tree, folder, files));
  }
  // If several exports have the same people, channels or messages, the export with the latest day wins.
  roots.sort((left, right) => compareText(lastDayOf(right), lastDayOf(left)));
  if (roots.every(({ people }) => people.length === 0)) throw missingFile('Slack', 'users.json');
  const people = roots.flatMap((root) => root.people);
  const channelLists = roots.flatMap((root) => root.channelLists);
  const users = people.flatMap(({ values }) => values.filter(isListed).map((value) => userOf(value, fields)));
  const channels = channelLists.flatMap(({ name, values }) =>
    values.filter(isListed).map((value) => channelOf(value, name as ConversationList, fields)),
  );
  const context = contextOf(people, users, channels, fields);
  // Places in a single export are relative to its own folder.
  const start = roots.length === 1 ? (roots[0]?.folder.length ?? 0) : 0;
  const at = (path: string): string => path.slice(start);
  const read = async function* (): AsyncGenerator<ItemBatch> {
    for (const list of people)
      yield { items: itemsOf(list, at(list.file), 'user', fields), bytes: list.bytes, file: list.file };
    for (const list of channelLists)
      yield { items: itemsOf(list, at(list.file), 'channel', fields), bytes: list.bytes, file: list.file };
    for (const root of roots) {
      const lists = new Set([...root.people, ...root.channelLists].map(({ file }) => file));
      for (const file of root.files) {
        if (isDay(file.path) || lists.has(file.path) || !isLog(root, file)) continue;
        yield { items: await otherItems(tree, at(file.path), file), bytes: file.bytes, file: file.path };
      }
      const owners = ownersOf(
        root.folder,
        [root, ...enclosingOf(root, roots)].map((place) => place.channelLists),
        root.days.keys(),
        (folder) => folders.get(at(folder)),
      );
      for (const [folder, ofFolder] of root.days) {
        const channel = owners.get(folder) ?? at(folder);
        const isCanvas = !owners.has(folder) && ofCanvas.test(folder);
        for (const { path, bytes } of ofFolder) {
          const text = textOf(await tree.read(path, maxFileBytes));
          const entries = dayItems(at(path), parse(text), channel, context);
          const items = isCanvas ? canvasItems(entries) : entries;
          yield { items, bytes, file: path, window: root.folder };
        }
      }
    }
  };
  const files = roots.flatMap((root) => root.files.filter((file) => isDay(file.path) || isLog(root, file)));
  return {
    roster: { users, channels },
    totalBytes: bytesOf(files),
    files: files.map(({ path }) => path),
    windows: new Map(roots.map((root) => [root.folder, windowOf(root, roots, name)])),
    read,
  };
}

async function rootOf(tree: FileTree, folder: string, files: readonly TreeFile[]): Promise<Root> {
  const listOf = async (name: string): Promise<List | undefined> => {
    const file = folder + name;
    const found = files.find(({ path }) => path === file);
    if (found === undefined) return undefined;
    const value = parse(textOf(await tree.read(file, maxFileBytes)));
    if (!isList(value))
      throw brokenFile(file, value === undefined ? 'it is not valid JSON' : 'it does not contain a list');
    return { file, name, values: value, bytes: found.bytes };
  };
  const all = async (names: readonly string[]) =>
    (await Promise.all(names.map(listOf))).filter((list) => list !== undefined);
  const people = await all(userLists);
  return { folder, files, people, channelLists: await all(Object.keys(conversations)), days: daysByFolder(files) };
}

/** A JSON file beside the lists, such as the log of integrations. Any other file may belong to a message. */
function isLog({ folder }: Pick<Root, 'folder'>, { path, bytes }: TreeFile): boolean {
  return path.endsWith('.json') && !path.slice(folder.length).includes('/') && bytes <= maxFileBytes;
}

function enclosingOf({ folder }: Root, roots: readonly Root[]): readonly Root[] {
  return roots.filter((other) => folder.startsWith(other.folder));
}

/**
 * Slack names an export after its days. The first day is unreliable, because free plans leave out older months. The last day may
 * be incomplete, and its time zone is unknown.
 */
function windowOf(root: Root, roots: readonly Root[], name: string): ExportWindow {
  const lists = [root, ...enclosingOf(root, roots)].flatMap(({ channelLists }) => channelLists);
  const ids = lists.flatMap(({ values }) => values.filter(isListed).map((value) => textIn(value, 'id') ?? ''));
  const named = root.folder === '' || roots.length === 1 ? `${name}/${root.folder}` : root.folder;
  const last = / Slack export .+ - (?<day>[A-Z][a-z]{2} \d{1,2} \d{4})(?:\.zip)?(?: \(\d+\))?(?:\/|$)/u.exec(named)
    ?.groups?.day;
  const time = last === undefined ? Number.NaN : Date.parse(`${last} UTC`);
  return { channels: new Set(ids), ...(Number.isNaN(time) ? {} : { to: time - earliestZone }) };
}

/** Eastern time zones begin a day up to fourteen hours before UTC. */
const earliestZone = 14 * 3_600_000;

function lastDayOf({ days }: Root): string {
  const names = [...days.values()].map((files) => files.at(-1)?.path.split('/').at(-1) ?? '');
  return names.reduce((last, name) => (name > last ? name : last), '');
}

/** Empty, which is not JSON, if the bytes are not UTF-8. Slack escapes non-ASCII characters. */
function textOf(content: Buffer): string {
  if (isAscii(content)) return content.toString('latin1');
  return isUtf8(content) ? content.toString('utf8') : '';
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) as JsonValue;
  } catch {
    return undefined;
  }
}

function isOpaqueId(id: string): boolean {
  return /^[A-Z0-9]{2,}$/u.test(id);
}

function userOf(value: JsonObject, fields: ExportFields): SourceUser {
  const profile = objectIn(value, 'profile');
  const names = [
    textIn(profile, 'display_name'),
    textIn(profile, 'real_name'),
    textIn(value, 'real_name'),
    textIn(value, 'name'),
  ];
  const picture = ['image_512', 'image_192', 'image_72', 'image_48'].flatMap((name) => textIn(profile, name) ?? [])[0];
  const isGuest = value.is_restricted === true || value.is_ultra_restricted === true;
  const reasons = [...fields.of('user').look(value).reasons, ...fields.of('profile').look(profile).reasons];
  const id = textIn(value, 'id') ?? '';
  return {
    id,
    email: textIn(profile, 'email'),
    handle: textIn(value, 'name'),
    name: names.find((name) => name !== undefined) ?? '',
    ...(picture === undefined ? {} : { picture }),
    type: value.is_bot === true || id === 'USLACKBOT' ? 'bot' : isGuest ? 'guest' : 'person',
    isDeleted: value.deleted === true,
    hasOpaqueId: isOpaqueId(id),
    reasons: [...new Set(reasons)],
  };
}

function channelOf(value: JsonObject, file: ConversationList, fields: ExportFields): SourceChannel {
  const { kept, reasons } = fields.of('channel').look(value);
  for (const name of ['topic', 'purpose']) fields.of('topic').look(objectIn(value, name));
  // A channel that was made private later stays in the list of public ones.
  const access = conversations[file] === 'public' && value.is_private === true ? 'private' : conversations[file];
  const creator = textIn(value, 'creator');
  const texts = ['topic', 'purpose'].flatMap((name) => {
    const text = textIn(objectIn(value, name), 'value');
    // The purpose of a group conversation also contains the names of its members.
    return text === undefined || access === 'direct' ? [] : [[name, text] as const];
  });
  const created = numberIn(value, 'created');
  const id = textIn(value, 'id') ?? '';
  return {
    id,
    // The name of a group conversation consists of the login names of its members.
    name: access === 'direct' ? '' : (textIn(value, 'name') ?? ''),
    access,
    hasOpaqueId: isOpaqueId(id),
    members: textsIn(value, 'members'),
    operators: [],
    ...(creator === undefined ? {} : { creator }),
    isArchived: value.is_archived === true || value.is_frozen === true,
    facts: {
      ...inTableOrder(kept, slackFields.channel),
      // Old exports write the number as text.
      ...(created === undefined ? {} : { created }),
      ...Object.fromEntries(texts),
    },
    reasons,
  };
}

function contextOf(
  people: readonly List[],
  users: readonly SourceUser[],
  channels: readonly SourceChannel[],
  fields: ExportFields,
): SlackContext {
  const userNames = new Map(users.map(({ id, name }) => [id, name]));
  const channelNames = new Map(channels.map(({ id, name }) => [id, name]));
  const bots = people.flatMap(({ values }) =>
    values.filter(isListed).flatMap((value): [string, string][] => {
      const bot = textIn(objectIn(value, 'profile'), 'bot_id');
      return bot === undefined ? [] : [[bot, textIn(value, 'id') ?? '']];
    }),
  );
  const botUsers = new Map(bots);
  return {
    fields: slackFieldsOf(fields),
    user: (id) => userNames.get(id) || undefined,
    channel: (id) => channelNames.get(id) || undefined,
    botUser: (id) => botUsers.get(id),
  };
}

function itemsOf(
  { values, name: list }: List,
  file: string,
  type: 'user' | 'channel',
  fields: ExportFields,
): SourceItem[] {
  return values.map((value, place) => {
    const at = `${file}#${place + 1}`;
    return isListed(value)
      ? {
          type,
          at,
          ...(type === 'user'
            ? namedOf(userOf(value, fields))
            : namedOf(channelOf(value, list as ConversationList, fields))),
        }
      : { type: 'left_out', at, id: at, reason: 'object.broken' };
  });
}

function namedOf({ id, name }: { readonly id: string; readonly name: string }) {
  return { id, name };
}

/** Logs of integrations, canvases and lists. Each entry gets a line, or the whole file if it is not a list. */
async function otherItems(tree: FileTree, name: string, { path }: TreeFile): Promise<SourceItem[]> {
  const leftOut = (at: string, id: string, reason: ReasonCode): SourceItem => ({ type: 'left_out', at, id, reason });
  const value = parse(textOf(await tree.read(path, maxFileBytes)));
  if (value === undefined) return [leftOut(name, name, 'file.broken-json')];
  if (!isList(value)) return [leftOut(name, name, 'file.unknown')];
  return value.map((entry, place) => {
    const at = `${name}#${place + 1}`;
    return leftOut(at, (isObject(entry) ? textIn(entry, 'id') : undefined) ?? at, 'object.not-carried');
  });
}

/** Comments on a canvas are in a folder named after its file. */
const ofCanvas = /(?:^|\/)FC:F[A-Z0-9]+:[^/]*$/u;

function* canvasItems(items: Iterable<SourceItem>): Generator<SourceItem> {
  for (const item of items) {
    if (item.type !== 'message') yield item;
    else
      yield {
        type: 'left_out',
        at: item.at,
        id: item.message.facts.id.replace('slack:', ''),
        reason: 'message.canvas',
      };
  }
}

function* dayItems(
  path: string,
  value: JsonValue | undefined,
  channel: string,
  context: SlackContext,
): Generator<SourceItem> {
  if (!isList(value)) {
    yield { type: 'left_out', at: path, id: path, reason: value === undefined ? 'file.broken-json' : 'file.unknown' };
    return;
  }
  for (const [place, entry] of value.entries()) yield dayItem(`${path}#${place + 1}`, entry, channel, context);
}

function dayItem(at: string, entry: JsonValue, channel: string, context: SlackContext): SourceItem {
  if (!isObject(entry) || isTooDeep(entry)) return { type: 'left_out', at, id: at, reason: 'object.broken' };
  const message = slackMessage(entry, channel, context);
  if (typeof message !== 'string') return { type: 'message', at, message };
  return { type: 'left_out', at, id: `${channel}:${textIn(entry, 'ts') ?? ''}`, reason: message };
}
