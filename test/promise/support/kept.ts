// Support: objects of a scenario besides users and channels: bots, metadata, bans, mutes, preferences and settings, and the
// kinds that schedules do not draft themselves.
import fc from 'fast-check';
import type { KindDefinition } from '../../../src/kinds/definition/kind.ts';
import type { JsonObject, JsonValue } from '../../../src/lib/json.ts';
import { type Address, addressOf, keyOf, kindOf } from '../../../src/model/address.ts';
import { registry } from '../../../src/resources/index.ts';
import type { Sections } from '../../resources/support/kind-sample.ts';
import { blocksOf } from '../../resources/support/samples.ts';
import type { Chance } from './chance.ts';
import type { Block, Estate, Section } from './estates.ts';

const botIds = ['bot-1', 'bot-2/x'];
const metadataKeys = ['team', 'toString', '7', 'a/b', 'x'];
const texts = ['', 'one', 'two'] as const;
const ends = ['2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z'] as const;

/** Uses its own random source, so that the rest of a schedule is the same with and without it. */
export function withKept(chance: Chance, estates: readonly Estate[]): Estate[] {
  const first = new Map<Address, JsonObject>();
  return estates.map((plain) => {
    const bots = chance.some(botIds, 0.5);
    const estate = keptIn(chance, plain, bots);
    const others = othersBeside(chance, estate, first);
    return Object.keys(others).length === 0 ? estate : { ...estate, others };
  });
}

/** Kinds that the schedules draft themselves. */
const drafted = ['user', 'bot', 'open_channel', 'group_channel', 'settings'];

/** Uses the blocks of arbitrary estates. Attributes fixed at creation keep their first value. */
function othersBeside(chance: Chance, estate: Estate, first: Map<Address, JsonObject>): Sections {
  const { messages: _archives, others: _none, ...own } = estate;
  let found: Sections = {};
  for (const kind of registry) {
    if (kind.isChild === true || drafted.includes(kind.name)) continue;
    const seed = chance.int(0, 2 ** 31 - 1);
    const [sampled = {}] = fc.sample(blocksOf(kind, { ...own, ...found }), { numRuns: 1, seed });
    // Removing all objects of a kind would need an acknowledgement.
    const known = [...first].filter(([address]) => kindOf(address) === kind.name).slice(0, 1);
    const kept = Object.fromEntries(known.map(([address, block]) => [keyOf(address), withoutPeople(block)]));
    const settled = Object.entries({ ...kept, ...sampled }).map(([key, block]): [string, JsonObject] => {
      const address = addressOf(kind.name, key);
      const before = first.get(address) ?? block;
      first.set(address, before);
      return [key, asFixed(kind, block, before)];
    });
    found = { ...found, [kind.name]: Object.fromEntries(settled) };
  }
  return found;
}

/** The people of an earlier estate may be gone. */
function withoutPeople({ operators: _operators, banned: _banned, muted: _muted, ...rest }: JsonObject): JsonObject {
  return rest;
}

