// Converts an entry of a Slack day file to the intermediate model.
import { isList, isObject, type JsonObject, type JsonValue } from '../../../../lib/json.ts';
import { inTableOrder } from '../../export/fields.ts';
import type { MessageFacts, SourceFile, SourceMessage, SourceReaction } from '../../export/items.ts';
import type { ExportFields, KindFields } from '../../export/look-at-fields.ts';
import type { ReasonCode } from '../../export/reasons.ts';
import { numberIn, objectIn, objectsIn, textIn, textsIn } from '../../export/values.ts';
import { slackFields } from './fields.ts';
import { type MentionNames, readable } from './mrkdwn.ts';

export interface SlackContext extends MentionNames {
  readonly fields: SlackFields;
  /** The user of a bot_id, from users.json. */
  botUser(botId: string): string | undefined;
}

/** The fields of what an entry consists of. */
export interface SlackFields {
  readonly message: KindFields;
  readonly profile: KindFields;
  readonly reaction: KindFields;
  readonly file: KindFields;
}

export function slackFieldsOf(fields: ExportFields): SlackFields {
  return {
    message: fields.of('message'),
    profile: fields.of('profile'),
    reaction: fields.of('reaction'),
    file: fields.of('file'),
  };
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

const noFiles: readonly SourceFile[] = [];
const noReasons: readonly ReasonCode[] = [];

/** Returns a reason if the entry is not a message. */
export function slackMessage(value: JsonObject, channel: string, context: SlackContext): SourceMessage | ReasonCode {
  const ts = textIn(value, 'ts') ?? '';
  const time = usualTs.test(ts) ? Number(ts.slice(0, 10) + ts.slice(11, 14)) : millisecondsOf(ts);
  const subtype = textIn(value, 'subtype');
  if (subtype !== undefined && events.has(subtype)) return 'message.event';
  const text = typeof value.text === 'string' ? value.text : '';
  const sender = senderOf(value, context);
  const files = filesOf(value);
  const { kept: more, restriction, reasons: restrictions } = context.fields.message.look(value);
  if (isObject(value.user_profile)) context.fields.profile.look(value.user_profile);
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
    reactions: reactionsOf(value, context.fields.reaction),
    edited: isObject(value.edited) ? value.edited : undefined,
    files:
      files.length === 0
        ? undefined
        : files.map((file) => inTableOrder(context.fields.file.look(file).kept, slackFields.file)),
    more,
  };
  const reasons: ReasonCode[] = [];
  if (value.attachments !== undefined || hasBlocks(value)) reasons.push('blocks.enveloped');
  reasons.push(...restrictions);
  return {
    channel,
    postedAs: value.bot_id === undefined ? undefined : textIn(value, 'username'),
    stranger: sender === undefined || context.user(sender) !== undefined ? undefined : strangerOf(value, sender),
    time,
    kind: subtype === undefined || written.has(subtype) ? 'message' : joins.has(subtype) ? 'join' : 'system',
    text: body.text,
    mentions: body.mentions,
    // The note in the place of a deleted message is hidden, but says nothing.
    isRestricted: subtype !== 'tombstone' && restriction === 'restricted',
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
  const found = /^(\d{1,11})(?:\.(\d{1,9}))?$/u.exec(ts);
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

function reactionsOf(value: JsonObject, fields: KindFields): readonly SourceReaction[] | undefined {
  if (!isList(value.reactions)) return undefined;
  const reactions = objectsIn(value, 'reactions').flatMap((reaction): SourceReaction[] => {
    fields.look(reaction);
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
  const ownText = typeof value.text === 'string' ? value.text : blocksText(value.text);
  return [ownText, blocksText(value.fields), blocksText(value.elements)].filter((text) => text !== '').join('\n');
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
