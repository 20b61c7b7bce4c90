// Emoji by their names in texts of Slack and Mattermost.
import { ownValue } from '../../../lib/json.ts';
import emojiTable from './emoji-table.cjs';

/** Undefined for custom emoji, which have no character. */
type EmojiNames = (name: string) => string | undefined;

/** One name or several without a space between them, such as `:wave::skin-tone-2::tada:`, not next to letters or digits. */
export const emojiPattern = String.raw`(?<![\w:])(?::[a-z0-9_+'-]+:)+(?!\w)`;

const nameWithTone = /:(?<name>[^:]+):(?::skin-tone-(?<tone>[2-6]):)?/gu;

/** The tones of skin from the lightest, which is Slack's number 2. */
const tones = ['🏻', '🏼', '🏽', '🏾', '🏿'];
const firstTone = 2;

/** Mattermost's names of the tones, in the same order. */
const toneNames = ['light', 'medium_light', 'medium', 'medium_dark', 'dark'];
const nameWithMattermostTone = new RegExp(`^(?<name>.+?)_(?<tone>${toneNames.join('|')})_skin_tone$`, 'u');

/** `names` matches `emojiPattern`. */
export function withEmoji(names: string, emojiNamed: EmojiNames): string {
  const isOne = names.indexOf(':', 1) === names.length - 1;
  if (isOne) return emojiNamed(names.slice(1, -1)) ?? names;
  return names.replace(nameWithTone, (whole: string, name: string, tone: string | undefined) => {
    const emoji = emojiNamed(name);
    if (emoji === undefined || tone === undefined) return emoji ?? whole;
    const modifier = tones[Number(tone) - firstTone] ?? '';
    return withTone(emoji, modifier) ?? emoji + modifier;
  });
}

/** Slack has the names of emoji-datasource, and `simple_smile`, a picture of its own from its first years. */
export function slackEmoji(name: string): string | undefined {
  return ownValue(emojiTable().common, name) ?? (name === 'simple_smile' ? '🙂' : undefined);
}

/**
 * Mattermost has the same names, GitHub's where they mean no other emoji, and names with a tone:
 * https://github.com/mattermost/mattermost/blob/master/webapp/channels/build/emoji/make_emojis.mjs
 */
export function mattermostEmoji(name: string): string | undefined {
  const { common, github } = emojiTable();
  const emoji = ownValue(common, name) ?? ownValue(github, name);
  if (emoji !== undefined) return emoji;
  const { name: base, tone } = nameWithMattermostTone.exec(name)?.groups ?? {};
  if (base === undefined || tone === undefined) return undefined;
  const plain = ownValue(common, base) ?? ownValue(github, base);
  return plain === undefined ? undefined : withTone(plain, tones[toneNames.indexOf(tone)] ?? '');
}

/** The tone follows the first character, whose selector of the coloured form it replaces. Undefined if there are no such emoji. */
function withTone(emoji: string, modifier: string): string | undefined {
  if (!emojiTable().toned.has(emoji)) return undefined;
  const [first = ''] = emoji;
  return first + modifier + emoji.slice(first.length).replace(/^\ufe0f/u, '');
}

/** Tells whether a position is in code, where names are not emoji. `code` has the flag `g`. */
export function codeIn(text: string, code: RegExp): (offset: number) => boolean {
  let spans: (readonly [from: number, to: number])[] | undefined;
  return (offset) => {
    spans ??= [...text.matchAll(code)].map(({ index, 0: span }) => [index, index + span.length]);
    return spans.some(([from, to]) => offset >= from && offset < to);
  };
}
