// The settings of an application (platform §12, §13).
import { isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { AttributeDefinition, JsonSchema } from '../definition/kind.ts';
import { flagSchema, sortedSet, textSchema } from '../definition/values.ts';
import { asListedEvents, webhookEvents } from './events.ts';

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
  description: `From 0 to 5, how likely an image may be ${what}.`,
});

const record = (properties: Readonly<Record<string, JsonSchema>>, description: string): JsonSchema => ({
  type: 'object',
  properties,
  additionalProperties: false,
  description,
});

const flags = (names: readonly string[], description: string): JsonSchema =>
  record(
    Object.fromEntries(names.map((name) => [name, flagSchema(`true: a message is written for ${name}.`)])),
    description,
  );

const moderation: JsonSchema = record(
  {
    domain_filter: record(
      {
        domains: {
          ...words('Domains, each with its top level: example.com.'),
          items: {
            type: 'string',
            maxLength: 200,
            pattern: '^[^\\s,/:.][^\\s,/:]*\\.[^\\s,/:.]+$',
            description: 'A domain with its top level, without https:// and path: example.com.',
            examples: ['bad.example', 'b.example.org'],
          },
        },
        type: filterType('0: none. 1: only messages with these domains pass. 2: messages with them are blocked.'),
        should_check_global: flagSchema("true: the application's own filter counts, too."),
      },
      'Filters messages by the domains of their links.',
    ),
    profanity_filter: record(
      {
        keywords: words('Words, which may begin or end with *. No comma in a word.'),
        regex_filters: {
          type: 'array',
          maxItems: maxWords,
          items: {
            type: 'object',
            properties: { regex: { type: 'string', minLength: 1, description: 'One expression.' } },
            required: ['regex'],
            additionalProperties: false,
          },
          description: 'Regular expressions.',
        },
        type: filterType('0: none. 1: replaced with asterisks. 2: the message is blocked.'),
        should_check_global: flagSchema("true: the application's own filter counts, too."),
      },
      'Filters messages by words.',
    ),
    profanity_triggered_moderation: record(
      {
        count: { type: 'integer', minimum: 0, description: 'After so many filtered messages. 0: never.' },
        duration: { type: 'integer', minimum: 1, maximum: 86_400, description: 'Within so many seconds.' },
        action: { enum: [0, 1, 2, 3], description: '0: nothing. 1: mute. 2: kick. 3: ban.' },
      },
      'What happens to who writes such words again and again.',
    ),
    image_moderation: record(
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
          'How likely an image may be of each kind: 0 to 5.',
        ),
        check_urls: flagSchema('true: images behind links are looked at, too.'),
      },
      'Filters images.',
    ),
  },
  'Filters for the messages of channels of one custom_type.',
);

const leaveReasons = [
  'admin_removed',
  'admin_deleted',
  'admin_deactivated',
  'left_by_own_choice',
  'channel_operator_removed',
];
const oldLeaveReasons = ['deleted', 'deactivated', 'left'];
const allFalse = (names: readonly string[]): JsonObject => Object.fromEntries(names.map((name) => [name, false]));

/** Removed lines are released, because the earlier value is unknown. */
export const settingsAttributes = {
  default_channel_invitation_preference: {
    schema: {
      ...record(
        { auto_accept: flagSchema('true: an invitation makes the user a member.') },
        'What users have who are created from now on.',
      ),
      required: ['auto_accept'],
    },
    change: 'mutable',
    removed: { how: 'release' },
    shape: 'map',
    sentBy: { route: '/applications/default_channel_invitation_preference' },
    shownBy: { route: '/applications/default_channel_invitation_preference' },
    initial: { auto_accept: true },
  },
  webhook: {
    schema: {
      ...record(
        {
          enabled: flagSchema('false: nothing is sent.'),
          url: textSchema(
            2048,
            'The https address to which events are sent. Its host is one of CHATFORM_ALLOWED_HOSTS. Empty: none, with enabled: false.',
          ),
          include_members: flagSchema('true: events list the members of their channel.'),
          include_unread_count: flagSchema('true: events tell the unread counts of members.'),
          enabled_events: {
            type: 'array',
            items: {
              type: 'string',
              pattern: '^(\\*|[a-z_]+:[a-z_]+)$',
              description: 'A topic and an event: user:ban; or "*".',
              examples: ['*', ...webhookEvents],
            },
            uniqueItems: true,
            description: 'The events that are sent; ["*"] alone: all.',
            if: { contains: { const: '*' } },
            // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
            then: { maxItems: 1, description: '"*" alone, which means all events; or single events.' },
          },
        },
        'Where the platform sends what happens.',
      ),
      required: ['enabled', 'url'],
      // An empty list turns the webhook off (platform §13.1).
      if: { properties: { enabled: { const: true } }, required: ['enabled'] },
      // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
      then: {
        properties: {
          enabled_events: { minItems: 1, description: 'At least one event; or enabled: false, or no enabled_events.' },
        },
      },
    },
    change: 'mutable',
    removed: { how: 'release' },
    shape: 'map',
    sentBy: { route: '/applications/settings/webhook' },
    shownBy: {
      route: '/applications/settings/webhook',
      answerField: 'webhook',
      query: { display_all_webhook_categories: 'true' },
    },
    initial: { enabled: false, url: '', include_members: false, enabled_events: [], include_unread_count: false },
    asKnown: asListedEvents,
  },
  auto_event_message: {
    schema: record(
      {
        user_leave: flags([...leaveReasons, ...oldLeaveReasons], 'When a user leaves, by the reason.'),
        user_join: flags(['user_join'], 'When a user joins.'),
        channel_create: flags(['public_channel', 'private_channel'], 'When a channel is created.'),
        channel_change: flags(['channel_change'], 'When a channel is changed.'),
      },
      'Messages that the platform writes into group channels by itself.',
    ),
    change: 'mutable',
    removed: { how: 'release' },
    shape: 'map',
    sentBy: { route: '/applications/settings/auto_event_message', field: 'auto_event_message', isAlsoBare: true },
    shownBy: { route: '/applications/settings/auto_event_message', field: 'auto_event_message' },
    initial: {
      user_leave: allFalse([...leaveReasons, ...oldLeaveReasons]),
      user_join: allFalse(['user_join']),
      channel_create: allFalse(['public_channel', 'private_channel']),
      channel_change: allFalse(['channel_change']),
    },
    asKnown: asDeclared,
  },
  moderation: {
    schema: {
      type: 'object',
      propertyNames: { minLength: 1, maxLength: 128, pattern: '^(?!\\.{1,2}$)\\P{Cs}*$' },
      additionalProperties: moderation,
      description: 'Filters by the custom_type of channels.',
    },
    change: 'mutable',
    removed: { how: 'release' },
    shape: 'map',
    sentBy: 'steps',
    shownBy: 'observe',
    asKnown: asDeclared,
  },
} as const satisfies Record<string, AttributeDefinition>;

/** Reduces a shown setting to its declared parts, at any depth. The order of words does not matter. */
function asDeclared(known: JsonValue, shown: JsonValue): JsonValue {
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
