// Converts Slack's mrkdwn to plain text: mentions, channels, links, entities and emoji.
import { codeIn, emojiPattern, slackEmoji, withEmoji } from '../../export/emoji.ts';

export interface MentionNames {
  user(id: string): string | undefined;
  channel(id: string): string | undefined;
}

export interface Readable {
  readonly text: string;
  /** Slack ids of mentioned users, in text order. */
  readonly mentions: readonly string[];
}

const token = new RegExp(String.raw`<(?<tag>[^<>\n]*)>|&(?<entity>amp|lt|gt);|(?<emoji>${emojiPattern})`, 'gu');
/** A quick test, because most texts contain no markup. */
const mayHoldMarkup = /[<&]|:[a-z0-9_+'-]+:/;
/** Emoji names in code stay unchanged. */
const code = /```[\s\S]*?```|`[^`\n]+`/gu;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };
const noMentions: readonly string[] = [];

/** The match of `token`, its groups by position, and its offset. */
type Found = [
  whole: string,
  tag: string | undefined,
  entity: string | undefined,
  emoji: string | undefined,
  offset: number,
];

export function readable(mrkdwn: string, names: MentionNames): Readable {
  if (!mayHoldMarkup.test(mrkdwn)) return { text: mrkdwn, mentions: noMentions };
  const mentions: string[] = [];
  const isCode = codeIn(mrkdwn, code);
  const text = mrkdwn.replace(token, (...[whole, tag, entity, emoji, offset]: Found) => {
    if (tag !== undefined) return tagText(tag, names, mentions);
    if (entity !== undefined) return entities[entity] ?? whole;
    return emoji === undefined || isCode(offset) ? whole : withEmoji(emoji, slackEmoji);
  });
  return { text, mentions };
}

function tagText(tag: string, names: MentionNames, mentions: string[]): string {
  const bar = tag.indexOf('|');
  const target = bar < 0 ? tag : tag.slice(0, bar);
  const label = bar < 0 ? '' : unescaped(tag.slice(bar + 1));
  const name = target.slice(1);
  switch (target[0]) {
    case '@':
      mentions.push(name);
      return `@${(names.user(name) ?? label) || name}`;
    case '#':
      return `#${(label || names.channel(name)) ?? name}`;
    case '!':
      return broadcast(name, label);
    default:
      return link(unescaped(target), label);
  }
}

/** `<!here>`, `<!subteam^S1|@team>`, `<!date^1392734382^{date}|February 18th>`. */
function broadcast(name: string, label: string): string {
  if (name.startsWith('date^')) return label;
  if (label !== '') return label.startsWith('@') ? label : `@${label}`;
  return name.startsWith('subteam^') ? '@group' : `@${name}`;
}

function link(url: string, label: string): string {
  const address = url.replace(/^(?:mailto|tel):/u, '');
  if (label === '' || label === address || label === url || `http://${label}` === url || `https://${label}` === url) {
    return address;
  }
  return `${label} (${address})`;
}

function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt);/gu, (whole, name: string) => entities[name] ?? whole);
}
