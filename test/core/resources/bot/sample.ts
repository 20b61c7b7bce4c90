// Support: bots in tests of all kinds.
import fc from 'fast-check';
import { flag, keyed, metadata, metadataValues, text } from '../support/arbitraries.ts';
import type { KindSample } from '../support/kind-sample.ts';

const block = fc.record(
  {
    bot_nickname: fc.constantFrom('one', 'two'),
    bot_type: fc.constant('helper'),
    bot_callback_url: fc.constantFrom('https://a.example', 'https://b.example'),
    bot_profile_url: text,
    is_privacy_mode: flag,
    enable_mark_as_read: flag,
    show_member: flag,
    // Entries without a line stay on the platform, so each block has the same.
    ai: fc.record({ model: fc.constantFrom('one', 'two'), max_tokens: fc.constantFrom(100, 200) }),
    channel_invitation_preference: fc.constantFrom(0, 1),
    metadata: metadata(5),
  },
  { requiredKeys: ['bot_nickname', 'bot_type', 'bot_callback_url'] },
);

export const sample: KindSample = {
  values: {
    bot_callback_url: ['https://a.example', 'https://b.example'],
    enable_mark_as_read: [false, true],
    channel_invitation_preference: [1, 0],
    ai: [
      { backend: 'chatgpt', model: 'one', temperature: 0.5 },
      { backend: 'chatgpt', model: 'two', temperature: 0.5 },
    ],
    metadata: metadataValues,
  },
  least: { bot_nickname: 'one', bot_type: 'helper', bot_callback_url: 'https://a.example' },
  // Ids that no user has.
  blocks: () => fc.subarray(['bot-1', 'bot/2']).chain((keys) => keyed(keys, block)),
};
