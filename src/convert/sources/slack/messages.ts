// Converts an entry of a Slack day file to the intermediate model.
import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { MessageFacts, SourceFile, SourceMessage, SourceReaction } from '../../export/items.ts';
import type { ReasonCode } from '../../export/reasons.ts';
import { isOneOf, mayBeRestricted, restrictionOf, type SourceRestrictions } from '../../export/restrictions.ts';
import { mayHoldToken, scrub, scrubText } from '../../export/urls.ts';
import { numberIn, objectIn, objectsIn, others, picked, textIn, textsIn } from '../../export/values.ts';
import { type MentionNames, readable } from './mrkdwn.ts';

export interface SlackContext extends MentionNames {
  /** The user of a bot_id, from users.json. */
  botUser(botId: string): string | undefined;
}

/** Whether the JSON of a day may contain a token. Most days do not, so their messages need no separate check. */
export function hasTokens(dayText: string): boolean {
  return mayHoldToken(dayText) || dayText.includes('\\u');
}

const joins: ReadonlySet<string> = new Set(['channel_join', 'channel_leave', 'group_join', 'group_leave']);
/** Subtypes written by people and bots. Every other subtype is a system message about the channel. */
const written: ReadonlySet<string> = new Set([
  'bot_message',
  'file_comment',
  'file_mention',
  'file_share',
  'me_message',
  'reply_broadcast',
  'slackbot_response',
  'thread_broadcast',
]);
const events: ReadonlySet<string> = new Set(['message_changed', 'message_deleted', 'message_replied']);

/** Fields that the envelope has under other names, that are derived from other messages, or that are personal. */
const known: ReadonlySet<string> = new Set([
  ...['type', 'subtype', 'ts', 'user', 'text', 'thread_ts', 'reactions', 'edited', 'files', 'file'],
  ...['client_msg_id', 'team', 'user_team', 'source_team', 'user_profile', 'parent_user_id'],
  ...[
    'reply_count',
    'reply_users',
    'reply_users_count',
    'latest_reply',
    'replies',
    'subscribed',
    'last_read',
    'is_locked',
  ],
]);
const fileFields = [
  ...['id', 'name', 'title', 'mimetype', 'filetype', 'size', 'created', 'user', 'mode', 'is_external'],
  ...['url_private', 'permalink'],
];

const noFiles: readonly SourceFile[] = [];
const noReasons: readonly ReasonCode[] = [];

export const slackRestrictions: SourceRestrictions = {
  user: {
    deleted: { example: true, becomes: 'kept' },
    // Guests see some channels, and stay members of these alone. users.guests decides about them.
    is_restricted: { example: true, becomes: 'kept' },
    is_ultra_restricted: { example: true, becomes: 'kept' },
  },
  channel: {
    is_private: { example: true, becomes: 'kept' },
    is_archived: { example: true, becomes: 'kept' },
    is_frozen: { example: true, becomes: 'kept' },
  },
  member: {},
  message: {
    is_ephemeral: { example: true, becomes: 'restricted' },
    ephemeral_msg_type: { example: 1, becomes: 'restricted' },
    subtype: { example: 'ephemeral', becomes: 'restricted', when: isOneOf('ephemeral', 'ephemeral_message') },
    hidden: { example: true, becomes: 'restricted' },
    // Of the limit of free plans.
    is_hidden_by_limit: { example: 1, becomes: 'restricted' },
  },
};

/** Returns a reason if the entry is not a message. */
export function slackMessage(
  value: JsonObject,
  channel: string,
  context: SlackContext,
  mayHaveTokens = true,
): SourceMessage | ReasonCode {
  const ts = textIn(value, 'ts') ?? '';
  const time = usualTs.test(ts) ? Number(ts.slice(0, 10) + ts.slice(11, 14)) : millisecondsOf(ts);
  const subtype = textIn(value, 'subtype');
  if (subtype !== undefined && events.has(subtype)) return 'message.event';
  const original = typeof value.text === 'string' ? value.text : '';
  const text = mayHaveTokens ? scrubText(original) : original;
  const sender = senderOf(value, context);
  const files = filesOf(value);
  const more = others(value, known);
  const scrubbedMore = more === undefined || !mayHaveTokens ? more : scrub(more);
  const shown = readable(text, context);
  const body = shown.text === '' ? readable(bodyOf(value), context) : shown;
  const thread = textIn(value, 'thread_ts');
  const facts: MessageFacts = {
    id: `slack:${channel}:${ts}`,
    sender,
    time: Number.isNaN(time) ? null : time,
    text,
    type: subtype,
    thread: thread === ts ? undefined : thread,
    reactions: reactionsOf(value),
    edited: isObject(value.edited) ? picked(value.edited, ['user', 'ts']) : undefined,
    files: files.length === 0 ? undefined : files.map((file) => scrub(picked(file, fileFields))),
    more: scrubbedMore,
  };
  const reasons: ReasonCode[] = [];
  if (value.attachments !== undefined || hasBlocks(value)) reasons.push('blocks.enveloped');
  if (text !== original || scrubbedMore !== more) reasons.push('token.removed');
  if (more !== undefined && mayBeRestricted(more, slackRestrictions.message)) reasons.push('object.maybe-restricted');
  return {
    channel,
    stranger: sender === undefined || context.user(sender) !== undefined ? undefined : strangerOf(value, sender),
    time,
    kind: subtype === undefined || written.has(subtype) ? 'message' : joins.has(subtype) ? 'join' : 'system',
    text: mayHaveTokens ? scrubText(body.text) : body.text,
    mentions: body.mentions,
    // The note in the place of a deleted message is hidden, but says nothing.
    isRestricted: subtype !== 'tombstone' && restrictionOf(value, slackRestrictions.message) === 'restricted',
    files: files.length === 0 ? noFiles : files.map(fileOf),
    facts,
    reasons: reasons.length === 0 ? noReasons : reasons,
  };
}

