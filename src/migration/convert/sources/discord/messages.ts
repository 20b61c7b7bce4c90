// Converts a message of DiscordChatExporter to the intermediate model.
import { isList, type JsonObject } from '../../../../lib/json.ts';
import { inTableOrder } from '../../export/fields.ts';
import type { MessageFacts, SourceFile, SourceMessage, SourceReaction, SourceUser } from '../../export/items.ts';
import type { ExportFields, KindFields } from '../../export/look-at-fields.ts';
import type { ReasonCode } from '../../export/reasons.ts';
import { safePlace, scrub } from '../../export/urls.ts';
import { numberIn, objectIn, objectsIn, textIn, timeOf } from '../../export/values.ts';
import { discordFields } from './fields.ts';

const joins: ReadonlySet<string> = new Set(['GuildMemberJoin', 'RecipientAdd', 'RecipientRemove']);
const written: ReadonlySet<string> = new Set([
  ...['Default', 'Reply', 'ThreadStarterMessage', 'ChatInputCommand', 'ContextMenuCommand', '20', '23', '21'],
]);

/** `<:name:id>` and `<a:name:id>` are emoji of the guild, `<t:seconds:style>` times. */
const markup = /<a?:(?<emoji>\w+):\d+>|<t:(?<seconds>-?\d{1,12})(?::\w)?>|<@!?(?<user>\d+)>/gu;

/** The fields of what a message consists of. */
export interface DiscordFields {
  readonly message: KindFields;
  readonly user: KindFields;
  readonly file: KindFields;
  readonly reaction: KindFields;
  readonly emoji: KindFields;
  readonly reference: KindFields;
}

export function discordFieldsOf(fields: ExportFields): DiscordFields {
  return {
    message: fields.of('message'),
    user: fields.of('user'),
    file: fields.of('file'),
    reaction: fields.of('reaction'),
    emoji: fields.of('emoji'),
    reference: fields.of('reference'),
  };
}

export function discordMessage(message: JsonObject, channel: string, id: string, fields: DiscordFields): SourceMessage {
  const text = typeof message.content === 'string' ? message.content : '';
  const author = objectIn(message, 'author');
  const sender = textIn(author, 'id');
  const people = [author, ...objectsIn(message, 'mentions')].flatMap((user) => userOf(user, fields.user) ?? []);
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const type = textIn(message, 'type') ?? 'Default';
  const { time, written: writtenTime } = timeOf(message.timestamp);
  const attachments = objectsIn(message, 'attachments');
  const forwarded = objectIn(message, 'forwardedMessage');
  const files = [...attachments, ...objectsIn(forwarded, 'attachments')].map(fileOf);
  const reactions = objectsIn(message, 'reactions').map((reaction) => reactionOf(reaction, fields));
  const reference = objectIn(message, 'reference');
  const { kept, restriction, reasons: restrictions } = fields.message.look(message);
  const postedAs = isWebhook(author) ? (textIn(author, 'nickname') ?? textIn(author, 'name')) : undefined;
  const more = present({
    ...kept,
    ...elsewhereOf(message, channel, fields.reference),
    ...(postedAs === undefined ? {} : { author: postedAs }),
  });
  const edited = textIn(message, 'timestampEdited');
  const facts: MessageFacts = {
    id: `discord:${channel}:${id}`,
    ...(sender === undefined ? {} : { sender }),
    time: writtenTime,
    text,
    ...(type === 'Default' ? {} : { type }),
    ...(textIn(reference, 'messageId') === undefined ? {} : { reply_to: String(reference.messageId) }),
    ...(reactions.length === 0 ? {} : { reactions }),
    ...(edited === undefined ? {} : { edited: timeOf(edited).written }),
    ...(attachments.length === 0 ? {} : { files: attachments.map((file) => safeAttachment(file, fields.file)) }),
    ...(more === undefined ? {} : { more }),
  };
  const reasons: ReasonCode[] = [];
  if (more?.embeds !== undefined) reasons.push('blocks.enveloped');
  reasons.push(...restrictions);
  const shown = readable(text === '' ? forwardedText(forwarded) : text, names);
  return {
    channel,
    postedAs,
    people,
    time,
    kind: written.has(type) ? 'message' : joins.has(type) ? 'join' : 'system',
    text: shown === '' ? ([message, forwarded].map(embedsText).find((body) => body !== '') ?? '') : shown,
    isRestricted: restriction === 'restricted',
    mentions: objectsIn(message, 'mentions').flatMap((user) => textIn(user, 'id') ?? []),
    files,
    facts,
    reasons,
  };
}

