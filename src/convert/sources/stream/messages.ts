// Converts a message row of Stream to the intermediate model.
import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { MessageFacts, SourceFile, SourceMessage, SourceReaction, SourceUser } from '../../export/items.ts';
import type { ReasonCode } from '../../export/reasons.ts';
import { isOneOf, mayBeRestricted, restrictionOf, type SourceRestrictions } from '../../export/restrictions.ts';
import { scrub, scrubText } from '../../export/urls.ts';
import { numberIn, objectIn, objectsIn, others, textIn, textsIn, timeOf } from '../../export/values.ts';

const known: ReadonlySet<string> = new Set([
  ...['id', 'channel_id', 'channel_type', 'channel_member_ids', 'user', 'user_id', 'text', 'type', 'created_at'],
  ...['reactions', 'latest_reactions', 'reaction_counts'],
  ...['parent_id', 'quoted_message_id', 'attachments', 'mentioned_users', 'mentioned_users_ids', 'updated_at'],
]);

const userFields: ReadonlySet<string> = new Set([
  ...['id', 'name', 'image', 'role', 'deactivated_at', 'deleted_at', 'banned', 'shadow_banned', 'ban_expires'],
]);

/** Moderation may only flag a message, which everybody can still see. */
function isHiding(value: JsonValue): boolean {
  return isObject(value) && /remove|bounce|block|shadow/iu.test(String(value.action ?? ''));
}

/** Also of the users inside of messages and members. */
export const streamRestrictions: SourceRestrictions = {
  user: {
    banned: { example: true, becomes: 'banned' },
    shadow_banned: { example: true, becomes: 'banned' },
    deactivated_at: { example: '2024-01-01T00:00:00Z', becomes: 'kept' },
    deleted_at: { example: '2024-01-01T00:00:00Z', becomes: 'kept' },
  },
  channel: {
    deleted_at: { example: '2024-01-01T00:00:00Z', becomes: 'deleted' },
    disabled: { example: true, becomes: 'deleted' },
    frozen: { example: true, becomes: 'kept' },
  },
  member: {
    banned: { example: true, becomes: 'no_member' },
    shadow_banned: { example: true, becomes: 'no_member' },
    invite_rejected_at: { example: '2024-01-01T00:00:00Z', becomes: 'no_member' },
  },
  message: {
    restricted_visibility: { example: ['u2'], becomes: 'restricted' },
    shadowed: { example: true, becomes: 'restricted' },
    pending: { example: true, becomes: 'restricted' },
    type: { example: 'ephemeral', becomes: 'restricted', when: isOneOf('ephemeral', 'error') },
    moderation: { example: { action: 'remove' }, becomes: 'restricted', when: isHiding },
    moderation_details: {
      example: { action: 'MESSAGE_RESPONSE_ACTION_BOUNCE' },
      becomes: 'restricted',
      when: isHiding,
    },
    deleted_at: { example: '2024-01-01T00:00:00Z', becomes: 'deleted' },
    // Another name of the soft deletion, in responses.
    deleted: { example: true, becomes: 'deleted' },
  },
};

export function streamUser(id: string, item: JsonObject): SourceUser {
  const picture = textIn(item, 'image');
  return {
    id,
    email: textIn(item, 'email'),
    name: textIn(item, 'name') ?? id,
    ...(picture === undefined ? {} : { picture }),
    type: item.role === 'guest' || item.role === 'anonymous' ? 'guest' : 'person',
    isDeleted: textIn(item, 'deactivated_at') !== undefined || textIn(item, 'deleted_at') !== undefined,
    isBanned: item.banned === true || item.shadow_banned === true,
    hasOpaqueId: true,
    reasons: [
      ...(mayBeRestricted(item, streamRestrictions.user) ? (['object.maybe-restricted'] as const) : []),
      ...(others(item, userFields) === undefined ? [] : (['user.profile-fields'] as const)),
    ],
  };
}

/** Exported messages contain the latest reactions, and the number of all. */
function ownReactions(item: JsonObject): readonly SourceReaction[] | undefined {
  const users = new Map<string, string[]>();
  const listed = isList(item.reactions) ? objectsIn(item, 'reactions') : objectsIn(item, 'latest_reactions');
  for (const reaction of listed) {
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
): SourceMessage | ReasonCode {
  const reactions = rows ?? ownReactions(item);
  const restriction = restrictionOf(item, streamRestrictions.message);
  if (item.type === 'deleted' || restriction === 'deleted') return 'message.deleted';
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
  const people = [objectIn(item, 'user'), ...objectsIn(item, 'mentioned_users')].flatMap((user) => {
    const userId = textIn(user, 'id');
    return userId === undefined ? [] : [streamUser(userId, user)];
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
    reasons: [
      ...(text !== original || more !== left ? (['token.removed'] as const) : []),
      ...(mayBeRestricted(item, streamRestrictions.message) ? (['object.maybe-restricted'] as const) : []),
    ],
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
