// Support: settings in tests of all kinds.
import fc from 'fast-check';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { flag, keyed } from '../support/arbitraries.ts';
import { channelSettings } from '../support/channel-settings.ts';
import type { KindSample } from '../support/kind-sample.ts';

const declaredOnly = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as JsonObject;

const block = fc.record(
  {
    default_channel_invitation_preference: fc.record({ auto_accept: flag }),
    webhook: fc.record({ enabled: flag, url: fc.constant('https://a.example') }),
    auto_event_message: fc.constantFrom(
      { user_join: { user_join: true } },
      { channel_change: { channel_change: true } },
    ),
    all_channels: fc.record(channelSettings).map(declaredOnly),
    push_enabled: flag,
    reactions: flag,
    use_default_emoji: flag,
    ip_whitelist: fc.subarray(['192.0.2.7', '192.0.2.8/32', '198.51.100.0/24'], { minLength: 1 }),
    push_templates: fc.constantFrom(
      { default: { MESG: '{message}', FILE: '{filename}', ADMM: '{message}' } },
      { alternative: { MESG: 'One', FILE: 'Two', ADMM: 'Three' } },
    ),
  },
  { requiredKeys: [] },
);

export const sample: KindSample = {
  values: {
    default_channel_invitation_preference: [{ auto_accept: false }, { auto_accept: true }],
    webhook: [
      { enabled: true, url: 'https://a.example', enabled_events: ['*'] },
      { enabled: true, url: 'https://b.example', enabled_events: ['user:ban'] },
    ],
    auto_event_message: [{ user_join: { user_join: true } }, { user_join: { user_join: false } }],
    all_channels: [
      { max_message_length: 500, domain_filter: { type: 1 } },
      { max_message_length: 500, domain_filter: { type: 2 } },
    ],
    push_enabled: [false, true],
    reactions: [true, false],
    use_default_emoji: [true, false],
    emojis: [
      { party: { url: 'https://a.example', emoji_category_id: 1 } },
      { party: { url: 'https://b.example', emoji_category_id: 1 } },
    ],
    fcm_key: [
      { env: 'FCM_KEY', project_id: 'app', private_key_id: 'a' },
      { env: 'FCM_KEY', project_id: 'app', private_key_id: 'b' },
    ],
    push_templates: [
      { default: { MESG: 'a', FILE: 'b', ADMM: 'c' } },
      { default: { MESG: 'd', FILE: 'b', ADMM: 'c' } },
    ],
    ip_whitelist: [['192.0.2.0/24', '198.51.100.7/32'], ['192.0.2.0/24']],
  },
  problems: { emojis: ['settings.emoji-moved'], fcm_key: ['settings.fcm-key-fixed'] },
  // Emojis of forgotten settings stay on the platform, as keys do.
  apart: ['fcm_key', 'emojis'],
  blocks: () => fc.subarray(['application']).chain((keys) => keyed(keys, block)),
};
