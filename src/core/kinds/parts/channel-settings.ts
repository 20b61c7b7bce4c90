// Settings for the messages of channels: filters and limits, for all channels or for one custom type (platform §13.2).
import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { AttributeDefinition, JsonSchema } from '../definition/kind.ts';
import { flagSchema } from '../definition/schemas.ts';
import { pick, sortedSet } from '../definition/values.ts';

/** The maximum number of words in one filter. The limit is chatform's own, because the documents give none (platform §13.2). */
const maxWords = 1000;

const words = (description: string): JsonSchema => ({
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[^,]*$' },
  uniqueItems: true,
  maxItems: maxWords,
  description,
});

const filterType = (description: string): JsonSchema => ({ enum: [0, 1, 2], description });

const limit = (what: string): JsonSchema => ({
  type: 'integer',
  minimum: 0,
  maximum: 5,
  description: `From 0 to 5: how likely an image may be ${what}.`,
});

export const record = (properties: Readonly<Record<string, JsonSchema>>, description: string): JsonSchema => ({
  type: 'object',
  properties,
  additionalProperties: false,
  description,
});

const checkGlobal = flagSchema('true: the filter of the application also applies. For custom types.');

/** By name, the schema of each setting, the value that the documents give to new ones, and what an edit means for people. */
const table: Readonly<
  Record<
    string,
    Pick<AttributeDefinition, 'schema' | 'people' | 'rights' | 'comesFirst'> & { readonly initial: JsonValue }
  >
> = {
  max_message_length: {
    schema: {
      enum: [50, 100, 200, 500, 1000, 5000, 10_000, 20_000],
      description:
        'The longest text that people can send, in characters: 50, 100, 200, 500, 1000, 5000, 10000 or 20000.',
    },
    initial: 5000,
    people: ['bound'],
  },
  display_past_message: {
    schema: flagSchema('true: new members see messages from before they joined.'),
    initial: false,
    people: ['history'],
    rights: 'grants',
    // Members see earlier messages or not by its value when they join (platform §16).
    comesFirst: true,
  },
  allow_links: {
    schema: flagSchema('false: no clickable links in messages.'),
    initial: true,
    people: ['bound'],
  },
  user_messages_per_channel: {
    schema: {
      type: 'integer',
      minimum: -1,
      if: { const: 0 },
      // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
      then: { minimum: 1 },
      description:
        'How many messages one user can send to a channel within user_messages_per_channel_duration. -1: five per second.',
    },
    initial: -1,
    people: ['bound'],
  },
  user_messages_per_channel_duration: {
    schema: { type: 'integer', minimum: 1, description: 'The period of user_messages_per_channel in seconds.' },
    initial: 1,
    people: ['bound'],
  },
  domain_filter: {
    schema: record(
      {
        domains: {
          ...words('Domains, each with its top level: example.com.'),
          items: {
            type: 'string',
            maxLength: 200,
            pattern: '^[^\\s,/:.][^\\s,/:]*\\.[^\\s,/:.]+$',
            description: 'A domain with its top level, without https:// and without a path: example.com.',
            examples: ['bad.example', 'b.example.org'],
          },
        },
        type: filterType('0: none. 1: only messages with these domains pass. 2: they are blocked.'),
        should_check_global: checkGlobal,
      },
      'Filters messages by the domains of their links.',
    ),
    initial: { domains: [], type: 0, should_check_global: false },
    people: ['bound'],
  },
  profanity_filter: {
    schema: record(
      {
        keywords: words('Words without commas. A word may start or end with *.'),
        regex_filters: {
          type: 'array',
          maxItems: maxWords,
          items: {
            type: 'object',
            properties: { regex: { type: 'string', minLength: 1, description: 'A regular expression.' } },
            required: ['regex'],
            additionalProperties: false,
          },
          description: 'Regular expressions.',
        },
        type: filterType('0: none. 1: replaced with asterisks. 2: the message is blocked.'),
        should_check_global: checkGlobal,
      },
      'Filters messages by words.',
    ),
    initial: { keywords: [], regex_filters: [], type: 0, should_check_global: false },
    people: ['bound'],
  },
  profanity_triggered_moderation: {
    schema: record(
      {
        count: { type: 'integer', minimum: 0, description: 'After this many filtered messages. 0: never.' },
        duration: { type: 'integer', minimum: 1, maximum: 86_400, description: 'Within this many seconds.' },
        action: { enum: [0, 1, 2, 3], description: '0: nothing. 1: mute. 2: kick. 3: ban.' },
      },
      'The action against users who keep writing such words.',
    ),
    initial: { count: 0, duration: 1, action: 0 },
    // The platform itself mutes, removes or bans people by it.
    people: ['read', 'write'],
  },
  image_moderation: {
    schema: record(
      {
        type: filterType('0: none. 1: normal. 2: strict.'),
        soft_block: flagSchema('true: the image is sent, and marked.'),
        limits: record(
          {
            adult: limit('for adults'),
            spoof: limit('a spoof'),
            medical: limit('medical'),
            violence: limit('violent'),
            racy: limit('racy'),
          },
          'The highest accepted likelihood of each kind, from 0 to 5.',
        ),
        check_urls: flagSchema('true: images behind links are checked too.'),
      },
      'Filters images.',
    ),
    initial: {
      type: 0,
      soft_block: false,
      limits: { adult: 3, spoof: 5, medical: 5, violence: 3, racy: 4 },
      check_urls: false,
    },
    people: ['bound'],
  },
};

