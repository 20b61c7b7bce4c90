// Tests which parts of a live object are in its block, and why the others are left out.
import { expect, test } from 'vitest';
import { isPersonal } from '../../../../src/core/manifest/document/block.ts';
import { checksFor } from '../../../../src/core/manifest/schema/validate.ts';
import { declarable } from '../../../../src/core/manifest/write/declarable-block.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { kindNamed } from '../../../support/planning/planning.ts';

type Case = readonly [
  name: string,
  live: JsonObject,
  block: JsonObject | undefined,
  /** The paths of the omitted parts. */
  leftOut?: readonly string[] | undefined,
  kind?: string | undefined,
  key?: string,
];

const n = { nickname: 'N' };
const many = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_none, at) => [`u${at}`, {}]));

const cases: readonly Case[] = [
  [
    'what every new user has is not declared',
    { nickname: '', profile_url: '', metadata: {}, deactivated: false },
    { nickname: '' },
  ],
  [
    'what is not as usual is',
    { ...n, profile_url: 'x', deactivated: true },
    { ...n, profile_url: 'x', deactivated: true },
  ],
  ['a nickname that is too long leaves nothing to declare', { nickname: 'x'.repeat(81) }, undefined, ['']],
  ['an id that leads elsewhere in an address', n, undefined, [''], undefined, '..'],
  ['an id that programs mistake for a part of themselves', n, undefined, [''], undefined, '__proto__'],
  [
    'entries of metadata, one by one',
    { ...n, metadata: { ok: 'x', 'a,b': 'x', long: 'x'.repeat(191), half: '\ud800', constructor: 'x' } },
    { ...n, metadata: { ok: 'x' } },
    ['metadata.half', 'metadata.constructor', 'metadata.a,b', 'metadata.long'],
  ],
  [
    'more entries than a user may have: none is better than some by chance',
    { ...n, metadata: Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => [key, 'x'])) },
    n,
    ['metadata'],
  ],
  [
    'an operator whose id holds a comma',
    { name: 'Lobby', operators: ['a,b', 'alice'] },
    { name: 'Lobby', operators: ['alice'] },
    ['operators.0'],
    'open_channel',
    'lobby',
  ],
  [
    'more members than a group channel may declare',
    { name: 'Crowd', members: many(101) },
    { name: 'Crowd' },
    ['members'],
    'group_channel',
    'crowd',
  ],
  [
    'flags that exclude each other',
    { is_super: true, is_distinct: true, members: { alice: {} } },
    { is_super: true, members: { alice: {} } },
    ['is_distinct'],
    'group_channel',
    'both',
  ],
  [
    'a webhook with events that no manifest may contain: its events stay as they are',
    {
      webhook: { enabled: true, url: 'https://a.example', enabled_events: ['user:ban', 'user sings', 'user dances'] },
    },
    { webhook: { enabled: true, url: 'https://a.example' } },
    ['webhook.enabled_events', 'webhook.enabled_events'],
    'settings',
    'application',
  ],
  [
    'a filter with an expression that no manifest may hold',
    {
      all_channels: { profanity_filter: { type: 1, regex_filters: [{ regex: 'a' }, { regex: '\0' }] } },
    },
    { all_channels: { profanity_filter: { type: 1 } } },
    ['all_channels.profanity_filter.regex_filters'],
    'settings',
    'application',
  ],
  [
    'a list that is one value, with an item that cannot be declared',
    { ...n, discovery_keys: ['a', '', 'b'] },
    n,
    ['discovery_keys'],
  ],
  ['a channel_url of other signs', {}, undefined, [''], 'group_channel', 'a b c d'],
];

test.for(cases)('%s', ([, live, block, leftOut = [], kind = 'user', key = 'some-key']) => {
  const found = declarable(kindNamed(kind), key, live, checksFor(registry));
  expect(found.block).toEqual(block);
  expect(found.leftOut.map(({ path }) => path.join('.')).sort()).toEqual([...leftOut].sort());
  for (const { why } of found.leftOut) expect(why).toMatch(/\.$/u);
});

test.for([
  ['alice', {}, false],
  ['alice@example.com', {}, true],
  ['alice', { mail: 'alice@example.com' }, true],
  ['alice', { 'alice@example.com': 'x' }, true],
  ['+4915112345678', {}, true],
  ['alice', { phone: '+1 (415) 555-2671' }, true],
  ['alice', { offset: '+0200', sum: '1+12345678', long: '+1234567890123456' }, false],
] as const)('personal: %s %o', ([key, metadata, isSo]) => {
  expect(isPersonal(key, { metadata })).toBe(isSo);
});
