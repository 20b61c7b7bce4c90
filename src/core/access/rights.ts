// Decides what one person can read, write and moderate in one channel, by the rules of semantics §15.
//
// The entries of attributes say which of them decide, and tests compare the two. How they act together is a rule of the platform
// for each, such as that operators write in a frozen channel, so this file names them.

import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { flagOf, idsOf, mapOf, textOf } from '../kinds/definition/values.ts';
import type { AccessVerdict, Ground, GroundCode, Ruling, Rulings } from '../model/access/access.ts';
import { type Address, kindOf } from '../model/address.ts';

/** An object with its attributes. Without attributes it does not exist. */
export interface KnownObject {
  readonly address: Address;
  readonly attributes: JsonObject | undefined;
  /** `seen` of its record: the members that the platform showed as only invited. */
  readonly seen?: JsonObject | undefined;
}

/** What the rights of one person in one channel depend on. */
export interface Scene {
  readonly channel: KnownObject;
  /** The settings of the channel's custom type. Absent: the channel has none, or the type has no settings. */
  readonly type?: KnownObject | undefined;
  /** `external`: others manage the user, so that nothing is known of it. */
  readonly person: KnownObject | 'external';
  readonly userId: string;
  /** Unix milliseconds, by which bans and mutes have ended. */
  readonly nowMs: number;
}

/** The rights of the person. Each ruling has at least one ground. */
export function rulingsIn(scene: Scene): Rulings {
  const { channel, person } = scene;
  if (channel.attributes === undefined) return nothing({ code: 'no_channel', address: channel.address, path: [] });
  const barred = barOf(scene);
  if (barred !== undefined) return nothing(barred);
  const entry = kindOf(channel.address) === 'open_channel' ? openEntry(scene) : groupEntry(scene);
  const found = { read: entry, write: writing(scene, entry), moderate: moderating(scene, entry) };
  return person === 'external' ? doubted(found, scene) : found;
}

/** Whether the ban or the mute counts at a time. An entry that ended counts as absent (semantics §1.9). */
function isInForce(line: JsonValue | undefined, nowMs: number): boolean {
  if (line === undefined) return false;
  const until = isObject(line) ? textOf(line, 'until') : undefined;
  return until === undefined || Date.parse(until) > nowMs;
}

/** What takes every right in the channel. */
function barOf({ channel, type, person, userId, nowMs }: Scene): Ground | undefined {
  if (person !== 'external') {
    const { address, attributes } = person;
    if (attributes === undefined) return { code: 'no_user', address, path: [] };
    if (flagOf(attributes, 'deactivated') === true) return { code: 'deactivated', address, path: ['deactivated'] };
  }
  return restrictionOf(channel, 'banned', userId, nowMs) ?? restrictionOf(type, 'banned', userId, nowMs);
}

function restrictionOf(
  place: KnownObject | undefined,
  name: 'banned' | 'muted',
  userId: string,
  nowMs: number,
): Ground | undefined {
  if (place?.attributes === undefined) return undefined;
  const lines = mapOf(place.attributes, name);
  if (!Object.hasOwn(lines, userId) || !isInForce(lines[userId], nowMs)) return undefined;
  const code = kindOf(place.address) === 'custom_type' ? (`type_${name}` as const) : name;
  return { code, address: place.address, path: [name, userId] };
}

/** Anybody in the application enters an open channel (platform §16.5). */
function openEntry({ channel }: Scene): Ruling {
  return ruling('by_entering', { code: 'open_channel', address: channel.address, path: [] });
}

