// Support: the estates that a scenario declares one after the other: its objects, and the attributes that depend on each other or
// on other objects. All other attributes come from the samples of the kinds (kept.ts). The platform can make every edit between
// the estates (semantics §1.3, §2.2, §2.6), whatever happened to them before.
import { digestText } from '../../../src/lib/digest.ts';
import type { JsonObject, JsonValue } from '../../../src/lib/json.ts';
import type { Chance } from './chance.ts';
import { type HistoryFileDraft, isPossible } from './history-files.ts';

export type Block = Readonly<Record<string, JsonValue>>;
type Draft = Record<string, JsonValue>;
export type Section = Record<string, Block>;
export type SectionName = 'user' | 'bot' | 'open_channel' | 'group_channel' | 'settings';

/** As a manifest: blocks by kind and key. */
export interface Estate {
  readonly user: Section;
  readonly open_channel: Section;
  readonly group_channel: Section;
  readonly bot?: Section;
  readonly settings?: Section;
  /** By kind, the sections of all other kinds. */
  readonly others?: Readonly<Record<string, Section>>;
  /** By channel_url. */
  readonly messages?: Readonly<Record<string, HistoryFileDraft>>;
}

/** Some ids have a special meaning in JavaScript or URLs. */
const people = ['alice', 'bob', 'constructor', '10', 'a.b', 'c/d', 'ümlaut', 'x,y', 'dora', 'e%2Ff'];
const openUrls = ['open-1', 'open-2', 'open-3'];
const groupUrls = ['group-1', 'group-2', 'group-3', 'group-4'];
const texts = ['', 'one', 'two'] as const;
/** An estate declares 60 % of the pool, and channels of more than a hundred members are crowded. */
const crowdSize = 180;

/** Uploads that the platform recognises as PNG files. */
export const images: ReadonlyMap<string, Uint8Array> = new Map(
  ['a.png', 'b.png'].map((name, place) => [name, Uint8Array.from([0x89, 0x50, 0x4e, 0x47, place])]),
);

function image(chance: Chance): JsonValue {
  const file = chance.one(['a.png', 'b.png']);
  return { file, digest: digestText(images.get(file) ?? new Uint8Array()), media_type: 'image/png' };
}

/** The last declaration of each object. Attributes that are fixed at creation keep their value, and released ones are not declared again. */
interface Past {
  readonly blocks: Map<string, Block>;
}

export function estatesOf(chance: Chance, count: number): Estate[] {
  const past: Past = { blocks: new Map() };
  const estates: Estate[] = [];
  const pool = chance.is(0.02) ? [...people, ...crowd()] : people.slice(0, chance.int(2, people.length + 1));
  for (let place = 0; place < count; place++) {
    const before = estates.at(-1);
    estates.push(estate(chance, before, past, pool));
  }
  return estates;
}

export function crowd(size = crowdSize): string[] {
  return Array.from({ length: size }, (_, place) => `u${place}`);
}

