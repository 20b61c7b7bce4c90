// Counts what a plan changes for people (semantics §15.5). It sees only the objects that the plan changes, one after the other.

import { equalJson, isObject, type JsonObject } from '../../lib/json.ts';
import type { DecidingAttributes } from '../kinds/definition/edit-effects.ts';
import { linesOf, mapOf, namesIn, pick, textOf } from '../kinds/definition/values.ts';
import type { AccessVerdict, Rulings } from '../model/access/access.ts';
import { type Address, keyOf, kindOf } from '../model/address.ts';
import {
  type AccessEffect,
  accessEffects,
  type ConnectionEffect,
  connectionEffects,
  effectsOnEverybody,
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
  /** Whether a value that is absent afterwards only stopped being managed. Otherwise it is gone. */
  readonly leavesRemoved: boolean;
  /** The settings of a custom type. */
  typeOf(customType: string): BeforeAndAfter;
  isBot(id: string): boolean;
  /** Whether others manage the user, so that nothing is known of it. */
  isExternal(id: string): boolean;
  /** On which attributes of a kind rights depend. */
  decidingOf(kind: string): DecidingAttributes;
  /** The messages of the channel's history file. */
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

/** A person with a declared value that decides about rights. */
interface SpecialPerson extends Readonly<Record<Time, KnownObject>> {
  /** The same for people with the same values. */
  readonly key: string;
}

export class PeopleTally {
  readonly #around: Surroundings;
  readonly #marks: PeopleMarks;
  readonly #outcomes = new Map<string, Outcomes>();
  readonly #effects = new Map<AccessEffect, EffectCount>();
  readonly #connections = new Map<ConnectionEffect, NameList>();
  readonly #special = new Map<string, SpecialPerson>();
  readonly #specialByKey = new Map<string, SpecialPerson>();

  constructor(marks: PeopleMarks, around: Surroundings) {
    this.#around = around;
    this.#marks = marks;
  }

  /** Must be called for each user before anything is added. The last call for a user is the one that holds. */
  meetUser(userId: string, { before = {}, after = {} }: BeforeAndAfter): void {
    const { wide } = this.#around.decidingOf('user');
    if (!wide.some((name) => Object.hasOwn(before, name) || Object.hasOwn(after, name))) {
      this.#special.delete(userId);
      return;
    }
    const [was, is] = [pick(before, wide), pick(after, wide)];
    const key = JSON.stringify([was, is]);
    const person = this.#specialByKey.get(key) ?? {
      before: { address: active.address, attributes: was },
      after: { address: active.address, attributes: is },
      key,
    };
    this.#specialByKey.set(key, person);
    this.#special.set(userId, person);
  }

  /** `seen` of the records says which members were only invited. */
  add(address: Address, sides: BeforeAndAfter, seen?: BeforeAndAfter): void {
    const kind = kindOf(address);
    if (kind === 'user') this.#addUser(address, sides);
    else if (kind === 'custom_type') this.#addType(address, sides);
    else if (kind === 'settings') this.#addSettings(address, sides);
    else if (kind === 'group_channel' || kind === 'open_channel') this.#addChannel(address, sides, seen);
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
      if (count.placesOfAnybody > 0)
        counts[effectsOnEverybody.has(effect) ? effect : `anybody_${effect}`] = count.placesOfAnybody;
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

  #addUser(address: Address, { before, after }: BeforeAndAfter): void {
    const userId = keyOf(address);
    if (before !== undefined && after !== undefined && after.deactivated !== true) {
      const [accepted, accepts] = [before, after].map(({ auto_accept }) => auto_accept !== false);
      if (accepted !== accepts) this.#count(accepts ? 'newly_enter' : 'no_longer_enter').add(userId, address);
    }
    const could = before !== undefined && before.deactivated !== true;
    const can = after !== undefined && after.deactivated !== true;
    // A new user gains nothing by that alone.
    if (could === can || before === undefined) return;
    const effect = can ? 'newly_connect' : 'no_longer_connect';
    const list = this.#connections.get(effect) ?? new NameList();
    this.#connections.set(effect, list);
    list.add(userId);
  }

  /** The platform sends push notifications unless the settings say otherwise. */
  #addSettings(address: Address, { before = {}, after = {} }: BeforeAndAfter): void {
    if (before.push_enabled !== false && after.push_enabled === false) this.#count('no_pushes').addAnybody(address);
  }

  /** Counts the type as one place, since its channels are not read: what changes for a member of such a channel. */
  #addType(address: Address, sides: BeforeAndAfter): void {
    const { lists } = this.#around.decidingOf(kindOf(address));
    for (const id of [...changedIn(lists, sides)].sort()) {
      if (this.#isClosed(id, 'after') || this.#around.isBot(id)) continue;
      const person = this.#around.isExternal(id) ? 'external' : active;
      const [was, is] = [sides.before, sides.after].map((attributes = {}) =>
        rulingsIn({
          channel: { address: 'group_channel.', attributes: { members: { [id]: {} } } },
          type: { address, attributes },
          person,
          userId: id,
          nowMs: this.#around.nowMs,
        }),
      ) as [Rulings, Rulings];
      // Who comes back from a ban is not a member any more, so nothing is read again by that alone.
      for (const effect of effectsBetween(was, is))
        this.#count(effect === 'newly_read' ? 'newly_enter' : effect).add(id, address);
    }
  }

  #addChannel(address: Address, sides: BeforeAndAfter, seen: BeforeAndAfter = { before: {}, after: {} }): void {
    const { lists, wide } = this.#around.decidingOf(kindOf(address));
    const scenes = {
      before: this.#sceneOf(address, sides, seen, 'before'),
      after: this.#sceneOf(address, sides, seen, 'after'),
    };
    const { anybody, plain } = this.#outcomesOf(address, sides, scenes);
    for (const effect of anybody) this.#count(effect).addAnybody(address);
    if (sides.after !== undefined && hasOperators(sides.before) && !hasOperators(sides.after))
      this.#count('unmoderated').addAnybody(address);
    const isNewOrGone = sides.before === undefined || sides.after === undefined;
    const isWide = isNewOrGone || wide.some((name) => differs(sides, name));
    let history: ReadHistory | undefined | 'unasked' = 'unasked';
    const distinguished = this.#distinguishedIn(scenes.before, scenes.after);
    const [joined, joins] = [mapOf(sides.before ?? {}, 'members'), mapOf(sides.after ?? {}, 'members')];
    const named = isWide ? namedIn(lists, sides) : [...changedIn(lists, sides)];
    // Another custom type restricts people without a line in the channel.
    const concerned = isWide && !isNewOrGone ? [...new Set([...named, ...distinguished])] : named;
    for (const id of concerned.sort()) {
      // Whoever can no longer connect is counted once, by that.
      if (this.#isClosed(id, 'after') || this.#around.isBot(id)) continue;
      // Most people differ from others by their membership alone.
      const isPlain = !distinguished.has(id);
      const standing = `${this.#keyOf(id)}${standingBetween(joined, joins, id)}`;
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
    const { wide } = this.#around.decidingOf(kindOf(address));
    const key = `${kindOf(address)} ${wideValues(wide, sides.before)} ${wideValues(wide, sides.after)}`;
    const known = this.#outcomes.get(key);
    if (known !== undefined) return known;
    const [was, is] = [this.#rulings(scenes.before, nobody, 'before'), this.#rulings(scenes.after, nobody, 'after')];
    const isOpen = [was, is].every(({ read }) => read.verdict === 'by_entering');
    const entering = isOpen ? entryBetween(sides, this.#around.leavesRemoved) : [];
    const anybody = [...effectsBetween(was, is), ...entering];
    const outcomes: Outcomes = { anybody, plain: new Map() };
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

  #sceneOf(address: Address, sides: BeforeAndAfter, seen: BeforeAndAfter, time: Time): ChannelScene {
    const attributes = sides[time];
    const type = attributes === undefined ? '' : (textOf(attributes, 'custom_type') ?? '');
    const settings = type === '' ? undefined : this.#around.typeOf(type)[time];
    return {
      channel: { address, attributes, seen: seen[time] },
      ...(settings === undefined
        ? {}
        : { type: { address: `custom_type.${type}`, attributes: settings } as KnownObject }),
      nowMs: this.#around.nowMs,
    };
  }

  #rulings(scene: ChannelScene, userId: string, time: Time): Rulings {
    const person = userId === nobody ? active : this.#personAt(userId, time);
    return rulingsIn({ ...scene, userId, person });
  }

  #personAt(userId: string, time: Time): KnownObject | 'external' {
    return this.#special.get(userId)?.[time] ?? (this.#around.isExternal(userId) ? 'external' : active);
  }

  #isClosed(userId: string, time: Time): boolean {
    return this.#special.get(userId)?.[time].attributes?.deactivated === true;
  }

  /** One key for all people with the same facts. */
  #keyOf(userId: string): string {
    const special = this.#special.get(userId);
    if (special !== undefined) return special.key;
    return this.#around.isExternal(userId) ? 'external ' : '';
  }

  /** People in a line other than their membership, in the channel or in its custom type. */
  #distinguishedIn(...scenes: readonly ChannelScene[]): Set<string> {
    const ids = new Set<string>();
    for (const { channel, type } of scenes) {
      for (const { address, attributes = {} } of type === undefined ? [channel] : [channel, type]) {
        for (const name of this.#around.decidingOf(kindOf(address)).lists)
          if (name !== 'members') for (const id of namesIn(attributes[name])) ids.add(id);
      }
      for (const id of Object.keys(mapOf(channel.seen ?? {}, 'members'))) ids.add(id);
    }
    return ids;
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

function hasOperators(attributes: JsonObject = {}): boolean {
  return namesIn(attributes.operators).length > 0;
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
  if (read === 'kept' && write === 'unclear') effects.push('unknown_write');
  if (moderate === 'gained') effects.push('newly_moderate');
  if (moderate === 'lost') effects.push('no_longer_moderate');
  if (moderate === 'unclear') effects.push('unknown_moderate');
  return effects;
}

/** Entering a channel that is open to everybody needs nobody else, so it is like being able to. */
function stepOf(before: AccessVerdict, after: AccessVerdict): 'gained' | 'lost' | 'unclear' | 'kept' {
  if (before === after) return 'kept';
  // What somebody may have had is lost with the last ground for it.
  if (after === 'no') return 'lost';
  if (after === 'not_known') return 'unclear';
  return before === 'no' || before === 'not_known' ? 'gained' : 'kept';
}

/** What the code to enter a public channel changes: it is new or another one, or it is gone. */
function entryBetween(sides: BeforeAndAfter, leavesRemoved: boolean): readonly AccessEffect[] {
  if (!differs(sides, 'access_code')) return [];
  if (isObject(sides.after?.access_code)) return ['no_longer_enter'];
  return leavesRemoved ? [] : ['newly_enter'];
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

function wideValues(wide: readonly string[], attributes: JsonObject | undefined): string {
  return attributes === undefined ? '-' : JSON.stringify(wide.map((name) => attributes[name] ?? null));
}

function differs({ before = {}, after = {} }: BeforeAndAfter, name: string): boolean {
  return before[name] !== after[name] && !equalJson(before[name] ?? null, after[name] ?? null);
}

/** A new list of all people in the channel's block. */
function namedIn(lists: readonly string[], { before = {}, after = {} }: BeforeAndAfter): string[] {
  const named = [before, after].flatMap((attributes) => lists.map((name) => namesIn(attributes[name])));
  const [only = [], ...others] = named.filter((ids) => ids.length > 0);
  // Most new channels name members alone, each once.
  return others.length === 0 ? [...only] : [...new Set([only, ...others].flat())];
}

/** Everybody whose lines differ. Edits share the parts that they leave alone, so those need no comparison. */
function changedIn(lists: readonly string[], { before = {}, after = {} }: BeforeAndAfter): Set<string> {
  const changed = new Set<string>();
  for (const name of lists) {
    if (before[name] === after[name]) continue;
    const [was, is] = [linesOf(before[name]), linesOf(after[name])];
    for (const [id, line] of was) if (!equalJson(line, is.get(id) ?? false)) changed.add(id);
    for (const id of is.keys()) if (!was.has(id)) changed.add(id);
  }
  return changed;
}
