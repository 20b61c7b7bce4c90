// Sendbird's Data Export: JSON files with a channel, its members and its messages. Ids and data stay unchanged.
import type { FileTree } from '../../../lib/file-tree.ts';
import { isList, isObject, isUnusableText, type JsonObject, type JsonValue, reservedKeys } from '../../../lib/json.ts';
import type {
  MessageFacts,
  SourceChannel,
  SourceFile,
  SourceItem,
  SourceMessage,
  SourceUser,
} from '../../export/items.ts';
import { channelFiles, headOf, someHead } from '../../export/json-files.ts';
import { isOneOf, mayBeRestricted, restrictionOf, type SourceRestrictions } from '../../export/restrictions.ts';
import type { ExportSource, OpenExport } from '../../export/source.ts';
import { scrub, scrubText } from '../../export/urls.ts';
import { numberIn, objectIn, objectsIn, others, picked, textIn, textsIn } from '../../export/values.ts';
import { SendbirdLists } from './lists.ts';

const restrictions: SourceRestrictions = {
  user: { is_active: { example: false, becomes: 'kept', when: (value) => value === false } },
  channel: {
    freeze: { example: true, becomes: 'kept' },
    // The code itself is not exported. Without it, a public channel would be open to everybody.
    is_access_code_required: { example: true, becomes: 'kept' },
  },
  member: { state: { example: 'invited', becomes: 'kept', when: isOneOf('invited') } },
  message: { is_removed: { example: true, becomes: 'deleted' } },
};

export const sendbird: ExportSource = {
  name: 'sendbird',
  title: 'Sendbird',
  form: 'a folder or zip file of JSON files from a Data Export, or one such file',
  isSingleFile: true,
  idsAreNames: false,
  // A Data Export has the users and channels of a range of times, in the form of the API, which lists some members of a channel.
  listsEverybody: false,
  restrictions,
  recognises: (tree) => someHead(tree, heads, isExport),
  open,
};

const heads = ['channel'] as const;

function isExport(head: JsonObject | undefined): boolean {
  return head !== undefined && textIn(objectIn(head, 'channel'), 'channel_url') !== undefined;
}

async function open(tree: FileTree): Promise<OpenExport> {
  const members = new Map<string, SourceUser>();
  const heard = new Set<string>();
  const take = (channel: JsonObject): void => {
    for (const member of objectsIn(channel, 'members')) {
      const user = userOf(member);
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
      return channelOf(value);
    },
    ({ created_at: time }) => (typeof time === 'number' ? time : Number.NaN),
  );
  const lists = new SendbirdLists();
  await lists.read(tree, (path) => files.has(path));
  const silent = [...lists.channels.values()].filter((value) => !heard.has(textIn(value, 'channel_url') ?? ''));
  for (const value of silent) take(value);
  const users = new Map(
    [...lists.users.values()].flatMap((value) => userOf(value) ?? []).map((user) => [user.id, user]),
  );
  for (const [id, user] of members) if (!users.has(id)) users.set(id, user);
  const { totalBytes } = files;
  const paths = [...files.paths, ...lists.files];
  const channels = [...files.channels, ...silent.map(channelOf)];
  const read = () =>
    files.read(
      messageItem,
      async (path) => memberItems(path, await headOf(tree, path, heads)),
      (file) => lists.batches(tree, file),
    );
  return { roster: { users: [...users.values()], channels }, totalBytes, files: paths, read };
}

/** Each member is an object of the export. */
function memberItems(path: string, head: JsonObject | undefined): SourceItem[] {
  return objectsIn(objectIn(head ?? {}, 'channel'), 'members').map((member, place): SourceItem => {
    const at = `${path}/channel/members#${place + 1}`;
    const id = textIn(member, 'user_id');
    return id === undefined ? { type: 'left_out', at, id: at, reason: 'object.broken' } : { type: 'user', at, id };
  });
}

function userOf(user: JsonObject): SourceUser | undefined {
  const id = textIn(user, 'user_id');
  if (id === undefined) return undefined;
  const picture = textIn(user, 'profile_url');
  return {
    id,
    name: textIn(user, 'nickname') ?? id,
    ...(picture === undefined ? {} : { picture }),
    type: 'person',
    isDeleted: user.is_active === false,
    hasOpaqueId: true,
    reasons: [
      ...(mayBeRestricted(user, { ...restrictions.user, ...restrictions.member })
        ? (['object.maybe-restricted'] as const)
        : []),
      ...(Object.keys(objectIn(user, 'metadata')).length > 0 ? (['user.profile-fields'] as const) : []),
    ],
  };
}

function channelOf(channel: JsonObject): SourceChannel {
  const members = objectsIn(channel, 'members').flatMap((member) => textIn(member, 'user_id') ?? []);
  const operators = [
    ...objectsIn(channel, 'members').filter(({ role }) => role === 'operator'),
    ...objectsIn(channel, 'operators'),
  ].flatMap((user) => textIn(user, 'user_id') ?? []);
  const { native, unfit } = nativeOf(channel, ['custom_type', 'data', 'cover_url', 'metadata']);
  const invited = objectsIn(channel, 'members').filter(({ state }) => state === 'invited');
  const isPublic = channel.is_public === true && channel.is_access_code_required !== true;
  const isDoubtful =
    mayBeRestricted(channel, restrictions.channel) ||
    objectsIn(channel, 'members').some((member) =>
      mayBeRestricted(member, { ...restrictions.user, ...restrictions.member }),
    );
  const lost = picked(channel, ['created_at', 'message_survival_seconds']);
  return {
    id: textIn(channel, 'channel_url') ?? '',
    name: textIn(channel, 'name') ?? '',
    access: channel.is_distinct === true ? 'direct' : isPublic ? 'public' : 'private',
    native,
    hasOpaqueId: true,
    members,
    invited: invited.flatMap((member) => textIn(member, 'user_id') ?? []),
    operators,
    isArchived: channel.freeze === true,
    facts: { ...unfit, ...lost },
    reasons: [
      ...(isDoubtful ? (['object.maybe-restricted'] as const) : []),
      ...(Object.keys(lost).length > 0 || unfit.metadata !== undefined ? (['channel.fields'] as const) : []),
    ],
  };
}