/** Blocks other than rich text, which repeats the text of the message. */
function hasBlocks({ blocks }: JsonObject): boolean {
  if (!isList(blocks)) return blocks !== undefined;
  return blocks.some((block) => !isObject(block) || block.type !== 'rich_text');
}

const usualTs = /^\d{10}\.\d{6}$/;

/** Parses `1452837318.000002`, truncated to milliseconds; NaN for another form. */
function millisecondsOf(ts: string): number {
  const found = /^(\d{9,11})(?:\.(\d{1,9}))?$/u.exec(ts);
  return found === null ? Number.NaN : Number(found[1]) * 1000 + Number((found[2] ?? '').padEnd(3, '0').slice(0, 3));
}

function senderOf(value: JsonObject, context: SlackContext): string | undefined {
  const user = textIn(value, 'user');
  if (user !== undefined) return user;
  const bot = textIn(value, 'bot_id');
  if (bot !== undefined) return context.botUser(bot) ?? bot;
  return textIn(objectIn(value, 'comment'), 'user');
}

function strangerOf(value: JsonObject, sender: string): NonNullable<SourceMessage['stranger']> {
  const name = senderName(value);
  return { ...(name === undefined ? {} : { name }), isBot: value.bot_id !== undefined || sender === 'USLACKBOT' };
}

function senderName(value: JsonObject): string | undefined {
  const profile = objectIn(value, 'user_profile');
  const name = textIn(profile, 'display_name') ?? textIn(profile, 'real_name') ?? textIn(profile, 'name');
  if (name !== undefined) return name;
  if (value.user === 'USLACKBOT') return 'Slackbot';
  return textIn(objectIn(value, 'bot_profile'), 'name') ?? textIn(value, 'username');
}

function reactionsOf(value: JsonObject): readonly SourceReaction[] | undefined {
  if (!isList(value.reactions)) return undefined;
  const reactions = objectsIn(value, 'reactions').flatMap((reaction): SourceReaction[] => {
    const name = textIn(reaction, 'name');
    const users = textsIn(reaction, 'users');
    const count = numberIn(reaction, 'count') ?? 0;
    // Slack lists at most fifty of those who reacted.
    return name === undefined ? [] : [{ name, users, ...(count > users.length ? { count } : {}) }];
  });
  return reactions.length === 0 ? undefined : reactions;
}

function filesOf(value: JsonObject): readonly JsonObject[] {
  if (value.files === undefined && value.file === undefined) return [];
  return [...objectsIn(value, 'files'), ...(isObject(value.file) ? [value.file] : [])];
}

function fileOf(file: JsonObject): SourceFile {
  const id = textIn(file, 'id') ?? '';
  const url = textIn(file, 'url_private') ?? textIn(file, 'permalink');
  const size = numberIn(file, 'size');
  const type = textIn(file, 'mimetype');
  return {
    id,
    name: textIn(file, 'name') ?? textIn(file, 'title') ?? id,
    ...(url === undefined ? {} : { url }),
    ...(size === undefined || size < 0 ? {} : { size: Math.trunc(size) }),
    ...(type === undefined ? {} : { type }),
  };
}

/** The text of a message without one, from its attachments or else its blocks. */
function bodyOf(value: JsonObject): string {
  const attachments = objectsIn(value, 'attachments').flatMap((attachment) => {
    const parts = ['pretext', 'title', 'text'].flatMap((name) => textIn(attachment, name) ?? []);
    const fallback = textIn(attachment, 'fallback');
    return parts.length > 0 || fallback === undefined ? parts : [fallback];
  });
  return attachments.length > 0 ? attachments.join('\n') : blocksText(value.blocks);
}

function blocksText(value: JsonValue | undefined): string {
  if (isList(value))
    return value
      .map(blocksText)
      .filter((text) => text !== '')
      .join('\n');
  if (!isObject(value)) return '';
  if (
    value.type === 'rich_text_section' ||
    value.type === 'rich_text_preformatted' ||
    value.type === 'rich_text_quote'
  ) {
    return objectsIn(value, 'elements').map(elementText).join('');
  }
  const own = typeof value.text === 'string' ? value.text : blocksText(value.text);
  return [own, blocksText(value.fields), blocksText(value.elements)].filter((text) => text !== '').join('\n');
}

/** In mrkdwn, which is converted to plain text afterwards. */
function elementText(element: JsonObject): string {
  const name = textIn(element, 'name') ?? '';
  switch (element.type) {
    case 'user':
      return `<@${textIn(element, 'user_id') ?? ''}>`;
    case 'channel':
      return `<#${textIn(element, 'channel_id') ?? ''}>`;
    case 'emoji':
      return `:${name}:`;
    case 'broadcast':
      return `<!${textIn(element, 'range') ?? 'here'}>`;
    case 'link':
      return `<${textIn(element, 'url') ?? ''}${textIn(element, 'text') === undefined ? '' : `|${textIn(element, 'text')}`}>`;
    default:
      return (textIn(element, 'text') ?? '').replace(/&/gu, '&amp;').replace(/</gu, '&lt;').replace(/>/gu, '&gt;');
  }
}