function asFixed({ attributes }: KindDefinition, block: JsonObject, before: JsonObject): JsonObject {
  const lines = Object.entries(attributes).flatMap(([name, { change }]): [string, JsonValue][] => {
    const value = change === 'create_only' || change === 'one_way' ? before[name] : block[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(lines);
}

function keptIn(chance: Chance, estate: Estate, bots: readonly string[]): Estate {
  return {
    ...estate,
    user: each(estate.user, (block) => ({ ...block, ...userParts(chance) })),
    bot: Object.fromEntries(bots.map((id) => [id, botBlock(chance)])),
    open_channel: each(estate.open_channel, (block) => withPeople(chance, estate, withMetadata(chance, block), [])),
    group_channel: each(estate.group_channel, (block) => withPeople(chance, estate, withMetadata(chance, block), bots)),
    settings: chance.is(0.5) ? { application: settingsBlock(chance) } : {},
  };
}

function each(section: Section, change: (block: Block) => Block): Section {
  return Object.fromEntries(Object.entries(section).map(([key, block]) => [key, change(block)]));
}

/** Every invited user becomes a member at once. */
function userParts(chance: Chance): Block {
  return {
    ...(chance.is(0.15) ? { discovery_keys: chance.some(['k', 'l'], 0.6) } : {}),
    ...(chance.is(0.15) ? { preferred_languages: chance.one([['en'], ['de', 'en'], []]) } : {}),
    ...(chance.is(0.1) ? { auto_accept: true } : {}),
  };
}

function botBlock(chance: Chance): Block {
  return {
    bot_nickname: chance.one(['one', 'two']),
    bot_type: 'helper',
    bot_callback_url: chance.one(['https://a.example', 'https://b.example']),
    ...(chance.is(0.3) ? { bot_profile_url: chance.one(texts) } : {}),
    ...(chance.is(0.3) ? { is_privacy_mode: chance.is(0.5) } : {}),
    ...(chance.is(0.3) ? { enable_mark_as_read: chance.is(0.5) } : {}),
    ...(chance.is(0.3) ? { show_member: chance.is(0.5) } : {}),
    ...(chance.is(0.3) ? { channel_invitation_preference: 0 } : {}),
    ...(chance.is(0.3) ? { metadata: { team: chance.one(texts) } } : {}),
  };
}

function withMetadata(chance: Chance, block: Block): Block {
  if (!chance.is(0.3)) return block;
  return {
    ...block,
    metadata: Object.fromEntries(chance.some(metadataKeys, 0.4).map((key) => [key, chance.one(texts)])),
  };
}

/** Adds bots to the members. Only non-members are banned and only members are muted. */
function withPeople(chance: Chance, { user }: Estate, block: Block, bots: readonly string[]): Block {
  const { members, operators = [] } = block;
  // The members of a distinct channel are fixed.
  const isFixed = block.is_distinct === true || Object.keys((members ?? {}) as object).length > 90;
  const joined = isFixed ? [] : chance.some(bots, 0.5);
  const inside = members === undefined ? [] : Object.keys(members as JsonObject);
  const outside = Object.keys(user).filter((id) => !inside.includes(id) && !(operators as string[]).includes(id));
  const banned = restricted(chance, outside.slice(0, 5));
  const muted = restricted(chance, members === undefined ? Object.keys(user).slice(0, 2) : inside.slice(0, 3));
  return {
    ...block,
    ...(members === undefined
      ? {}
      : { members: { ...(members as JsonObject), ...Object.fromEntries(joined.map((id) => [id, {}])) } }),
    ...(isFixed || banned === undefined ? {} : { banned }),
    ...(muted === undefined ? {} : { muted }),
  };
}

function restricted(chance: Chance, ids: readonly string[]): JsonValue | undefined {
  if (!chance.is(0.3)) return undefined;
  const lines = chance.some(ids, 0.4).map((id): [string, JsonValue] => [
    id,
    {
      ...(chance.is(0.5) ? { until: chance.one(ends) } : {}),
      ...(chance.is(0.3) ? { description: chance.one(['spam', 'noise']) } : {}),
    },
  ]);
  return Object.fromEntries(lines);
}

function settingsBlock(chance: Chance): Block {
  return {
    ...(chance.is(0.3) ? { default_channel_invitation_preference: { auto_accept: true } } : {}),
    ...(chance.is(0.5)
      ? {
          webhook: {
            enabled: chance.is(0.7),
            url: 'https://a.example',
            enabled_events: [chance.one(['*', 'user:ban'])],
          },
        }
      : {}),
    ...(chance.is(0.15) ? { ip_whitelist: chance.some(['192.0.2.7/32', '198.51.100.0/24'], 0.7) } : {}),
    ...(chance.is(0.3) ? { push_enabled: chance.is(0.5) } : {}),
    ...(chance.is(0.3)
      ? {
          push_templates: {
            [chance.one(['default', 'alternative'])]: { MESG: chance.one(['a', 'b']), FILE: 'f', ADMM: 'm' },
          },
        }
      : {}),
    ...(chance.is(0.3) ? { auto_event_message: { user_join: { user_join: chance.is(0.5) } } } : {}),
    ...(chance.is(0.5)
      ? {
          all_channels: {
            max_message_length: chance.one([500, 5000]),
            profanity_filter: { keywords: chance.some(['a', 'b'], 0.7), type: chance.int(0, 3) },
          },
        }
      : {}),
  };
}
