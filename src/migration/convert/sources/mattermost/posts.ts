// Converts a Mattermost post or reply to the intermediate model.
import { isList, isObject, type JsonObject, type JsonValue } from '../../../../lib/json.ts';
import { type DerivedIds, derivedId } from '../../export/derived-ids.ts';
import { codeIn, emojiPattern, mattermostEmoji, withEmoji } from '../../export/emoji.ts';
import type { MessageFacts, SourceFile, SourceMessage, SourceReaction } from '../../export/items.ts';
import type { ExportFields } from '../../export/look-at-fields.ts';
import type { ReasonCode } from '../../export/reasons.ts';
import { numberIn, objectIn, objectsIn, textIn } from '../../export/values.ts';
import type { SourceNames } from './names.ts';

export interface PostContext {
  readonly fields: ExportFields;
  readonly names: SourceNames;
  /** By source id. */
  isUser(id: string): boolean;
  /** The messages of the export that is being read. */
  readonly ids: DerivedIds;
  /** The size of an attachment in bytes, if the export contains it. */
  sizeOf(path: string): number | undefined;
}

const joinType = /^system_(?:join|leave|add|remove)/u;
const emojiNames = new RegExp(emojiPattern, 'gu');
/** Fenced blocks, of which the last may have no end, and spans between equally many backticks. */
const code =
  /^ {0,3}(?<fence>`{3,}|~{3,})[^`\n]*\n(?:[\s\S]*?^ {0,3}\k<fence>[`~]*[ \t]*$|[\s\S]*)|(?<!`)(?<ticks>`+)(?!`)[\s\S]*?(?<!`)\k<ticks>(?!`)/gmu;
const mention = /(?<![\w@.])@(?<name>[a-z0-9][a-z0-9._-]*)/giu;

interface ReadPost {
  readonly message: SourceMessage;
  readonly isDeleted: boolean;
}

/** Posts have no ids. `root`: the id of the post that this one answers. */
export function postMessage(
  post: JsonObject,
  channel: string,
  root: string | undefined,
  { names, isUser, sizeOf, fields, ids }: PostContext,
): ReadPost {
  const { kept, restriction, reasons: restrictions } = fields.of('message').look(post);
  const text = typeof post.message === 'string' ? post.message : '';
  const user = textIn(post, 'user');
  const sender = user === undefined ? undefined : names.user(user);
  const time = numberIn(post, 'create_at') ?? Number.NaN;
  const type = textIn(post, 'type');
  const id = ids.numbered(channel, derivedId(time, sender), text, '');
  const edited = numberIn(post, 'edit_at') ?? 0;
  const more = withIds(kept, names);
  const files = objectsIn(post, 'attachments').map((attachment): SourceFile => {
    const path = textIn(attachment, 'path') ?? '';
    fields.of('file').look(attachment);
    const size = sizeOf(path);
    return { id: path, path, name: path.split('/').at(-1) ?? path, ...(size === undefined ? {} : { size }) };
  });
  const reactions = objectsIn(post, 'reactions');
  for (const reaction of reactions) fields.of('reaction').look(reaction);
  const facts: MessageFacts = {
    id: `mattermost:${channel}:${id}`,
    ...(sender === undefined ? {} : { sender }),
    time: Number.isNaN(time) ? null : time,
    text,
    ...(type === undefined ? {} : { type }),
    ...(root === undefined ? {} : { thread: root }),
    ...(reactions.length === 0 ? {} : { reactions: reactionsOf(reactions, names) }),
    ...(edited > 0 ? { edited } : {}),
    ...(files.length === 0 ? {} : { files: objectsIn(post, 'attachments') }),
    ...(more === undefined ? {} : { more }),
  };
  const reasons: ReasonCode[] = [];
  if (isObject(post.props) && post.props.attachments !== undefined) reasons.push('blocks.enveloped');
  reasons.push(...restrictions);
  const message: SourceMessage = {
    channel,
    postedAs: textIn(objectIn(post, 'props'), 'override_username'),
    time,
    kind: type === undefined || !type.startsWith('system_') ? 'message' : joinType.test(type) ? 'join' : 'system',
    text: readable(text === '' ? attachmentsText(post) : text),
    isRestricted: restriction === 'restricted',
    mentions: mentionsIn(text, names, isUser),
    files,
    facts,
    reasons,
  };
  return { message, isDeleted: restriction === 'deleted' };
}

/** The text of a webhook's post may be only in its attachments. */
function attachmentsText(post: JsonObject): string {
  const attachments = objectsIn(objectIn(post, 'props'), 'attachments').flatMap((attachment) => {
    const parts = ['pretext', 'title', 'text'].flatMap((name) => textIn(attachment, name) ?? []);
    return parts.length > 0 ? parts : (textIn(attachment, 'fallback') ?? []);
  });
  return attachments.join('\n');
}

/** Markdown stays unchanged. Emoji names become emoji, except in code. */
function readable(text: string): string {
  if (!text.includes(':')) return text;
  const isCode = codeIn(text, code);
  return text.replace(emojiNames, (names: string, offset: number) =>
    isCode(offset) ? names : withEmoji(names, mattermostEmoji),
  );
}

/** A dot or hyphen after a name may be the end of a sentence. */
function mentionsIn(text: string, names: SourceNames, isUser: (id: string) => boolean): readonly string[] {
  if (!text.includes('@')) return [];
  const found = [...text.matchAll(mention)].flatMap(({ groups }) => {
    const name = (groups?.name ?? '').toLowerCase();
    return [name, name.replace(/[._-]+$/u, '')].map((handle) => names.user(handle)).find(isUser) ?? [];
  });
  return [...new Set(found)];
}

/** Grouped by name, in the order of the post, without duplicate users. */
function reactionsOf(reactions: readonly JsonObject[], names: SourceNames): SourceReaction[] {
  const byName = new Map<string, { user: string; at: number | undefined }[]>();
  for (const reaction of reactions) {
    const name = textIn(reaction, 'emoji_name') ?? '';
    const reactor = { user: names.user(textIn(reaction, 'user') ?? ''), at: numberIn(reaction, 'create_at') };
    byName.set(name, [...(byName.get(name) ?? []), reactor]);
  }
  return [...byName].map(([name, ones]) => ({
    name,
    users: ones.map(({ user }) => user),
    at: ones.map(({ at }) => at ?? null),
  }));
}

/** Lists of people in a post have the names of the day of the export. */
function withIds(value: JsonObject | undefined, names: SourceNames): JsonObject | undefined {
  if (value === undefined || (value.flagged_by === undefined && value.thread_followers === undefined)) return value;
  const idOf = (person: JsonValue): JsonValue => {
    if (typeof person === 'string') return names.user(person);
    return isObject(person) && typeof person.user === 'string' ? { ...person, user: names.user(person.user) } : person;
  };
  const lists = ['flagged_by', 'thread_followers'].flatMap((name) => {
    const list = value[name];
    return isList(list) ? [[name, list.map(idOf)] as const] : [];
  });
  return { ...value, ...Object.fromEntries(lists) };
}
