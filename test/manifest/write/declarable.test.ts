// Tests what of a live object stands in its block, and what is left out for which reason.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import { checksFor } from '../../../src/manifest/schema/validate.ts';
import { declarable, isPersonal } from '../../../src/manifest/write/declarable.ts';
import { registry } from '../../../src/resources/index.ts';
import { kindNamed } from '../../support/planning/planning.ts';

interface Case {
  readonly name: string;
  readonly kind?: string;
  readonly key?: string;
  readonly live: JsonObject;
  readonly block: JsonObject | undefined;
  /** The paths that are left out. */
  readonly leftOut?: readonly string[];
}

const n = { nickname: 'N' };
const many = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_none, at) => [`u${at}`, {}]));

const cases: readonly Case[] = [
  {
    name: 'what every new user has is not declared',
    live: { nickname: '', profile_url: '', metadata: {}, deactivated: false },
    block: { nickname: '' },
  },
  {
    name: 'what is not as usual is',
    live: { ...n, profile_url: 'x', deactivated: true },
    block: { ...n, profile_url: 'x', deactivated: true },
  },
  {
    name: 'a nickname that is too long leaves nothing to declare',
    live: { nickname: 'x'.repeat(81) },
    block: undefined,
    leftOut: [''],
  },
  { name: 'an id that leads elsewhere in an address', key: '..', live: n, block: undefined, leftOut: [''] },
  {
    name: 'an id that programs mistake for a part of themselves',
    key: '__proto__',
    live: n,
    block: undefined,
    leftOut: [''],
  },
  {
    name: 'entries of metadata, one by one',
    live: { ...n, metadata: { ok: 'x', 'a,b': 'x', long: 'x'.repeat(191), half: '\ud800', constructor: 'x' } },
    block: { ...n, metadata: { ok: 'x' } },
    leftOut: ['metadata.half', 'metadata.constructor', 'metadata.a,b', 'metadata.long'],
  },
  {
    name: 'more entries than a user may have: none is better than some by chance',
    live: { ...n, metadata: Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => [key, 'x'])) },
    block: n,
    leftOut: ['metadata'],
  },
  {
    name: 'an operator whose id holds a comma',
    kind: 'open_channel',
    key: 'lobby',
    live: { name: 'Lobby', operators: ['a,b', 'alice'] },
    block: { name: 'Lobby', operators: ['alice'] },
    leftOut: ['operators.0'],
  },
  {
    name: 'more members than a group channel may declare',
    kind: 'group_channel',
    key: 'crowd',
    live: { name: 'Crowd', members: many(101) },
    block: { name: 'Crowd' },
    leftOut: ['members'],
  },
  {
    name: 'flags that exclude each other',
    kind: 'group_channel',
    key: 'both',
    live: { is_super: true, is_distinct: true, members: { alice: {} } },
    block: { is_super: true, members: { alice: {} } },
    leftOut: ['is_distinct'],
  },
  {
    name: 'a webhook with an event that nobody knows: its events stay as they are',
    kind: 'settings',
    key: 'application',
    live: {
      webhook: { enabled: true, url: 'https://a.example', enabled_events: ['user:ban', 'user:sing', 'user:dance'] },
    },
    block: { webhook: { enabled: true, url: 'https://a.example' } },
    leftOut: ['webhook.enabled_events', 'webhook.enabled_events'],
  },
  {
    name: 'a filter with an expression that no manifest may hold',
    kind: 'settings',
    key: 'application',
    live: {
      moderation: { sales: { profanity_filter: { type: 1, regex_filters: [{ regex: 'a' }, { regex: '\0' }] } } },
    },
    block: { moderation: { sales: { profanity_filter: { type: 1 } } } },
    leftOut: ['moderation.sales.profanity_filter.regex_filters'],
  },
  {
    name: 'a list that is one value, with an item that cannot be declared',
    live: { ...n, discovery_keys: ['a', '', 'b'] },
    block: n,
    leftOut: ['discovery_keys'],
  },
  {
    name: 'a channel_url of other signs',
    kind: 'group_channel',
    key: 'a b c d',
    live: {},
    block: undefined,
    leftOut: [''],
  },
];

test.for(cases)('$name', ({ kind = 'user', key = 'some-key', live, block, leftOut = [] }) => {
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
] as const)('personal: %s %o', ([key, metadata, isSo]) => {
  expect(isPersonal(key, { metadata })).toBe(isSo);
});