export function isSnowflake(id: string): boolean {
  return /^\d+$/u.test(id);
}

/** A webhook, whose posts may each have another name. Since 2023 people have 0, and bots a number of their own. */
function isWebhook(author: JsonObject): boolean {
  return author.isBot === true && author.discriminator === '0000';
}

function userOf(user: JsonObject, fields: KindFields): SourceUser | undefined {
  const id = textIn(user, 'id');
  if (id === undefined) return undefined;
  const picture = textIn(user, 'avatarUrl');
  const { reasons } = fields.look(user);
  return {
    id,
    handle: textIn(user, 'name'),
    name: textIn(user, 'nickname') ?? textIn(user, 'name') ?? id,
    ...(picture === undefined ? {} : { picture }),
    type: user.isBot === true ? 'bot' : 'person',
    isDeleted: textIn(user, 'name') === 'Deleted User',
    hasOpaqueId: isSnowflake(id),
    reasons,
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
function safeAttachment(attachment: JsonObject, fields: KindFields): JsonObject {
  const url = textIn(attachment, 'url');
  const safe = url === undefined ? undefined : (safePlace(url)?.url ?? (isPathInExport(url) ? url : undefined));
  const { url: _url, ...others } = inTableOrder(fields.look(attachment).kept, discordFields.file);
  return { ...others, ...(safe === undefined ? {} : { url: safe }) };
}

function isPathInExport(text: string): boolean {
  return !/^(?:[a-z][a-z0-9+.-]*:|[\\/])/iu.test(text);
}

function reactionOf(reaction: JsonObject, fields: DiscordFields): SourceReaction {
  const emoji = objectIn(reaction, 'emoji');
  fields.reaction.look(reaction);
  fields.emoji.look(emoji);
  const users = objectsIn(reaction, 'users').flatMap((user) => {
    fields.user.look(user);
    return textIn(user, 'id') ?? [];
  });
  const count = numberIn(reaction, 'count') ?? 0;
  const id = textIn(emoji, 'id');
  return {
    name: textIn(emoji, 'code') ?? textIn(emoji, 'name') ?? '',
    users,
    ...(id === undefined ? {} : { emoji: id }),
    ...(count > users.length ? { count } : {}),
  };
}

/** The text of a message that was forwarded, which has none of its own. */
function forwardedText(forwarded: JsonObject): string {
  return textIn(forwarded, 'content') ?? '';
}

/** Where the message is that this one answers, if it is in another channel. */
function elsewhereOf(message: JsonObject, channel: string, fields: KindFields): JsonObject {
  const reference = objectIn(message, 'reference');
  const { kept } = fields.look(reference);
  const isHere = (textIn(reference, 'channelId') ?? channel) === channel;
  return isHere || kept === undefined ? {} : { reference: inTableOrder(kept, discordFields.reference) };
}

/** Emoji of the guild, times and mentions as text. */
function readable(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(markup, (whole, emoji?: string, seconds?: string, user?: string) => {
    if (emoji !== undefined) return `:${emoji}:`;
    if (seconds !== undefined) return new Date(Number(seconds) * 1000).toISOString();
    return user === undefined ? whole : `@${names.get(user) ?? user}`;
  });
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
    ['title', 'description', 'url'].flatMap((name) => textIn(scrub(embed), name) ?? []),
  );
  const stickers = objectsIn(message, 'stickers').map((sticker) => `[Sticker: ${textIn(sticker, 'name') ?? ''}]`);
  return [...embeds, ...stickers].join('\n');
}
