// Tests the limits of the base document from both sides: its value is accepted, and one beyond it is refused. The table below is
// read from the document, not from the code, so a limit that is too strict fails as well as one that is too loose.
import { describe, expect, test } from 'vitest';
import { registry } from '../../../src/core/resources/index.ts';
import type { JsonObject, JsonValue } from '../../../src/lib/json.ts';
import { messageOf, startApi } from '../../emulator/support/support.ts';
import { errorsIn, type Files, load } from './support/in-memory.ts';

const png = (bytes: number) => {
  const image = new Uint8Array(bytes);
  image.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return image;
};
const text = (length: number) => 'x'.repeat(length);
const ids = (count: number) => Array.from({ length: count }, (_, at) => `u${String(at).padStart(4, '0')}`);
const lines = (count: number) => Object.fromEntries(ids(count).map((id) => [id, null]));
const url = (length: number) => `https://a.example/${text(length - 'https://a.example/'.length)}`;

interface Limit {
  /** The section and the line of the base document. */
  readonly source: string;
  readonly section: 'users' | 'open_channels' | 'group_channels';
  readonly limit: number;
  /** One beyond the limit. Absent: one more. */
  readonly beyond?: number;
  readonly key?: (amount: number) => string;
  /** The attributes that have the amount, and those beside them. */
  readonly of?: (amount: number) => JsonObject;
  readonly beside?: JsonObject;
  /** The cell of a row of CSV that has the attributes of `of`, by the name of its column. Absent: a cell cannot have them. */
  readonly cell?: (amount: number) => readonly [column: string, text: string];
  /** The body that the emulator gets. Absent: the block. */
  readonly body?: (amount: number) => JsonObject;
}

const alice = { nickname: 'A' };
const metadata = (count: number) => Object.fromEntries(ids(count).map((key) => [key, 'v']));
const attribute = (name: string, textOf: (amount: number) => string) => ({
  of: (amount: number) => ({ [name]: textOf(amount) }),
  cell: (amount: number) => [name, textOf(amount)] as const,
});
const listed = (name: string) => ({
  of: (count: number) => ({ [name]: name === 'members' ? lines(count) : ids(count) }),
  cell: (count: number) => [name, ids(count).join(';')] as const,
});
const channels = ['open_channels', 'group_channels'] as const;
const member = { members: { u0000: null } };
const besideIn = (section: string): JsonObject => (section === 'group_channels' ? member : {});
const ofUsers =
  (more: JsonObject = {}) =>
  (count: number) => ({ user_ids: ids(count), ...more });

const limits: readonly Limit[] = [
  { source: 'Other limits, line 264', section: 'users', limit: 80, key: text, beside: alice },
  { source: 'Other limits, line 265', section: 'users', limit: 80, ...attribute('nickname', text) },
  { source: 'Other limits, line 266', section: 'users', limit: 2048, ...attribute('profile_url', url), beside: alice },
  {
    source: 'Other limits, line 268',
    section: 'users',
    limit: 5,
    of: (count) => ({ metadata: metadata(count) }),
    beside: alice,
  },
  ...channels.flatMap((section): Limit[] => [
    {
      source: 'Other limits, line 266',
      section,
      limit: 2048,
      ...attribute('cover_url', url),
      beside: besideIn(section),
    },
    { source: 'Other limits, line 269', section, limit: 191, ...attribute('name', text), beside: besideIn(section) },
    { source: 'Other limits, line 270', section, limit: 100, key: text, beside: besideIn(section) },
    { source: 'Other limits, line 270', section, limit: 4, beyond: 3, key: text, beside: besideIn(section) },
    {
      source: 'Other limits, line 271',
      section,
      limit: 128,
      ...attribute('custom_type', text),
      beside: besideIn(section),
    },
    ...['operators', 'operator_ids', 'operator_ids[]'].map(
      (name): Limit => ({
        source: 'Other limits, line 273',
        section,
        limit: 100,
        ...listed(name),
        beside: besideIn(section),
        body: (count) => ({
          operator_ids: ids(count),
          ...(section === 'group_channels' ? { user_ids: ['u0000'] } : {}),
        }),
      }),
    ),
  ]),
  ...['members', 'user_ids'].flatMap((name): Limit[] => [
    {
      source: 'Other limits, lines 272 and 274',
      section: 'group_channels',
      limit: 100,
      ...listed(name),
      body: ofUsers(),
    },
    {
      source: 'Other limits, line 274',
      section: 'group_channels',
      limit: 100,
      ...listed(name),
      beside: { is_public: true },
      body: ofUsers({ is_public: true }),
    },
    {
      source: 'Other limits, line 275',
      section: 'group_channels',
      limit: 2000,
      ...listed(name),
      beside: { is_super: true },
    },
  ]),
];

const kinds = Object.fromEntries(registry.map(({ name, section, keyName }) => [section, { name, keyName }]));
const external = { policy: { external: { users: ['^u\\d{4}$'] } } };
const yaml = (document: JsonObject) => JSON.stringify({ version: 1, ...document });
const flat = (value: JsonValue) => (typeof value === 'string' || typeof value === 'boolean' ? String(value) : 'u0000');

