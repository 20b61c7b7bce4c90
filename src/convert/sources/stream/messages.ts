// A message row of Stream as a message of the intermediate model.
import { isList, isObject, type JsonObject } from '../../../lib/json.ts';
import type { MessageFacts, SourceFile, SourceMessage, SourceReaction } from '../../export/items.ts';
import type { ReasonCode } from '../../export/reasons.ts';
import { scrub, scrubText } from '../../export/urls.ts';
import { numberIn, objectIn, objectsIn, others, textIn, textsIn, timeOf } from '../../export/values.ts';

const known: ReadonlySet<string> = new Set([
  ...['id', 'channel_id', 'channel_type', 'channel_member_ids', 'user', 'user_id', 'text', 'type', 'created_at'],
  ...['parent_id', 'quoted_message_id', 'attachments', 'mentioned_users', 'mentioned_users_ids', 'updated_at'],
]);

export function streamMessage(
  item: JsonObject,
  channel: string,
  reactions: readonly SourceReaction[] | undefined,
): SourceMessage | ReasonCode {
  if (item.type === 'deleted' || textIn(item, 'deleted_at') !== undefined) return 'message.deleted';
  const id = textIn(item, 'id') ?? '';
  const original = typeof item.text === 'string' ? item.text : '';
  const text = scrubText(original);
  const sender = textIn(item, 'user') ?? textIn(item, 'user_id') ?? textIn(objectIn(item, 'user'), 'id');
  const { time, written } = timeOf(item.created_at);
  const files = objectsIn(item, 'attachments').map(fileOf);
  const left = others(item, known);
  const more = left === undefined ? undefined : scrub(left);
  const type = textIn(item, 'type');
  const thread = textIn(item, 'parent_id');
  const replyTo = textIn(item, 'quoted_message_id');
  const edited = textIn(item, 'updated_at');
  const facts: MessageFacts = {
    id: `stream:${channel}:${id}`,
    ...(sender === undefined ? {} : { sender }),
    time: written,
    text,
    ...(type === undefined || type === 'regular' ? {} : { type }),
    ...(thread === undefined ? {} : { thread }),
    ...(replyTo === undefined ? {} : { reply_to: replyTo }),
    ...(reactions === undefined ? {} : { reactions }),
    ...(edited === undefined || edited === item.created_at ? {} : { edited }),
    ...(isList(item.attachments) && files.length > 0
      ? { files: objectsIn(item, 'attachments').map((file) => scrub(file)) }
      : {}),
    ...(more === undefined ? {} : { more }),
  };
  const mentioned = [
    ...textsIn(item, 'mentioned_users'),
    ...textsIn(item, 'mentioned_users_ids'),
    ...objectsIn(item, 'mentioned_users').flatMap((user) => textIn(user, 'id') ?? []),
  ];
  return {
    channel,
    time,
    kind: type === 'system' ? 'system' : 'message',
    text,
    mentions: mentioned,
    files,
    facts,
    ...(reactions === undefined ? {} : { rowId: id }),
    reasons: text !== original || more !== left ? ['token.removed'] : [],
  };
}

function fileOf(attachment: JsonObject): SourceFile {
  const url = ['asset_url', 'image_url', 'og_scrape_url', 'thumb_url'].flatMap(
    (name) => textIn(attachment, name) ?? [],
  )[0];
  const size = numberIn(attachment, 'file_size');
  const type = textIn(attachment, 'mime_type');
  const name =
    textIn(attachment, 'title') ?? textIn(attachment, 'fallback') ?? textIn(attachment, 'type') ?? 'attachment';
  return {
    id: isObject(attachment) ? (textIn(attachment, 'id') ?? url ?? '') : '',
    name,
    ...(url === undefined ? {} : { url }),
    ...(size === undefined || size < 0 ? {} : { size: Math.trunc(size) }),
    ...(type === undefined ? {} : { type }),
  };
}
