// Counts what a plan changes for people (semantics §15.5). It sees only the objects that the plan changes, one after the other.

import { idsOf, mapOf, textOf } from '../kinds/definition/values.ts';
import { equalJson, isObject, type JsonObject } from '../lib/json.ts';
import type { AccessVerdict, Rulings } from '../model/access/access.ts';
import { type Address, keyOf, kindOf } from '../model/address.ts';
import {
  type AccessEffect,
  accessEffects,
  type ConnectionEffect,
  connectionEffects,
  type PeopleEffect,
  type PeopleSection,
  type ReadHistory,
} from '../model/people/effects.ts';
import { EffectCount, NameList } from './effect-count.ts';
import type { PeopleMarks } from './people-marks.ts';
import { type KnownObject, rulingsIn, type Scene } from './rights.ts';

/** The attributes of an object before and after an apply. Undefined: it does not exist then. */
export interface BeforeAndAfter {
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

/** What the tally asks about objects that the plan may leave alone. */
export interface Surroundings {
  readonly nowMs: number;
  /** The settings of a custom type. */
  typeOf(customType: string): BeforeAndAfter;
  isBot(id: string): boolean;
  /** The messages of the channel's archive. */
  messagesIn(channelUrl: string): number;
  /** Whether new members of group channels of a type see earlier messages. Undefined: it is not declared. */
  showsHistory(customType: string): boolean | undefined;
}

type Time = keyof BeforeAndAfter;
type ChannelScene = Omit<Scene, 'person' | 'userId'>;

/** The outcomes of channels with the same values in `wide`, for people who are only members. */
interface Outcomes {
  /** For those outside. */
  readonly anybody: readonly AccessEffect[];
  /** By what they are in the channel before and after. */
  readonly plain: Map<string, readonly AccessEffect[]>;
}

const nobody = '';
const active: KnownObject = { address: 'user.', attributes: {} };
const deactivated: KnownObject = { address: 'user.', attributes: { deactivated: true } };
/** The lines that name people, apart from the operators. */
const maps = ['members', 'banned', 'muted'] as const;
/** What changes the rights of everybody in a channel. */
const wide = ['frozen', 'is_public', 'custom_type', 'block_sdk_user_channel_join'] as const;

export class PeopleTally {
  readonly #around: Surroundings;
  readonly #marks: PeopleMarks;
  readonly #outcomes = new Map<string, Outcomes>();
  readonly #effects = new Map<AccessEffect, EffectCount>();
  readonly #connections = new Map<ConnectionEffect, NameList>();
  readonly #closed: Readonly<Record<Time, Set<string>>> = { before: new Set(), after: new Set() };

  constructor(marks: PeopleMarks, around: Surroundings) {
    this.#around = around;
    this.#marks = marks;
  }

  /** Must be called for each user who is deactivated before or after the apply, before anything is added. */
  addClosed(userId: string, isClosed: Readonly<Record<Time, boolean>>): void {
    if (isClosed.before) this.#closed.before.add(userId);
    if (isClosed.after) this.#closed.after.add(userId);
  }

  add(address: Address, sides: BeforeAndAfter): void {
    const kind = kindOf(address);
    if (kind === 'user') this.#addUser(keyOf(address), sides);
    else if (kind === 'custom_type') this.#addType(address, sides);
    else if (kind === 'group_channel' || kind === 'open_channel') this.#addChannel(address, sides);
  }

  /** Undefined if the plan changes nothing for people. */
  end(): PeopleSection | undefined {
    const counts: Record<string, number> = {};
    const effects: PeopleEffect[] = [];
    for (const effect of accessEffects) {
      const count = this.#effects.get(effect);
      if (count === undefined) continue;
      effects.push(count.end(effect));
      if (count.people > 0) counts[effect] = count.people;
      if (count.placesOfAnybody > 0) counts[`anybody_${effect}`] = count.placesOfAnybody;
    }
    for (const effect of connectionEffects) {
      const list = this.#connections.get(effect);
      if (list === undefined) continue;
      counts[effect] = list.count;
      const statements = [{ type: 'connection', people: list.named } as const];
      effects.push({ effect, people: list.count, places: 0, statements, omitted: 0 });
    }
    return effects.length === 0 ? undefined : { effects, counts };
  }

  #addUser(userId: string, { before, after }: BeforeAndAfter): void {
    const could = before !== undefined && before.deactivated !== true;
    const can = after !== undefined && after.deactivated !== true;
    // A new user gains nothing by that alone.
    if (could === can || before === undefined) return;
    const effect = can ? 'newly_connect' : 'no_longer_connect';
    const list = this.#connections.get(effect) ?? new NameList();
    this.#connections.set(effect, list);
    list.add(userId);
  }

