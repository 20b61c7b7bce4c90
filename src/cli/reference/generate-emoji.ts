// Makes the table of emoji by name, from packages that only the build needs.
import emoji from 'emoji-datasource/emoji.json' with { type: 'json' };
import { nameToEmoji } from 'gemoji';

/** The paths of the packages are in the opening lines, because the notices of licences are made from them. */
const opening = `// Emoji by name, from node_modules/emoji-datasource/emoji.json and node_modules/gemoji/index.js. Written by npm run build and
// npm run schema; do not edit.
`;

/** The text of `src/migration/convert/export/generated/emoji.cjs`. */
export function emojiTable(): string {
  const common: Record<string, string> = {};
  const toned = new Set<string>();
  for (const { short_names, unified, skin_variations } of emoji) {
    const characters = String.fromCodePoint(...unified.split('-').map((point) => Number.parseInt(point, 16)));
    for (const name of short_names) common[name] = characters;
    if (skin_variations !== undefined) toned.add(characters);
  }
  const github = Object.fromEntries(Object.entries(nameToEmoji).filter(([name]) => !Object.hasOwn(common, name)));
  return `${opening}module.exports = {
  common: ${JSON.stringify(common)},
  github: ${JSON.stringify(github)},
  toned: new Set(${JSON.stringify([...toned])}),
};
`;
}
