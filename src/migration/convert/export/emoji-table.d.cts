// The type of emoji-table.cjs.
interface EmojiTable {
  /** By name, of the list that Slack and Mattermost use. */
  readonly common: Readonly<Record<string, string>>;
  /** By name, of GitHub's list, without the names of the other one. */
  readonly github: Readonly<Record<string, string>>;
  /** The emoji that have tones of skin. */
  readonly toned: ReadonlySet<string>;
}

declare const emojiTable: () => EmojiTable;
export = emojiTable;