  /** Counts the type as one place, since its channels are not read. */
  #addType(address: Address, { before = {}, after = {} }: BeforeAndAfter): void {
    const [operated, operates] = [new Set(idsOf(before, 'operators')), new Set(idsOf(after, 'operators'))];
    for (const id of operates) if (!operated.has(id)) this.#count('newly_moderate').add(id, address);
    for (const id of operated) if (!operates.has(id)) this.#count('no_longer_moderate').add(id, address);
    for (const [name, loses, gains] of [
      ['banned', 'no_longer_read', 'newly_read'],
      ['muted', 'no_longer_write', 'newly_write'],
    ] as const) {
      const [was, is] = [mapOf(before, name), mapOf(after, name)];
      for (const id of Object.keys(is)) if (!Object.hasOwn(was, id)) this.#count(loses).add(id, address);
      // Who comes back from a ban is not a member any more, so nothing is read again by that alone.
      if (gains === 'newly_read') continue;
      for (const id of Object.keys(was)) if (!Object.hasOwn(is, id)) this.#count(gains).add(id, address);
    }
  }

  #addChannel(address: Address, sides: BeforeAndAfter): void {
    const scenes = { before: this.#sceneOf(address, sides, 'before'), after: this.#sceneOf(address, sides, 'after') };
    const { anybody, plain } = this.#outcomesOf(address, sides, scenes);
    for (const effect of anybody) this.#count(effect).addAnybody(address);
    const isWide = sides.before === undefined || sides.after === undefined || wide.some((name) => differs(sides, name));
    let history: ReadHistory | undefined | 'unasked' = 'unasked';
    const distinguished = distinguishedIn(scenes.before, scenes.after);
    const [joined, joins] = [mapOf(sides.before ?? {}, 'members'), mapOf(sides.after ?? {}, 'members')];
    for (const id of (isWide ? namedIn(sides) : [...changedIn(sides)]).sort()) {
      // Whoever can no longer connect is counted once, by that.
      if (this.#closed.after.has(id) || this.#around.isBot(id)) continue;
      // Most people differ from others by their membership alone.
      const standing = standingBetween(joined, joins, id);
      const isPlain = !distinguished.has(id) && !this.#closed.before.has(id);
      const effects = (isPlain ? plain.get(standing) : undefined) ?? this.#effectsOn(id, scenes, anybody);
      if (isPlain) plain.set(standing, effects);
      for (const effect of effects) {
        if (effect === 'newly_read' && history === 'unasked') history = this.#historyOf(address, sides.after ?? {});
        this.#count(effect).add(id, address, effect === 'newly_read' && history !== 'unasked' ? history : undefined);
      }
    }
  }

  /** Those of channels that have the same values for everybody are found once. */
  #outcomesOf(address: Address, sides: BeforeAndAfter, scenes: Readonly<Record<Time, ChannelScene>>): Outcomes {
    const key = `${kindOf(address)} ${wideValues(sides.before)} ${wideValues(sides.after)}`;
    const known = this.#outcomes.get(key);
    if (known !== undefined) return known;
    const [was, is] = [this.#rulings(scenes.before, nobody, 'before'), this.#rulings(scenes.after, nobody, 'after')];
    const outcomes: Outcomes = { anybody: effectsBetween(was, is), plain: new Map() };
    this.#outcomes.set(key, outcomes);
    return outcomes;
  }

  #effectsOn(
    id: string,
    scenes: Readonly<Record<Time, ChannelScene>>,
    anybody: readonly AccessEffect[],
  ): readonly AccessEffect[] {
    const was = this.#rulings(scenes.before, id, 'before');
    const is = this.#rulings(scenes.after, id, 'after');
    const isInside = was.read.verdict === 'yes' || is.read.verdict === 'yes';
    // What is said of anybody need not be said of those outside.
    return effectsBetween(was, is).filter((effect) => isInside || !anybody.includes(effect));
  }

  #sceneOf(address: Address, sides: BeforeAndAfter, time: Time): ChannelScene {
    const attributes = sides[time];
    const type = attributes === undefined ? '' : (textOf(attributes, 'custom_type') ?? '');
    const settings = type === '' ? undefined : this.#around.typeOf(type)[time];
    return {
      channel: { address, attributes },
      ...(settings === undefined
        ? {}
        : { type: { address: `custom_type.${type}`, attributes: settings } as KnownObject }),
      nowMs: this.#around.nowMs,
    };
  }

  #rulings(scene: ChannelScene, userId: string, time: Time): Rulings {
    const isClosed = this.#closed[time].has(userId);
    return rulingsIn({ ...scene, userId, person: isClosed ? deactivated : active });
  }

  #historyOf(address: Address, attributes: JsonObject): ReadHistory | undefined {
    const messages = this.#around.messagesIn(keyOf(address));
    if (messages === 0) return undefined;
    const isSeen =
      kindOf(address) === 'open_channel' || this.#around.showsHistory(textOf(attributes, 'custom_type') ?? '');
    return isSeen === false ? undefined : { messages, seen: isSeen === true ? 'yes' : 'not_known' };
  }

  #count(effect: AccessEffect): EffectCount {
    const count = this.#effects.get(effect) ?? new EffectCount(this.#marks);
    this.#effects.set(effect, count);
    return count;
  }
}

