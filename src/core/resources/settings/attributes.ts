// The settings of an application (platform §12, §13).

import type { JsonObject } from '../../../lib/json.ts';
import type { AttributeDefinition, JsonSchema } from '../../kinds/definition/kind.ts';
import { flagSchema, textSchema } from '../../kinds/definition/schemas.ts';
import {
  asDeclared,
  channelSettingParts,
  channelSettingSchemas,
  initialChannelSettings,
  record,
} from '../../kinds/parts/channel-settings.ts';
import { allowlistAttribute } from './allowlist.ts';
import { emojisAttribute } from './emojis.ts';
import { asListedEvents, isListOfEvents, webhookEvents } from './events.ts';
import { fcmKeyAttribute } from './fcm-key.ts';
import { pushTemplatesAttribute } from './push-templates.ts';

const flags = (names: readonly string[], description: string): JsonSchema =>
  record(
    Object.fromEntries(names.map((name) => [name, flagSchema(`true: the platform writes a message for ${name}.`)])),
    description,
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
  all_channels: {
    schema: record(channelSettingSchemas, 'Settings for every channel whose custom_type has no settings of its own.'),
    change: 'mutable',
    removed: { how: 'release' },
    shape: 'map',
    sentBy: { route: '/applications/settings_global' },
    shown: { as: 'compared', by: { route: '/applications/settings_global' } },
    people: ['bound'],
    parts: channelSettingParts,
    initial: initialChannelSettings,
    asKnown: asDeclared,
  },
  default_channel_invitation_preference: {
    schema: {
      ...record(
        { auto_accept: flagSchema('true: an invitation makes the user a member.') },
        'Defaults for users that are created later. An apply sends them before it creates users.',
      ),
      required: ['auto_accept'],
    },
    change: 'mutable',
    removed: { how: 'release' },
    shape: 'map',
    sentBy: { route: '/applications/default_channel_invitation_preference' },
    shown: { as: 'compared', by: { route: '/applications/default_channel_invitation_preference' } },
    people: ['enter', 'read'],
    rights: 'grants',
    initial: { auto_accept: true },
    comesFirst: true,
  },
  webhook: {
    schema: {
      ...record(
        {
          enabled: flagSchema('false: nothing is sent.'),
          url: textSchema(
            2048,
            'The https address that receives the events. CHATFORM_ALLOWED_HOSTS must list its host. Empty: no address, which requires enabled: false.',
          ),
          include_members: flagSchema('true: events list the members of their channel.'),
          include_unread_count: flagSchema('true: events contain the unread counts of members.'),
          enabled_events: {
            type: 'array',
            items: {
              type: 'string',
              pattern: '^(\\*|[a-z_]+:[a-z_]+)$',
              description: 'A topic and an event, such as user:ban; or "*".',
              examples: ['*', ...webhookEvents],
            },
            uniqueItems: true,
            description: 'The events that are sent. ["*"]: all events.',
            if: { contains: { const: '*' } },
            // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
            then: { maxItems: 1, description: '"*" alone for all events, or a list of events.' },
          },
        },
        'The webhook: the address that receives the events of the platform.',
      ),
      required: ['enabled', 'url'],
      // An empty list turns the webhook off (platform §13.1).
      if: { properties: { enabled: { const: true } }, required: ['enabled'] },
      // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
      then: {
        properties: {
          enabled_events: {
            minItems: 1,
            description: 'at least one event, unless enabled is false or enabled_events is absent',
          },
        },
      },
    },
    change: 'mutable',
    removed: { how: 'release' },
    shape: 'map',
    sentBy: { route: '/applications/settings/webhook' },
    shown: {
      as: 'compared',
      by: {
        route: '/applications/settings/webhook',
        answerField: 'webhook',
        query: { display_all_webhook_categories: 'true' },
      },
    },
    people: ['elsewhere'],
    initial: { enabled: false, url: '', include_members: false, enabled_events: [], include_unread_count: false },
    asKnown: asListedEvents,
    isEchoed: isListOfEvents,
  },
  auto_event_message: {
    schema: record(
      {
        user_leave: flags([...leaveReasons, ...oldLeaveReasons], 'When a user leaves, by reason.'),
        user_join: flags(['user_join'], 'When a user joins.'),
        channel_create: flags(['public_channel', 'private_channel'], 'When a channel is created.'),
        channel_change: flags(['channel_change'], 'When a channel is changed.'),
      },
      'Messages that the platform writes into group channels automatically.',
    ),
    change: 'mutable',
    removed: { how: 'release' },
    shape: 'map',
    sentBy: { route: '/applications/settings/auto_event_message', field: 'auto_event_message', isAlsoBare: true },
    shown: { as: 'compared', by: { route: '/applications/settings/auto_event_message', field: 'auto_event_message' } },
    people: ['notice'],
    initial: {
      user_leave: allFalse([...leaveReasons, ...oldLeaveReasons]),
      user_join: allFalse(['user_join']),
      channel_create: allFalse(['public_channel', 'private_channel']),
      channel_change: allFalse(['channel_change']),
    },
    asKnown: asDeclared,
  },
  push_enabled: {
    schema: flagSchema('false: no push notifications are sent.'),
    change: 'mutable',
    removed: { how: 'release' },
    sentBy: { route: '/applications/push/settings', field: 'push_enabled' },
    shown: { as: 'compared', by: { route: '/applications/push/settings', field: 'push_enabled' } },
    people: ['push', 'notice'],
    rights: 'grants',
    initial: true,
  },
  // No call shows the two switches below (platform §13.6).
  reactions: {
    schema: flagSchema('true: people can react to messages in group channels.'),
    change: 'mutable',
    removed: { how: 'release' },
    sentBy: { route: '/applications/settings/reactions', field: 'enabled' },
    shown: { as: 'not', why: 'no_answer' },
    people: ['bound'],
    // History files may have reactions.
    comesFirst: true,
  },
  use_default_emoji: {
    schema: flagSchema('true: people can react with the seven default emojis.'),
    change: 'mutable',
    removed: { how: 'release' },
    sentBy: { route: '/applications/settings/use_default_emoji', field: 'use_default_emoji' },
    shown: { as: 'not', why: 'no_answer' },
    people: ['bound'],
  },
  emojis: emojisAttribute,
  push_templates: pushTemplatesAttribute,
  fcm_key: fcmKeyAttribute,
  ip_whitelist: allowlistAttribute,
} as const satisfies Record<string, AttributeDefinition>;
