// Converts a message row of Stream to the intermediate model.
import { isList, isObject, type JsonObject } from '../../../../lib/json.ts';
import type { MessageFacts, SourceFile, SourceMessage, SourceReaction, SourceUser } from '../../export/items.ts';
import type { ExportFields } from '../../export/look-at-fields.ts';
import type { ReasonCode } from '../../export/reasons.ts';
import { safeId } from '../../export/urls.ts';
import { numberIn, objectIn, objectsIn, textIn, textsIn, timeOf } from '../../export/values.ts';

export function streamUser(id: string, item: JsonObject, fields: ExportFields): SourceUser {
  const picture = textIn(item, 'image');
  const { restriction, reasons } = fields.of('user').look(item);
  return {
    id,
    email: textIn(item, 'email'),
    name: textIn(item, 'name') ?? id,
    ...(picture === undefined ? {} : { picture }),
    type: item.role === 'guest' || item.role === 'anonymous' ? 'guest' : 'person',
    isDeleted: textIn(item, 'deactivated_at') !== undefined || textIn(item, 'deleted_at') !== undefined,
    isBanned: restriction === 'banned',
    hasOpaqueId: true,
    reasons,
  };
}

/** Exported messages contain the latest reactions, and the number of all. */
function ownReactions(item: JsonObject, fields: ExportFields): readonly SourceReaction[] | undefined {
  const users = new Map<string, string[]>();
  const listed = isList(item.reactions) ? objectsIn(item, 'reactions') : objectsIn(item, 'latest_reactions');
  for (const reaction of listed) {
    fields.of('reaction').look(reaction);
    const name = textIn(reaction, 'type') ?? '';
    const user = textIn(reaction, 'user_id') ?? textIn(objectIn(reaction, 'user'), 'id') ?? '';
    users.set(name, [...(users.get(name) ?? []), user]);
  }
  const counts = objectIn(item, 'reaction_counts');
  const names = new Set([...users.keys(), ...Object.keys(counts)]);
  const reactions = [...names].map((name) => {
    const known = users.get(name) ?? [];
    const count = numberIn(counts, name) ?? 0;
    return { name, users: known, ...(count > known.length ? { count } : {}) };
  });
  return reactions.length === 0 ? undefined : reactions;
}

export function streamMessage(
  item: JsonObject,
  channel: string,
  rows: readonly SourceReaction[] | undefined,
  fields: ExportFields,
): SourceMessage | ReasonCode {
  const reactions = rows ?? ownReactions(item, fields);
  const { kept: more, restriction, reasons: restrictions } = fields.of('message').look(item);
  if (item.type === 'deleted' || restriction === 'deleted') return 'message.deleted';
  const id = textIn(item, 'id') ?? '';
  const text = typeof item.text === 'string' ? item.text : '';
  const sender = textIn(item, 'user') ?? textIn(item, 'user_id') ?? textIn(objectIn(item, 'user'), 'id');
  const { time, written } = timeOf(item.created_at);
  const files = objectsIn(item, 'attachments').map((attachment) => fileOf(attachment, fields));
  const type = textIn(item, 'type');
  const thread = textIn(item, 'parent_id');
  const replyTo = textIn(item, 'quoted_message_id');
  const { written: edited } = timeOf(item.updated_at);
  const facts: MessageFacts = {
    id: `stream:${channel}:${id}`,
    ...(sender === undefined ? {} : { sender }),
    time: written,
    text,
    ...(type === undefined || type === 'regular' ? {} : { type }),
    ...(thread === undefined ? {} : { thread }),
    ...(replyTo === undefined ? {} : { reply_to: replyTo }),
    ...(reactions === undefined ? {} : { reactions }),
    ...(edited === null || edited === '' || edited === written ? {} : { edited }),
    ...(isList(item.attachments) && files.length > 0 ? { files: objectsIn(item, 'attachments') } : {}),
    ...(more === undefined ? {} : { more }),
  };
  const mentioned = [
    ...textsIn(item, 'mentioned_users'),
    ...textsIn(item, 'mentioned_users_ids'),
    ...objectsIn(item, 'mentioned_users').flatMap((user) => textIn(user, 'id') ?? []),
  ];
  const people = [objectIn(item, 'user'), ...objectsIn(item, 'mentioned_users')].flatMap((user) => {
    const userId = textIn(user, 'id');
    return userId === undefined ? [] : [streamUser(userId, user, fields)];
  });
  return {
    channel,
    ...(people.length === 0 ? {} : { people }),
    time,
    kind: type === 'system' ? 'system' : 'message',
    text,
    mentions: mentioned,
    isRestricted: restriction === 'restricted',
    files,
    facts,
    ...(rows === undefined ? {} : { rowId: id }),
    reasons: restrictions,
  };
}

function fileOf(attachment: JsonObject, fields: ExportFields): SourceFile {
  fields.of('file').look(attachment);
  const url = ['asset_url', 'image_url', 'og_scrape_url', 'thumb_url'].flatMap(
    (name) => textIn(attachment, name) ?? [],
  )[0];
  const size = numberIn(attachment, 'file_size');
  const type = textIn(attachment, 'mime_type');
  const name =
    textIn(attachment, 'title') ?? textIn(attachment, 'fallback') ?? textIn(attachment, 'type') ?? 'attachment';
  return {
    id: isObject(attachment) ? (textIn(attachment, 'id') ?? safeId(url ?? '')) : '',
    name,
    ...(url === undefined ? {} : { url }),
    ...(size === undefined || size < 0 ? {} : { size: Math.trunc(size) }),
    ...(type === undefined ? {} : { type }),
  };
}
