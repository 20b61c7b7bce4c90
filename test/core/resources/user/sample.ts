// Support: users in tests of all kinds.
import fc from 'fast-check';
import type { JsonValue } from '../../../../src/lib/json.ts';
import { flag, keyed, metadata, metadataValues, text } from '../support/arbitraries.ts';
import type { KindSample } from '../support/kind-sample.ts';

/** Some ids have a special meaning in JavaScript. */
const ids = ['alice', 'bob', 'constructor', '10', '9', 'a.b', 'c/d', 'ümlaut'];

const block = fc.record(
  {
    nickname: fc.constantFrom('one', 'two'),
    profile_url: text,
    metadata: metadata(5),
    discovery_keys: fc.subarray(['k', 'l']),
    preferred_languages: fc.constantFrom(['en'], ['de', 'en'], ['en', 'de']),
    auto_accept: flag,
    issue_access_token: fc.constantFrom<JsonValue>(true, { revision: 2 }),
    session_token: fc.constantFrom({ expires_at: '2027-01-01T00:00:00Z' }, { expires_at: '2028-01-01T00:00:00Z' }),
    deactivated: flag,
  },
  { requiredKeys: ['nickname'] },
);

export const sample: KindSample = {
  values: {
    metadata: metadataValues,
    preferred_languages: [
      ['de', 'en'],
      ['en', 'de'],
    ],
    auto_accept: [false, true],
    issue_access_token: [true, { revision: 2 }],
  },
  apart: ['profile_file'],
  blocks: () => fc.subarray(ids).chain((keys) => keyed(keys, block)),
  deeds: ({ key, text: said, number }) => {
    const user = `/users/${encodeURIComponent(key)}`;
    return [
      ['PUT', user, { nickname: said }],
      ['PUT', user, { profile_url: said }],
      ['PUT', user, { is_active: number % 2 === 0, leave_all_when_deactivated: number % 3 === 0 }],
      ['PUT', `${user}/metadata`, { metadata: { team: said }, upsert: true }],
      ['DELETE', `${user}/metadata/${encodeURIComponent('a/b')}`],
      ['DELETE', `${user}/metadata`],
      ['PUT', user, { preferred_languages: ['de'] }],
      ['DELETE', user],
    ];
  },
};