/** The settings as the properties of one attribute. */
export const channelSettingSchemas: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.entries(table).map(([name, { schema }]) => [name, schema]),
);

/** The settings of a new application. */
export const initialChannelSettings: JsonObject = Object.fromEntries(
  Object.entries(table).map(([name, { initial }]) => [name, initial]),
);

/** What an edit of each setting means for people, for the attribute that contains them all. */
export const channelSettingParts: NonNullable<AttributeDefinition['parts']> = Object.fromEntries(
  Object.entries(table).map(([name, { schema: _schema, initial: _initial, ...meaning }]) => [
    name,
    { shown: { as: 'compared' }, ...meaning },
  ]),
);

/** The settings as attributes. Removed lines are released, because the earlier value is unknown. */
export const channelSettingAttributes: Readonly<Record<string, AttributeDefinition>> = Object.fromEntries(
  Object.entries(table).map(([name, setting]): [string, AttributeDefinition] => [
    name,
    {
      ...setting,
      change: 'mutable',
      removed: { how: 'release' },
      shown: { as: 'compared' },
      ...(isObject(setting.initial) ? { shape: 'map', asKnown: asDeclared } : {}),
    },
  ]),
);

/** Returns the settings in an answer, in normal form, without what a manifest cannot declare. */
export function observeChannelSettings(answer: JsonObject): JsonObject {
  const shown = sortedWords(pick(answer, Object.keys(table))) as JsonObject;
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]): [string, JsonValue] => {
      const properties = table[name]?.schema.properties;
      return [name, isObject(value) && isObject(properties) ? pick(value, Object.keys(properties)) : value];
    }),
  );
}

/** Reduces a shown setting to its declared parts, at any depth. The order of words does not matter. */
export function asDeclared(known: JsonValue, shown: JsonValue): JsonValue {
  if (!isObject(known) || !isObject(shown)) return shown;
  return Object.fromEntries(
    Object.entries(known).flatMap(([name, inner]): [string, JsonValue][] => {
      const there = shown[name];
      return there === undefined ? [] : [[name, asDeclared(inner, there)]];
    }),
  );
}

/** Sorts lists of words. The platform returns keywords as one text (platform §13.2). */
export function sortedWords(value: JsonValue, name = ''): JsonValue {
  if (name === 'keywords' && typeof value === 'string') {
    return sortedSet(value.split(',').filter((word) => word !== ''));
  }
  if (isList(value)) {
    const texts = value.filter((item): item is string => typeof item === 'string');
    return texts.length === value.length ? sortedSet(texts) : value;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sortedWords(inner, key)]));
}