const known: ReadonlySet<string> = new Set([
  ...[
    'message_id',
    'type',
    'message_type',
    'custom_type',
    'data',
    'user',
    'user_id',
    'message',
    'created_at',
    'updated_at',
  ],
  ...['file', 'files', 'mentioned_users', 'mentioned_user_ids', 'sorted_metaarray', 'parent_message_id', 'reactions'],
  ...['channel_url', 'channel_type', 'is_removed', 'silent', 'mention_type'],
]);

function messageItem(at: string, message: JsonObject, url: string): SourceItem {
  const id = numberIn(message, 'message_id');
  if (!Number.isSafeInteger(id) || Number(id) <= 0) return { type: 'left_out', at, id: at, reason: 'object.broken' };
  if (restrictionOf(message, restrictions.message) === 'deleted')
    return { type: 'left_out', at, id: `${url}:${id}`, reason: 'message.deleted' };
  return { type: 'message', at, message: messageOf(message, url, String(id)) };
}

function messageOf(message: JsonObject, url: string, id: string): SourceMessage {
  const user = objectIn(message, 'user');
  const type = textIn(message, 'type') ?? textIn(message, 'message_type') ?? 'MESG';
  const isAdmin = type === 'ADMM';
  const sender = isAdmin ? undefined : (textIn(user, 'user_id') ?? textIn(message, 'user_id'));
  const original = typeof message.message === 'string' ? message.message : '';
  const text = scrubText(original);
  const time = numberIn(message, 'created_at') ?? Number.NaN;
  const files = [objectIn(message, 'file'), ...objectsIn(message, 'files')].flatMap(fileOf);
  const { native, unfit } = nativeOf(message, ['custom_type', 'data', 'sorted_metaarray']);
  const left = meaningful({ ...others(message, known), ...unfit });
  const parent = numberIn(message, 'parent_message_id') ?? 0;
  const updated = numberIn(message, 'updated_at') ?? 0;
  const reactions = objectsIn(message, 'reactions').map((reaction) => ({
    name: textIn(reaction, 'key') ?? '',
    users: textsIn(reaction, 'user_ids'),
  }));
  const author = userOf(user);
  const facts: MessageFacts = {
    id: `sendbird:${url}:${id}`,
    ...(sender === undefined ? {} : { sender }),
    time: Number.isNaN(time) ? null : time,
    text,
    ...(type === 'MESG' ? {} : { type }),
    ...(parent > 0 ? { thread: String(parent) } : {}),
    ...(reactions.length === 0 ? {} : { reactions }),
    ...(updated > 0 && updated !== time ? { edited: updated } : {}),
    ...(left === undefined ? {} : { more: scrub(left) }),
  };
  const mentioned = objectsIn(message, 'mentioned_users').flatMap((one) => textIn(one, 'user_id') ?? []);
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
    reasons: [
      ...(text === original ? [] : (['token.removed'] as const)),
      ...(left !== undefined && mayBeRestricted(left, restrictions.message)
        ? (['object.maybe-restricted'] as const)
        : []),
    ],
  };
}

const maxCustomType = 128;
const maxCoverUrl = 2048;
const maxMetadata = { fields: 5, key: 128, value: 190 } as const;

const isText = (value: JsonValue | undefined): boolean => typeof value === 'string' && !isUnusableText(value);

function isMetaArray(value: JsonValue): boolean {
  if (!isObject(value)) return false;
  const { key, value: texts, ...more } = value;
  return isText(key) && isList(texts) && texts.every(isText) && Object.keys(more).length === 0;
}

function isMetadata(value: JsonValue): boolean {
  if (!isObject(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= maxMetadata.fields &&
    entries.every(
      ([key, text]) =>
        isText(text) &&
        String(text).length <= maxMetadata.value &&
        key.length <= maxMetadata.key &&
        !isUnusableText(key) &&
        !reservedKeys.has(key) &&
        /^(?!\.{1,2}$)[^,]+$/u.test(key),
    )
  );
}

/** Keeps values that manifests and archive lines allow. The platform writes only such values, but people edit exports. */
const fits = {
  custom_type: (value: JsonValue) => isText(value) && [...String(value)].length <= maxCustomType,
  data: isText,
  cover_url: (value: JsonValue) => isText(value) && String(value).length <= maxCoverUrl,
  metadata: isMetadata,
  sorted_metaarray: (value: JsonValue) => isList(value) && value.every(isMetaArray),
};

/** Fields with the same form in the export and in chatform. Values that do not fit go into the envelope. */
function nativeOf(value: JsonObject, names: readonly (keyof typeof fits)[]) {
  const given = picked(value, names);
  const isNative = (name: keyof typeof fits): boolean => fits[name](given[name] ?? null);
  return {
    native: picked(given, names.filter(isNative)),
    unfit: picked(
      given,
      names.filter((name) => !isNative(name)),
    ),
  };
}

function fileOf(file: JsonObject): SourceFile[] {
  const url = textIn(file, 'url');
  if (url === undefined) return [];
  const size = numberIn(file, 'size');
  const type = textIn(file, 'type');
  return [
    {
      id: url,
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
  const entries = Object.entries(value ?? {}).filter(([name, found]) => !isEmpty(found) && name !== 'message_events');
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
