// Support: settings of channels, of all and of one custom type, in tests of all kinds.
import fc from 'fast-check';
import type { JsonValue } from '../../../../src/lib/json.ts';
import { flag, maybe } from './arbitraries.ts';

export const channelSettings = {
  max_message_length: maybe(fc.constantFrom(500, 5000)),
  display_past_message: maybe(flag),
  allow_links: maybe(flag),
  user_messages_per_channel: maybe(fc.constantFrom(-1, 3)),
  user_messages_per_channel_duration: maybe(fc.constantFrom(1, 60)),
  domain_filter: maybe(fc.constantFrom({ type: 1 }, { domains: ['b.example', 'a.example'], type: 2 })),
  profanity_filter: maybe(
    fc.constantFrom({ keywords: ['b', 'a'], type: 1 }, { regex_filters: [{ regex: 'a+' }], type: 2 }),
  ),
  profanity_triggered_moderation: maybe(fc.constant({ count: 3, duration: 60, action: 1 })),
  image_moderation: maybe(fc.constantFrom({ type: 1 }, { limits: { adult: 1 }, type: 2 })),
};

export const channelSettingValues: Readonly<Record<string, readonly [JsonValue, JsonValue]>> = {
  max_message_length: [500, 1000],
  allow_links: [false, true],
  user_messages_per_channel: [3, -1],
  user_messages_per_channel_duration: [60, 1],
  domain_filter: [
    { domains: ['a.example'], type: 1 },
    { domains: ['b.example'], type: 2 },
  ],
  profanity_filter: [
    { keywords: ['a'], type: 1 },
    { keywords: ['a', 'b'], type: 1 },
  ],
  profanity_triggered_moderation: [
    { count: 3, duration: 60 },
    { count: 4, duration: 60 },
  ],
  image_moderation: [
    { type: 1, limits: { adult: 1 } },
    { type: 2, limits: { adult: 2 } },
  ],
};
