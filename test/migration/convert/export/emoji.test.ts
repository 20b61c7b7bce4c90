// Tests that names of emoji mean what they mean in Slack and Mattermost.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import emoji from 'emoji-datasource/emoji.json' with { type: 'json' };
import { nameToEmoji } from 'gemoji';
import { expect, test } from 'vitest';
import { emojiTable } from '../../../../src/cli/reference/generate-emoji.ts';
import { DerivedIds } from '../../../../src/migration/convert/export/derived-ids.ts';
import { mattermostEmoji, slackEmoji, withEmoji } from '../../../../src/migration/convert/export/emoji.ts';
import { ExportFields } from '../../../../src/migration/convert/export/look-at-fields.ts';
import { mattermostFields } from '../../../../src/migration/convert/sources/mattermost/fields.ts';
import { SourceNames } from '../../../../src/migration/convert/sources/mattermost/names.ts';
import { postMessage } from '../../../../src/migration/convert/sources/mattermost/posts.ts';
import { readable } from '../../../../src/migration/convert/sources/slack/mrkdwn.ts';

const characters = (unified: string): string =>
  String.fromCodePoint(...unified.split('-').map((point) => Number.parseInt(point, 16)));

const slackText = (text: string): string => readable(text, { user: () => undefined, channel: () => undefined }).text;

/** One for all texts, because making it costs more than reading a text. */
const fieldsOfMattermost = new ExportFields(mattermostFields, new Map());

function mattermostText(message: string): string {
  const names = new SourceNames({ users: new Map(), channels: new Map() });
  const post = { user: 'ann', create_at: 1_700_000_000_000, message };
  const context = {
    names,
    fields: fieldsOfMattermost,
    hasTextInIds: false,
    ids: new DerivedIds(),
    isUser: () => true,
    sizeOf: () => undefined,
  };
  return postMessage(post, 'room', undefined, context).message.text;
}

const texts = { Slack: slackText, Mattermost: mattermostText };
const emojiNamed = { Slack: slackEmoji, Mattermost: mattermostEmoji };
const sources = ['Slack', 'Mattermost'] as const;

test.for(sources)('each name of emoji-datasource is its emoji in a text of %s', (source) => {
  const names = emoji.flatMap(({ short_names, unified }) => short_names.map((name) => [name, unified] as const));
  expect(names.length).toBeGreaterThan(1_900);
  const wrong = names.filter(([name, unified]) => texts[source](`:${name}:`) !== characters(unified));
  expect(wrong).toEqual([]);
});

test.for(sources)('each emoji of emoji-datasource that has a tone has it in a text of %s', (source) => {
  const mattermostTones = ['light', 'medium_light', 'medium', 'medium_dark', 'dark'];
  const suffix = {
    Slack: (tone: number) => `::skin-tone-${tone + 2}`,
    Mattermost: (tone: number) => `_${mattermostTones[tone]}_skin_tone`,
  };
  const variations = emoji.flatMap(({ short_names, skin_variations }) =>
    Object.entries(skin_variations ?? {})
      .filter(([points]) => !points.includes('-'))
      .flatMap(([points, { unified }]) => {
        const tone = Number.parseInt(points, 16) - 0x1f3fb;
        return short_names.map((name) => [`:${name}${suffix[source](tone)}:`, unified] as const);
      }),
  );
  expect(variations.length).toBeGreaterThan(1_600);
  expect(variations.filter(([text, unified]) => texts[source](text) !== characters(unified))).toEqual([]);
});

test("GitHub's other names are emoji in Mattermost, and text in Slack", () => {
  const common = new Set(emoji.flatMap(({ short_names }) => short_names));
  const others = Object.entries(nameToEmoji).filter(([name]) => !common.has(name));
  expect(others.length).toBeGreaterThan(500);
  expect(others.filter(([name, character]) => mattermostEmoji(name) !== character)).toEqual([]);
  expect(others.filter(([name]) => slackEmoji(name) !== undefined)).toEqual([]);
});

/** Names that had been translated as GitHub's, and so became another emoji or stayed text. */
test.for<readonly [text: string, expected: string]>([
  [':bride_with_veil:', '👰'],
  [':man_with_turban:', '👳'],
  [':guardsman:', '💂'],
  [':ok_woman:', '🙆'],
  [':satellite:', '🛰️'],
  [':umbrella:', '☂️'],
  [':snowman:', '☃️'],
  [':email:', '✉️'],
  [':thinking_face: :hugging_face: :face_with_rolling_eyes:', '🤔 🤗 🙄'],
  [':man-shrugging: :star-struck: :the_horns: :medal:', '🤷‍♂️ 🤩 🤘 🎖️'],
  [':rain_cloud: :lime: :phoenix:', '🌧️ 🍋‍🟩 🐦‍🔥'],
  [':flag-de: :de: :flag-england: :flag-us:', '🇩🇪 🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇺🇸'],
  [':man-shrugging::skin-tone-5:', '🤷🏾‍♂️'],
  [':point_up::skin-tone-2:', '☝🏻'],
  [':smile::skin-tone-3:', '😄🏼'],
  [':wave::tada: (:+1::skin-tone-6::heart:)', '👋🎉 (👍🏿❤️)'],
  [':own_emoji::tada:', ':own_emoji:🎉'],
  [':own_emoji::skin-tone-3: :tada::own_emoji:', ':own_emoji::skin-tone-3: 🎉:own_emoji:'],
  [
    ':constructor: :__proto__::skin-tone-2: :hasOwnProperty:',
    ':constructor: :__proto__::skin-tone-2: :hasOwnProperty:',
  ],
  [':__proto___dark_skin_tone: :smile_dark_skin_tone:', ':__proto___dark_skin_tone: :smile_dark_skin_tone:'],
  ['at 10:100:20, std::key::tada, a:key:', 'at 10:100:20, std::key::tada, a:key:'],
  ['`:+1:` :+1: ` :+1:', '`:+1:` 👍 ` 👍'],
  ['```\n:+1:\n```\n:+1:', '```\n:+1:\n```\n👍'],
])('%s', ([text, expected]) => {
  expect(sources.map((source) => texts[source](text))).toEqual([expected, expected]);
});

test.for<readonly [title: string, text: string, expected: string]>([
  ['a span between two backticks', '``a ` :x:`` :x:', '``a ` :x:`` ❌'],
  ['a span of two lines', '`a\n:x:` :x:', '`a\n:x:` ❌'],
  ['a fence of tildes', ':x:\n~~~ yaml\n:x:\n~~~\n:x:', '❌\n~~~ yaml\n:x:\n~~~\n❌'],
  ['a fence within a longer one', '````\n```\n:x:\n````\n:x:', '````\n```\n:x:\n````\n❌'],
  ['a fence without an end', ':x:\n```\n:x:\n\n:x:', '❌\n```\n:x:\n\n:x:'],
  ['a fence whose code has a backtick', '```\n` :x:\n```\n:x:', '```\n` :x:\n```\n❌'],
])('Mattermost: names stay in %s', ([, text, expected]) => {
  expect(mattermostText(text)).toBe(expected);
});

test('simple_smile is an emoji in Slack alone', () => {
  expect(sources.map((source) => withEmoji(':simple_smile:', emojiNamed[source]))).toEqual(['🙂', ':simple_smile:']);
});

test('the table is not older than its packages', () => {
  const file = join(import.meta.dirname, '../../../../src/migration/convert/export/generated/emoji.cjs');
  expect(readFileSync(file, 'utf8'), 'stale: run npm run schema').toBe(emojiTable());
});
