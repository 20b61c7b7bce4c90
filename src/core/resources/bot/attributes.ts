// The table of a bot's attributes, by their names in the platform's requests (platform §9.1).
import type { AttributeDefinition } from '../../kinds/definition/kind.ts';
import { callbackUrlSchema, flagSchema, textSchema } from '../../kinds/definition/schemas.ts';
import { metadataAttribute } from '../../kinds/parts/metadata.ts';
import { nameAttribute, pictureAttribute } from '../../kinds/parts/people.ts';
import { aiAttribute } from './ai.ts';

export const botAttributes = {
  bot_nickname: nameAttribute,
  bot_type: {
    schema: textSchema(128, 'What the bot is for, in your own words. At most 128 characters. Fixed at creation.'),
    change: 'create_only',
    removed: { how: 'required' },
    shown: { as: 'compared' },
    people: [],
    personal: false,
  },
  bot_callback_url: {
    schema: callbackUrlSchema(
      1024,
      'The https address that receives the messages from the channels of the bot. CHATFORM_ALLOWED_HOSTS must list its host. Required without ai.',
    ),
    change: 'mutable',
    removed: { how: 'release' },
    shown: { as: 'compared' },
    people: ['elsewhere'],
  },
  ai: aiAttribute,
  bot_profile_url: pictureAttribute,
  is_privacy_mode: {
    schema: flagSchema('true: the platform sends the callback only messages that start with / or mention the bot.'),
    change: 'mutable',
    removed: { how: 'reset', to: false },
    shown: { as: 'compared' },
    people: ['elsewhere'],
  },
  enable_mark_as_read: {
    schema: flagSchema('true (default): messages are marked as read once the callback has been called.'),
    change: 'mutable',
    removed: { how: 'reset', to: true },
    shown: { as: 'compared' },
    people: ['notice'],
    initial: true,
  },
  show_member: {
    schema: flagSchema('true: calls of the callback list the members of the channel.'),
    change: 'mutable',
    removed: { how: 'reset', to: false },
    shown: { as: 'compared' },
    people: ['elsewhere'],
  },
  channel_invitation_preference: {
    schema: {
      enum: [0, 1],
      description: '0 (default): an invitation makes the bot a member. 1: the invitation waits until the bot accepts.',
    },
    change: 'mutable',
    removed: { how: 'reset', to: 0 },
    shown: { as: 'compared' },
    people: ['enter'],
    rights: 'withholds',
    initial: 0,
    comesFirst: true,
  },
  metadata: metadataAttribute(
    'Up to 5 strings by key, for programs; no comma in a key. Sent after the bot is created.',
  ),
} as const satisfies Record<string, AttributeDefinition>;
