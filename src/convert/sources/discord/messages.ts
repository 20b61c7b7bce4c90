// Converts a message of DiscordChatExporter to the intermediate model.
import { isList, type JsonObject } from '../../../lib/json.ts';
import type { MessageFacts, SourceFile, SourceMessage, SourceReaction, SourceUser } from '../../export/items.ts';
import type { ReasonCode } from '../../export/reasons.ts';
import { mayBeRestricted, restrictionOf, type SourceRestrictions } from '../../export/restrictions.ts';
import { scrub, scrubText, withoutToken } from '../../export/urls.ts';
import { numberIn, objectIn, objectsIn, others, picked, textIn, timeOf } from '../../export/values.ts';

const known: ReadonlySet<string> = new Set([
  ...['id', 'type', 'timestamp', 'timestampEdited', 'content', 'author', 'attachments', 'reactions', 'mentions'],
  ...['reference'],
]);
const joins: ReadonlySet<string> = new Set(['GuildMemberJoin', 'RecipientAdd', 'RecipientRemove']);
const written: ReadonlySet<string> = new Set([
  ...['Default', 'Reply', 'ThreadStarterMessage', 'ChatInputCommand', 'ContextMenuCommand', '20', '23', '21'],
]);

/** `<:name:id>` and `<a:name:id>` are emoji of the guild, `<t:seconds:style>` times. */
const markup = /<a?:(?<emoji>\w+):\d+>|<t:(?<seconds>-?\d{1,12})(?::\w)?>|<@!?(?<user>\d+)>/gu;

/** The bit of messages that only one person sees (Discord, message flags). */
const ephemeralFlag = 64;

/** Permissions are not exported, so channels are private until people decide otherwise. */
export const discordRestrictions: SourceRestrictions = {
  user: {},
  channel: {},
  member: {},
  message: {
    flags: {
      example: 'Ephemeral',
      becomes: 'restricted',
      when: (value) =>
        typeof value === 'number' ? (value & ephemeralFlag) !== 0 : /ephemeral/iu.test(JSON.stringify(value)),
    },
  },
};

export function discordMessage(message: JsonObject, channel: string, id: string): SourceMessage {
  const original = typeof message.content === 'string' ? message.content : '';
  const text = scrubText(original);
  const author = objectIn(message, 'author');
  const sender = textIn(author, 'id');
  const people = [author, ...objectsIn(message, 'mentions')].flatMap((user) => userOf(user) ?? []);
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const type = textIn(message, 'type') ?? 'Default';
  const { time, written: writtenTime } = timeOf(message.timestamp);
  const files = objectsIn(message, 'attachments').map(fileOf);
  const reactions = objectsIn(message, 'reactions').map(reactionOf);
  const reference = objectIn(message, 'reference');
  const left = present(others(message, known));
  const more = left === undefined ? undefined : scrub(left);
  const edited = textIn(message, 'timestampEdited');
  const facts: MessageFacts = {
    id: `discord:${channel}:${id}`,
    ...(sender === undefined ? {} : { sender }),
    time: writtenTime,
    text,
    ...(type === 'Default' ? {} : { type }),
    ...(textIn(reference, 'messageId') === undefined ? {} : { reply_to: String(reference.messageId) }),
    ...(reactions.length === 0 ? {} : { reactions }),
    ...(edited === undefined ? {} : { edited }),
    ...(files.length === 0 ? {} : { files: objectsIn(message, 'attachments').map(safeAttachment) }),
    ...(more === undefined ? {} : { more }),
  };
  const reasons: ReasonCode[] = [];
  if (left?.embeds !== undefined) reasons.push('blocks.enveloped');
  if (text !== original || more !== left) reasons.push('token.removed');
  if (left !== undefined && mayBeRestricted(left, discordRestrictions.message)) reasons.push('object.maybe-restricted');
  const shown = text.replace(markup, (whole, emoji?: string, seconds?: string, user?: string) => {
    if (emoji !== undefined) return `:${emoji}:`;
    if (seconds !== undefined) return new Date(Number(seconds) * 1000).toISOString();
    return user === undefined ? whole : `@${names.get(user) ?? user}`;
  });
  return {
    channel,
    people,
    time,
    kind: written.has(type) ? 'message' : joins.has(type) ? 'join' : 'system',
    text: shown === '' ? embedsText(message) : shown,
    isRestricted: restrictionOf(message, discordRestrictions.message) === 'restricted',
    mentions: objectsIn(message, 'mentions').flatMap((user) => textIn(user, 'id') ?? []),
    files,
    facts,
    reasons,
  };
}

function userOf(user: JsonObject): SourceUser | undefined {
  const id = textIn(user, 'id');
  if (id === undefined) return undefined;
  const picture = textIn(user, 'avatarUrl');
  return {
    id,
    handle: textIn(user, 'name'),
    name: textIn(user, 'nickname') ?? textIn(user, 'name') ?? id,
    ...(picture === undefined ? {} : { picture }),
    type: user.isBot === true ? 'bot' : 'person',
    isDeleted: textIn(user, 'name') === 'Deleted User',
    hasOpaqueId: /^\d+$/u.test(id),
    reasons: [],
  };
}

function fileOf(attachment: JsonObject): SourceFile {
  const url = textIn(attachment, 'url');
  const size = numberIn(attachment, 'fileSizeBytes');
  const id = textIn(attachment, 'id') ?? '';
  return {
    id,
    name: textIn(attachment, 'fileName') ?? id,
    ...(url === undefined ? {} : { url }),
    ...(size === undefined || size < 0 ? {} : { size: Math.trunc(size) }),
  };
}

/** The URL is signed for a day. With --media it is a path in the export; a path on the exporting machine is dropped. */
function safeAttachment(attachment: JsonObject): JsonObject {
  const url = textIn(attachment, 'url');
  const safe = url === undefined ? undefined : (withoutToken(url)?.url ?? (isPathInExport(url) ? url : undefined));
  return scrub({
    ...picked(attachment, ['id', 'fileName', 'fileSizeBytes']),
    ...(safe === undefined ? {} : { url: safe }),
  });
}

function isPathInExport(text: string): boolean {
  return !/^(?:[a-z][a-z0-9+.-]*:|[\\/])/iu.test(text);
}

function reactionOf(reaction: JsonObject): SourceReaction {
  const emoji = objectIn(reaction, 'emoji');
  const users = objectsIn(reaction, 'users').flatMap((user) => textIn(user, 'id') ?? []);
  const count = numberIn(reaction, 'count') ?? 0;
  const id = textIn(emoji, 'id');
  return {
    name: textIn(emoji, 'code') ?? textIn(emoji, 'name') ?? '',
    users,
    ...(id === undefined ? {} : { emoji: id }),
    ...(count > users.length ? { count } : {}),
  };
}

/** Drops empty lists and null, which the exporter writes everywhere. */
function present(value: JsonObject | undefined): JsonObject | undefined {
  const entries = Object.entries(value ?? {}).filter(
    ([, found]) => found !== null && found !== false && !(isList(found) && found.length === 0),
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function embedsText(message: JsonObject): string {
  const embeds = objectsIn(message, 'embeds').flatMap((embed) =>
    ['title', 'description', 'url'].flatMap((name) => textIn(embed, name) ?? []),
  );
  const stickers = objectsIn(message, 'stickers').map((sticker) => `[Sticker: ${textIn(sticker, 'name') ?? ''}]`);
  return scrubText([...embeds, ...stickers].join('\n'));
}
