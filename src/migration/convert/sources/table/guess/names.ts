// The names by which tables and columns of chat applications are guessed. Names are in lower case, with underscores.
import type { MappingSection } from '../../../../../core/model/tables/mapping.ts';

/** In the order in which they are tried. */
export const tableNames: readonly (readonly [MappingSection, RegExp])[] = [
  ['reactions', /reaction|emoji|likes?$/u],
  ['files', /attachment|upload|(?:^|_)(?:files?|media)$/u],
  [
    'members',
    /membership|member|participant|subscription|subscriber|(?:room|channel|group|chat|conversation)s?_users?$/u,
  ],
  ['messages', /message|msgs?$|(?:^|_)(?:posts?|comments?|chat_?lines?)$/u],
  ['channels', /channel|room|conversation|dialog|(?:^|_)(?:groups?|chats?|threads?|topics?|spaces?)$/u],
  [
    'users',
    /^(?!.*_(?:blocks?|devices?|follow(?:er)?s?|followings?|friends?|logs?|notifications?|permissions?|preferences?|roles?|sessions?|settings?|tokens?|types?)$).*(?:user|person|people|account|profile|employee|customer|contact|agent|member|participant)/u,
  ],
];

const user = [
  'user_id',
  'user',
  'userid',
  'uid',
  'person_id',
  'account_id',
  'member_id',
  'participant_id',
  'profile_id',
];
const channel = [
  'channel_id',
  'room_id',
  'conversation_id',
  'chat_id',
  'group_id',
  'dialog_id',
  'space_id',
  'thread_id',
];
const channelNames = [...channel, 'channel', 'room', 'conversation', 'chat', 'group', 'cid', 'rid'];
const message = ['message_id', 'msg_id', 'post_id', 'message', 'post', 'mid'];
const id = ['id', '_id', 'uuid', 'guid', 'sid', 'pk'];
const time = [
  'created_at',
  'sent_at',
  'posted_at',
  'inserted_at',
  'created',
  'sent',
  'timestamp',
  'ts',
  'date',
  'time',
  'at',
];
const file = ['url', 'href', 'link', 'file_url', 'download_url', 'path'];

/** The names of the columns of each field, the most likely first. */
export const columnNames: Readonly<Record<MappingSection, Readonly<Record<string, readonly string[]>>>> = {
  users: {
    id: [...id, ...user, 'username', 'login', 'email'],
    name: ['display_name', 'full_name', 'name', 'nickname', 'nick', 'realname', 'username', 'login'],
    email: ['email', 'email_address', 'mail'],
    handle: ['username', 'user_name', 'login', 'handle', 'screen_name'],
    picture: ['avatar_url', 'avatar', 'picture', 'photo', 'photo_url', 'image', 'image_url'],
    deleted: ['deleted_at', 'is_deleted', 'deleted', 'deactivated_at', 'disabled_at', 'left_at'],
  },
  channels: {
    id: [...id, ...channelNames],
    name: ['display_name', 'name', 'title', 'subject', 'topic', 'label'],
    creator: ['created_by', 'creator_id', 'creator', 'owner_id', 'owner', 'created_by_id'],
    members: ['member_ids', 'members', 'user_ids', 'participants', 'participant_ids'],
    archived: ['archived_at', 'is_archived', 'archived', 'closed_at', 'is_closed'],
  },
  members: {
    channel: channelNames,
    user,
    operator: ['is_admin', 'is_moderator', 'is_owner', 'is_operator'],
  },
  messages: {
    id: [...id, 'message_id', 'msg_id', 'post_id', 'mid'],
    channel: channelNames,
    sender: ['sender_id', 'author_id', 'from_id', 'sender', 'author', 'created_by', 'posted_by', 'from', ...user],
    time: [...time, 'date_sent', 'send_time', 'sent_on', 'created_on', 'date_created', 'create_time'],
    text: ['text', 'body', 'content', 'message', 'msg', 'message_text', 'message_body', 'comment'],
    reply_to: ['reply_to_id', 'reply_to', 'in_reply_to', 'parent_id', 'parent_message_id', 'quoted_id'],
    thread: ['thread_root', 'root_id', 'thread_ts', 'thread_root_id'],
    edited: ['edited_at', 'edited', 'last_edit', 'edit_time'],
    deleted: ['deleted_at', 'is_deleted', 'deleted'],
  },
  reactions: {
    message,
    user: [...user, 'author_id', 'created_by'],
    name: ['emoji', 'reaction', 'name', 'emoji_name', 'type'],
  },
  files: {
    message,
    id,
    url: file,
    name: ['file_name', 'filename', 'original_name', 'name', 'title'],
    size: ['size', 'file_size', 'bytes', 'byte_size'],
    type: ['mime_type', 'content_type', 'mimetype', 'media_type'],
  },
};

/** The sections whose ids the fields contain. A foreign key that leads there decides where names do not. */
export const referredSections: Readonly<Record<string, MappingSection>> = {
  user: 'users',
  sender: 'users',
  creator: 'users',
  channel: 'channels',
  message: 'messages',
  reply_to: 'messages',
};

/** Columns for ids of people that are names or addresses. */
export const personalIdNames: ReadonlySet<string> = new Set([
  'username',
  'user_name',
  'login',
  'handle',
  'email',
  'email_address',
  'mail',
]);

/** `roomId`, `Room ID` and `room-id` are room_id. */
export function plainName(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1_$2')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/gu, '')
    .toLowerCase();
}