function estate(chance: Chance, before: Estate | undefined, past: Past, pool: readonly string[]): Estate {
  const isThere = (section: SectionName, key: string) =>
    chance.is(before !== undefined && Object.hasOwn(before[section] ?? {}, key) ? 0.8 : 0.6);
  const keep = (section: SectionName, key: string, make: (old: Block | undefined) => Block): [string, Block][] => {
    if (!isThere(section, key)) return [];
    const old = own(before?.[section] ?? {}, key);
    const block = old !== undefined && chance.is(0.5) ? old : make(past.blocks.get(`${section}.${key}`));
    return [[key, block]];
  };
  const user = Object.fromEntries(pool.flatMap((key) => keep('user', key, () => userBlock(chance))));
  const users = Object.keys(user);
  const open_channel = Object.fromEntries(
    openUrls.flatMap((key) => keep('open_channel', key, (old) => openBlock(chance, users, old))),
  );
  const group_channel = Object.fromEntries(
    groupUrls.flatMap((key) => keep('group_channel', key, (old) => groupBlock(chance, key, users, old))),
  );
  const whole = withoutStrangers({ user, open_channel, group_channel });
  for (const [section, blocks] of Object.entries(whole)) {
    for (const [key, block] of Object.entries(blocks as Section)) {
      past.blocks.set(`${section}.${key}`, block);
    }
  }
  return whole;
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function userBlock(chance: Chance): Block {
  const block: Draft = { nickname: chance.one(['one', 'two', 'drei ü']) };
  if (chance.is(0.1)) block.profile_file = image(chance);
  else if (chance.is(0.4)) block.profile_url = chance.one(texts);
  if (chance.is(0.25)) block.deactivated = chance.is(0.8);
  return block;
}

function channelBlock(chance: Chance, old: Block | undefined): Draft {
  const block: Draft = {};
  if (chance.is(0.1)) block.cover_file = image(chance);
  else if (chance.is(0.2)) block.cover_url = chance.one(texts);
  if (chance.is(0.35)) block.frozen = chance.is(0.8);
  fixed(chance, block, old, 'is_ephemeral', () => chance.is(0.5));
  return block;
}

function openBlock(chance: Chance, users: readonly string[], old: Block | undefined): Block {
  const block = channelBlock(chance, old);
  if (chance.is(0.6)) block.operators = operatorsAmong(chance, users);
  return block;
}

function groupBlock(chance: Chance, url: string, users: readonly string[], old: Block | undefined): Block {
  const block = channelBlock(chance, old);
  const staysDistinct = old?.is_distinct === true && chance.is(0.7);
  if (staysDistinct || (old === undefined && chance.is(0.1))) {
    // Identified by its custom_type, with fixed members.
    const members = old?.members ?? membersOf(chance, users.slice(0, 100), {});
    return { ...block, custom_type: url, is_distinct: true, members };
  }
  if (old?.is_distinct === true) block.is_distinct = false;
  const isCrowded = users.length > 100;
  const isSuper = old?.is_super === true || chance.is(isCrowded ? 0.8 : 0.15);
  const members = membersOf(chance, isSuper ? users : users.slice(0, 100), old?.members);
  if (isSuper && (chance.is(0.8) || Object.keys(members).length > 100)) block.is_super = true;
  if (chance.is(0.3)) block.is_public = chance.is(0.7);
  // A code that is no longer declared stays in force, and nobody could accept an invitation without it.
  const hadCode = old?.access_code !== undefined && old.is_public === true;
  if (block.is_public === true && (hadCode || chance.is(0.3))) {
    block.access_code = { env: 'CODE', revision: chance.int(1, 4) };
  }
  fixed(chance, block, old, 'strict', () => chance.is(0.5));
  fixed(chance, block, old, 'inviter_id', () => users[chance.int(0, users.length)] ?? '');
  block.members = members;
  if (chance.is(0.6)) block.operators = operatorsAmong(chance, Object.keys(members));
  return block;
}

/** Attributes that are fixed at creation keep their value, or are added and removed as a line. */
function fixed(chance: Chance, block: Draft, old: Block | undefined, name: string, make: () => JsonValue): void {
  const value = old === undefined ? make() : old[name];
  if (value !== undefined && chance.is(old === undefined ? 0.15 : 0.8)) block[name] = value;
}

/** Drops the invitation status of members that an earlier estate declared. */
function membersOf(chance: Chance, users: readonly string[], old: JsonValue | undefined): JsonObject {
  const lines = (old ?? {}) as Record<string, JsonObject>;
  const ids = chance.some(users, chance.one([0.3, 0.6, 0.95]));
  const first = users[chance.int(0, users.length)];
  if (ids.length === 0 && first !== undefined) ids.push(first);
  return Object.fromEntries(
    ids.map((id): [string, JsonValue] => {
      const line: Draft = {};
      const was = own(lines, id);
      if (was === undefined ? chance.is(0.2) : was.invitation_status !== undefined && chance.is(0.5)) {
        line.invitation_status = was?.invitation_status ?? chance.one(['invited_by_friend', 'invited_by_non_friend']);
      }
      if (chance.is(0.2)) line.hidden_status = chance.one(['hidden_allow_auto_unhide', 'hidden_prevent_auto_unhide']);
      return [id, line];
    }),
  );
}

/** At most a hundred ids, none of which contains a comma. */
function operatorsAmong(chance: Chance, ids: readonly string[]): string[] {
  return chance.some(ids.filter((id) => !id.includes(',')).slice(0, 100), chance.one([0, 0.3, 0.9]));
}

/** Removes users whom their estate does not declare from channels, and removes empty channels and distinct channels that lose a member. */
export function withoutStrangers(estate: Estate): Estate {
  const isKnown = (id: string) => Object.hasOwn(estate.user, id) || Object.hasOwn(estate.bot ?? {}, id);
  const open = Object.entries(estate.open_channel).map(([url, block]): [string, Block] => [url, clean(block, isKnown)]);
  const group = Object.entries(estate.group_channel).flatMap(([url, block]): [string, Block][] => {
    const all = Object.keys((block.members ?? {}) as JsonObject);
    const cleaned = clean(block, isKnown);
    const left = Object.keys((cleaned.members ?? {}) as JsonObject).length;
    return left === 0 || (block.is_distinct === true && left < all.length) ? [] : [[url, cleaned]];
  });
  const whole = { ...estate, open_channel: Object.fromEntries(open), group_channel: Object.fromEntries(group) };
  if (estate.messages === undefined) return whole;
  const messages = Object.entries(estate.messages).filter(
    ([url, draft]) =>
      (Object.hasOwn(whole.open_channel, url) || Object.hasOwn(whole.group_channel, url)) && isPossible(draft, whole),
  );
  return { ...whole, messages: Object.fromEntries(messages) };
}

function clean(block: Block, isKnown: (id: string) => boolean): Block {
  const { inviter_id, operators, members, ...rest } = block;
  const named = ['banned', 'muted'].flatMap((name): [string, JsonValue][] =>
    rest[name] === undefined ? [] : [[name, knownOf(rest[name], isKnown)]],
  );
  return {
    ...rest,
    ...Object.fromEntries(named),
    ...(typeof inviter_id === 'string' && isKnown(inviter_id) ? { inviter_id } : {}),
    ...(operators === undefined ? {} : { operators: (operators as string[]).filter(isKnown) }),
    ...(members === undefined ? {} : { members: knownOf(members, isKnown) }),
  };
}

function knownOf(map: JsonValue, isKnown: (id: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(map as JsonObject).filter(([id]) => isKnown(id)));
}