function groupEntry({ channel: { address, attributes = {}, seen = {} }, person, userId }: Scene): Ruling {
  const members = mapOf(attributes, 'members');
  if (!Object.hasOwn(members, userId)) return outside({ address, attributes }, userId);
  const line = members[userId];
  const path = ['members', userId];
  const { invitation_status: invitation, hidden_status: hidden } = isObject(line) ? line : {};
  // Whether the person accepted since is nowhere declared.
  const wasInvited = Object.hasOwn(mapOf(seen, 'members'), userId);
  if (wasInvited || (invitation !== undefined && invitation !== 'joined'))
    return ruling('not_known', { code: 'invited', address, path });
  if (person !== 'external' && person.attributes !== undefined && flagOf(person.attributes, 'auto_accept') === false) {
    const waits = { code: 'waits_for_acceptance', address: person.address, path: ['auto_accept'] } as const;
    return ruling('not_known', waits, { code: 'member', address, path });
  }
  const shown: Ground[] = hidden === undefined || hidden === 'unhidden' ? [] : [{ code: 'hidden', address, path }];
  return ruling('yes', { code: 'member', address, path }, ...shown);
}

function outside({ address, attributes }: { address: Address; attributes: JsonObject }, userId: string): Ruling {
  const ground = (code: GroundCode, ...path: readonly string[]): Ground => ({ code, address, path });
  if (flagOf(attributes, 'is_public') === true) {
    if (flagOf(attributes, 'block_sdk_user_channel_join') === true)
      return ruling('no', ground('joins_by_api_only', 'block_sdk_user_channel_join'));
    const code = attributes.access_code === undefined ? [] : [ground('access_code', 'access_code')];
    return ruling('by_entering', ground('public', 'is_public'), ...code);
  }
  // The documents disagree whether an operator has to be a member (platform §5.7).
  if (idsOf(attributes, 'operators').includes(userId))
    return ruling('not_known', ground('operator_outside', 'operators', userId));
  return ruling('no', ground('not_member', 'members'));
}

function writing(scene: Scene, entry: Ruling): Ruling {
  if (entry.verdict === 'no') return entry;
  const { channel, type, userId, nowMs } = scene;
  const muted = restrictionOf(channel, 'muted', userId, nowMs) ?? restrictionOf(type, 'muted', userId, nowMs);
  if (muted !== undefined) return ruling('no', muted);
  const { address, attributes = {} } = channel;
  if (flagOf(attributes, 'frozen') !== true) return entry;
  const frozen: Ground = { code: 'frozen', address, path: ['frozen'] };
  const operator = operatorOf(scene);
  if (operator === undefined) return ruling('no', frozen);
  // No document says whether an operator of the type writes in a frozen channel.
  return operator.code === 'type_operator'
    ? ruling('not_known', { ...operator, code: 'type_operator_in_frozen' }, frozen)
    : { verdict: entry.verdict, because: [operator, ...entry.because, frozen] };
}

function moderating(scene: Scene, entry: Ruling): Ruling {
  const { address } = scene.channel;
  const operator = operatorOf(scene);
  if (operator === undefined) return ruling('no', { code: 'not_operator', address, path: ['operators'] });
  if (entry.verdict === 'yes' || entry.verdict === 'by_entering')
    return { ...entry, because: [operator, ...entry.because] };
  return ruling('not_known', operator, ...entry.because);
}

function operatorOf({ channel, type, userId }: Scene): Ground | undefined {
  for (const [code, place] of [
    ['operator', channel],
    ['type_operator', type],
  ] as const) {
    if (place?.attributes === undefined || !idsOf(place.attributes, 'operators').includes(userId)) continue;
    return { code, address: place.address, path: ['operators', userId] };
  }
  return undefined;
}

/** A user of others may be deactivated, so nothing that they have is certain. */
function doubted(found: Rulings, { userId }: Scene): Rulings {
  const external: Ground = { code: 'user_not_managed', address: `user.${userId}`, path: [] };
  const doubt = (one: Ruling): Ruling => (one.verdict === 'no' ? one : ruling('not_known', external, ...one.because));
  return { read: doubt(found.read), write: doubt(found.write), moderate: doubt(found.moderate) };
}

function nothing(ground: Ground): Rulings {
  const none = ruling('no', ground);
  return { read: none, write: none, moderate: none };
}

function ruling(verdict: AccessVerdict, ...because: readonly Ground[]): Ruling {
  return { verdict, because };
}
