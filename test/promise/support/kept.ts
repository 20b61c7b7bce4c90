// Support: what a scenario has besides users, channels and their members: bots, bans, mutes, all attributes that depend on no other
// object, and the kinds that schedules do not draft themselves.
import fc from 'fast-check';
import type { KindDefinition } from '../../../src/core/kinds/definition/kind.ts';
import { type Address, addressOf, keyOf, kindOf } from '../../../src/core/model/address.ts';
import { registry } from '../../../src/core/resources/index.ts';
import type { JsonObject, JsonValue } from '../../../src/lib/json.ts';
import type { Sections } from '../../core/resources/support/kind-sample.ts';
import { blocksOf } from '../../core/resources/support/samples.ts';
import { kindNamed } from '../../support/planning/planning.ts';
import type { Chance } from './chance.ts';
import type { Block, Estate, Section } from './estates.ts';

const botIds = ['bot-1', 'bot-2/x'];
const ends = ['2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z'] as const;

/** Uses its own random source, so that the rest of a schedule is the same with and without it. */
export function withKept(chance: Chance, estates: readonly Estate[]): Estate[] {
  const first = new Map<Address, JsonObject>();
  const last = new Map<Address, JsonObject>();
  return estates.map((plain) => {
    const bots = chance.some(botIds, 0.5);
    const estate = keptIn(chance, plain, bots, last);
    const others = othersBeside(chance, estate, first);
    return Object.keys(others).length === 0 ? estate : { ...estate, others };
  });
}

/** Kinds that the schedules draft themselves. */
const drafted = ['user', 'bot', 'open_channel', 'group_channel', 'settings'];

/** Uses the blocks of arbitrary estates. Attributes fixed at creation keep their first value. */
function othersBeside(chance: Chance, estate: Estate, first: Map<Address, JsonObject>): Sections {
  const { messages: _history_files, others: _none, ...own } = estate;
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

function keptIn(chance: Chance, estate: Estate, bots: readonly string[], last: Map<Address, JsonObject>): Estate {
  /** Adds what does not depend on other objects, and remembers the block. */
  const filled = (kind: string, section: Section, change: (block: Block) => Block): Section =>
    Object.fromEntries(
      Object.entries(section).map(([key, block]) => {
        const address = addressOf(kind, key);
        const whole = { ...plainParts(chance, kind, last.get(address)), ...change(block) };
        last.set(address, whole);
        return [key, whole];
      }),
    );
  // Every invited user and bot becomes a member at once.
  const invitedBot = () => (chance.is(0.3) ? { channel_invitation_preference: 0 } : {});
  const autoAccept = { default_channel_invitation_preference: { auto_accept: true } };
  const settings = () => ({
    ...(chance.is(0.3) ? autoAccept : {}),
    ...(chance.is(0.15) ? { ip_whitelist: chance.some(['192.0.2.7/32', '198.51.100.0/24'], 0.7) } : {}),
  });
  return {
    ...estate,
    user: filled('user', estate.user, (block) => ({ ...block, ...(chance.is(0.1) ? { auto_accept: true } : {}) })),
    bot: filled('bot', Object.fromEntries(bots.map((id) => [id, {}])), invitedBot),
    open_channel: filled('open_channel', estate.open_channel, (block) => withPeople(chance, estate, block, [])),
    group_channel: filled('group_channel', estate.group_channel, (block) => withPeople(chance, estate, block, bots)),
    settings: filled('settings', chance.is(0.5) ? { application: {} } : {}, settings),
  };
}

/** Attributes that depend on each other, on other objects or on history files. The schedules draft them themselves. */
const dependent: ReadonlySet<string> = new Set([
  ...['members', 'operators', 'banned', 'muted', 'inviter_id', 'is_ephemeral'],
  ...['is_public', 'access_code', 'is_super', 'is_distinct', 'strict', 'frozen', 'deactivated'],
  ...['profile_url', 'profile_file', 'cover_url', 'cover_file'],
  ...['auto_accept', 'channel_invitation_preference', 'default_channel_invitation_preference', 'ip_whitelist'],
]);

const sampled = new Map<string, readonly Block[]>();

/** Blocks of arbitrary estates. Making them takes long, so each process makes them once. */
function sampledBlocks(kind: KindDefinition): readonly Block[] {
  const known = sampled.get(kind.name);
  if (known !== undefined) return known;
  const sections = fc.sample(blocksOf(kind, { user: { alice: {} } }), { numRuns: 200, seed: 1 });
  const blocks = sections.flatMap((section) => Object.values(section));
  sampled.set(kind.name, blocks);
  return blocks;
}

/** Attributes of a block of an arbitrary estate. Those fixed at creation keep their value, or are removed as a line. */
function plainParts(chance: Chance, name: string, last: JsonObject | undefined): JsonObject {
  const kind = kindNamed(name);
  const block = chance.one(sampledBlocks(kind));
  const lines = Object.entries(kind.attributes).flatMap(([attribute, { change }]): [string, JsonValue][] => {
    if (dependent.has(attribute) || change === 'mode') return [];
    const isFixed = last !== undefined && (change === 'create_only' || change === 'one_way');
    const value = (isFixed ? last : block)[attribute];
    const isRemoved = isFixed && !kind.required.includes(attribute) && chance.is(0.2);
    return value === undefined || isRemoved ? [] : [[attribute, value]];
  });
  return Object.fromEntries(lines);
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
