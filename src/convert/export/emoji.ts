// Emoji by their names, as Slack, Mattermost and Discord write them in texts.
import { nameToEmoji } from 'gemoji';
import { ownValue } from '../../lib/json.ts';

/** Slack's numbers 2 to 6 for the tones of skin. */
const firstTone = 0x1f3fb;

/** Emoji names that differ from GitHub's. */
const otherNames: Readonly<Record<string, string>> = { simple_smile: '🙂', thumbs_up: '👍', thumbs_down: '👎' };

/** Undefined for custom emoji, which have no character. */
export function emojiNamed(name: string, tone?: string): string | undefined {
  const found = ownValue(nameToEmoji, name) ?? ownValue(otherNames, name);
  if (found === undefined || tone === undefined) return found;
  return found.replace(/\ufe0f$/u, '') + String.fromCodePoint(firstTone + Number(tone) - 2);
}

/** `:smile:`, not next to letters or digits. */
export const emojiPattern = String.raw`(?<![\w:]):(?<emoji>[a-z0-9_+'-]+):(?::skin-tone-(?<tone>[2-6]):)?(?!\w)`;
