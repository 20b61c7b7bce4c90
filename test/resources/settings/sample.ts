// Support: settings in tests of all kinds.
import fc from 'fast-check';
import { flag, keyed } from '../support/arbitraries.ts';
import type { KindSample } from '../support/kind-sample.ts';
import { settingsAnswer } from './ideal.ts';

const block = fc.record(
  {
    default_channel_invitation_preference: fc.record({ auto_accept: flag }),
    webhook: fc.record({ enabled: flag, url: fc.constant('https://a.example') }),
    auto_event_message: fc.constantFrom(
      { user_join: { user_join: true } },
      { channel_change: { channel_change: true } },
    ),
    moderation: fc.dictionary(
      fc.constantFrom('sales', 'support'),
      fc.constantFrom({ domain_filter: { type: 1 } }, {}),
      { noNullPrototype: true },
    ),
  },
  { requiredKeys: [] },
);

export const settingsSample: KindSample = {
  values: {
    default_channel_invitation_preference: [{ auto_accept: false }, { auto_accept: true }],
    webhook: [
      { enabled: true, url: 'https://a.example', enabled_events: ['*'] },
      { enabled: true, url: 'https://b.example', enabled_events: ['user:ban'] },
    ],
    auto_event_message: [{ user_join: { user_join: true } }, { user_join: { user_join: false } }],
    moderation: [{ a: { domain_filter: { type: 1 } } }, { a: { domain_filter: { type: 2 } } }],
  },
  blocks: () => fc.subarray(['application']).chain((keys) => keyed(keys, block)),
  answer: settingsAnswer,
};