/** The ways in which a manifest can declare the amount. */
const forms: Readonly<Record<string, (limit: Limit, amount: number) => Files | undefined>> = {
  'a manifest': ({ section, key, of, beside }, amount) => ({
    'a.yaml': yaml({ ...external, [section]: { [key?.(amount) ?? 'object']: { ...beside, ...of?.(amount) } } }),
  }),
  'a row of NDJSON': ({ section, key, of, beside }, amount) => {
    const { name: kind = '', keyName = '' } = kinds[section] ?? {};
    const row = { [keyName]: key?.(amount) ?? 'object', ...beside, ...of?.(amount) };
    return {
      'a.yaml': yaml({ ...external, sources: [{ kind, file: 'rows.ndjson' }] }),
      'rows.ndjson': `${JSON.stringify(row)}\n`,
    };
  },
  'a row of CSV': ({ section, key, of, cell, beside = {} }, amount) => {
    if (of !== undefined && cell === undefined) return undefined;
    const { name: kind = '', keyName = '' } = kinds[section] ?? {};
    const others = Object.entries(beside).map(([name, value]) => [name, flat(value)] as const);
    const row = [
      [keyName, key?.(amount) ?? 'object'],
      ...others,
      ...(cell === undefined ? [] : [cell(amount)]),
    ] as const;
    return {
      'a.yaml': yaml({ ...external, sources: [{ kind, file: 'rows.csv' }] }),
      'rows.csv': `${row.map(([name]) => name).join(',')}\n${row.map(([, value]) => value).join(',')}\n`,
    };
  },
  defaults: ({ section, of, beside }, amount) =>
    of && { 'a.yaml': yaml({ ...external, defaults: { [section]: of(amount) }, [section]: { object: beside ?? {} } }) },
  'an overlay': ({ section, of, beside }, amount) =>
    of && {
      'base/a.yaml': yaml({ ...external, [section]: { object: beside ?? {} } }),
      'us/a.yaml': yaml({ extends: '../base', [section]: { object: of(amount) } }),
    },
};

const withinAndBeyond = ({ limit, beyond = limit + 1 }: Limit) => [limit, beyond] as const;
const titleOf = ({ section, limit, of, beside, source }: Limit) =>
  `${section} ${Object.keys(of?.(limit) ?? { key: '' }).join()} ${limit} ${JSON.stringify(beside ?? {})} (${source})`;

test.for(Object.keys(forms))('%s accepts each limit and refuses one beyond', async (form) => {
  const wrong: string[] = [];
  for (const limit of limits) {
    for (const [place, amount] of withinAndBeyond(limit).entries()) {
      const files = forms[form]?.(limit, amount);
      if (files === undefined) continue;
      const errors = errorsIn(await load(files, form === 'an overlay' ? { paths: ['us'] } : {}));
      if (errors.length > 0 !== (place === 1)) {
        wrong.push(
          `${titleOf(limit)}, ${amount}: ${errors.map(({ detail }) => detail.slice(0, 200)).join() || 'accepted'}`,
        );
      }
    }
  }
  expect(wrong).toEqual([]);
});

test.for([
  [5_000_000, []],
  [5_000_001, ['manifest.file-too-big']],
] as const)('an image of %d bytes gives %j (Other limits, line 267)', async ([bytes, codes]) => {
  const users = { alice: { nickname: 'A', profile_file: 'a.png' } };
  const rooms = { room: { cover_file: 'a.png' } };
  const loaded = await load({ 'a.yaml': yaml({ users, open_channels: rooms }), 'a.png': png(bytes) });
  expect([...new Set(errorsIn(loaded).map(({ code }) => code))]).toEqual(codes);
});

describe('the emulator', () => {
  test('accepts each limit of one request and refuses one beyond', async () => {
    const api = await startApi();
    for (const id of ids(101)) await api.users(id);
    const wrong: string[] = [];
    for (const limit of limits) {
      const { section, key, of, beside = {}, body } = limit;
      if (section === 'group_channels' && beside.is_super === true) continue;
      for (const [place, amount] of withinAndBeyond(limit).entries()) {
        const { members, ...block }: JsonObject = { ...beside, ...of?.(amount) };
        const sent = body?.(amount) ?? { ...block, ...(members === undefined ? {} : { user_ids: ['u0000'] }) };
        const name = key?.(amount) ?? `object-${wrong.length}-${limits.indexOf(limit)}-${place}`;
        const identity =
          section === 'users' ? { user_id: name, nickname: 'A', profile_url: '' } : { channel_url: name };
        const code = await api.code('POST', `/${section}`, { ...identity, ...sent });
        if ((code === 200) !== (place === 0)) wrong.push(`${titleOf(limit)}, ${amount}: ${String(code)}`);
        if (code === 200) await api.ok('DELETE', `/${section}/${name}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('accepts 100 messages in one migration request and refuses 101 (Other limits, line 263)', async () => {
    const api = await startApi();
    await api.users('ann');
    await api.room('room-1', ['ann']);
    const messages = Array.from({ length: 101 }, (_, at) => messageOf('ann', 1_600_000_000_000 + at));
    expect(await api.code('POST', '/migration/room-1', { messages })).not.toBe(200);
    expect(await api.code('POST', '/migration/room-1', { messages: messages.slice(1) })).toBe(200);
  });

  test('lets 2,000 members into a supergroup and refuses the next one (Other limits, line 275)', async () => {
    const api = await startApi();
    const all = ids(2001);
    for (const id of all) await api.users(id);
    await api.room('super', all.slice(0, 100), { is_super: true });
    for (let at = 100; at < 2000; at += 100) {
      await api.ok('POST', '/group_channels/super/invite', { user_ids: all.slice(at, at + 100) });
    }
    expect(await api.code('POST', '/group_channels/super/invite', { user_ids: all.slice(2000) })).not.toBe(200);
  });
});