/** What changes between two times. Writing counts only for those who can read at both, since it follows from reading. */
function effectsBetween(before: Rulings, after: Rulings): AccessEffect[] {
  const effects: AccessEffect[] = [];
  const [read, write, moderate] = (['read', 'write', 'moderate'] as const).map((right) =>
    stepOf(before[right].verdict, after[right].verdict),
  );
  if (read === 'gained') effects.push('newly_read');
  if (read === 'lost') effects.push('no_longer_read');
  if (read === 'unclear') effects.push('unknown');
  if (read === 'kept' && write === 'gained') effects.push('newly_write');
  if (read === 'kept' && write === 'lost') effects.push('no_longer_write');
  if (moderate === 'gained') effects.push('newly_moderate');
  if (moderate === 'lost') effects.push('no_longer_moderate');
  return effects;
}

/** Entering a channel that is open to everybody needs nobody else, so it counts as being able to. */
function stepOf(before: AccessVerdict, after: AccessVerdict): 'gained' | 'lost' | 'unclear' | 'kept' {
  if (before === after) return 'kept';
  if (before === 'not_known' || after === 'not_known') return 'unclear';
  if (before === 'no') return 'gained';
  return after === 'no' ? 'lost' : 'kept';
}

/** Whom another line than that of the membership names, in the channel or in its custom type. */
function distinguishedIn(...scenes: readonly ChannelScene[]): Set<string> {
  const found = new Set<string>();
  for (const { channel, type } of scenes) {
    for (const { attributes = {} } of type === undefined ? [channel] : [channel, type]) {
      for (const name of ['banned', 'muted']) for (const id of Object.keys(mapOf(attributes, name))) found.add(id);
      for (const id of idsOf(attributes, 'operators')) found.add(id);
    }
  }
  return found;
}

/** The line of a membership, as far as rights depend on it. */
function lineIn(members: JsonObject, id: string): string {
  if (!Object.hasOwn(members, id)) return '-';
  const line = members[id];
  return isObject(line) ? String(line.invitation_status ?? 'joined') : 'joined';
}

/** What a person is in the channel before and after. */
function standingBetween(joined: JsonObject, joins: JsonObject, id: string): string {
  const [was, is] = [lineIn(joined, id), lineIn(joins, id)];
  // Most people of a plan come into a new channel, for which no text is put together.
  return was === '-' ? is : `${was} ${is}`;
}

function wideValues(attributes: JsonObject | undefined): string {
  return attributes === undefined ? '-' : JSON.stringify(wide.map((name) => attributes[name] ?? null));
}

function differs({ before = {}, after = {} }: BeforeAndAfter, name: string): boolean {
  return before[name] !== after[name] && !equalJson(before[name] ?? null, after[name] ?? null);
}

/** A new list of all people in the channel's block. */
function namedIn({ before, after }: BeforeAndAfter): string[] {
  const lists: string[][] = [];
  for (const attributes of [before, after]) {
    if (attributes === undefined) continue;
    for (const name of maps) lists.push(Object.keys(mapOf(attributes, name)));
    lists.push([...new Set(idsOf(attributes, 'operators'))]);
  }
  const [only = [], ...others] = lists.filter((list) => list.length > 0);
  // Most new channels name members alone, each once.
  return others.length === 0 ? only : [...new Set([only, ...others].flat())];
}

/** Everybody whose lines differ. Edits share the parts that they leave alone, so those need no comparison. */
function changedIn(sides: BeforeAndAfter): Set<string> {
  const { before = {}, after = {} } = sides;
  const changed = new Set<string>();
  for (const name of maps) {
    if (before[name] === after[name]) continue;
    const [was, is] = [mapOf(before, name), mapOf(after, name)];
    for (const id of Object.keys(was))
      if (!Object.hasOwn(is, id) || !equalJson(was[id] ?? null, is[id] ?? null)) changed.add(id);
    for (const id of Object.keys(is)) if (!Object.hasOwn(was, id)) changed.add(id);
  }
  if (differs(sides, 'operators')) {
    const [was, is] = [idsOf(before, 'operators'), idsOf(after, 'operators')];
    for (const id of was) if (!is.includes(id)) changed.add(id);
    for (const id of is) if (!was.includes(id)) changed.add(id);
  }
  return changed;
}
