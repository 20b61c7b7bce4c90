// Bans and mutes in channels (platform §11).
//
// A declared end is a time, but the platform expects seconds from now, which are computed when the call is sent. So the end
// that is read back may differ by the latency of the call and by the clocks of both sides.
import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { Action } from '../../model/action.ts';
import type { EditEffect } from '../../model/people/comparison.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { ApiRequest } from '../../model/request.ts';
import type {
  AttributeDefinition,
  BlockProblem,
  JsonSchema,
  KindChange,
  Reference,
  StepDraft,
} from '../definition/kind.ts';
import type { PartRead } from '../definition/live-reads.ts';
import { textSchema, userIdSchema } from '../definition/schemas.ts';
import { idsOf, mapOf, textOf, timeIn } from '../definition/values.ts';
import type { PlaceKey } from './operators.ts';
import { userAddresses, userReference } from './people.ts';

type Name = 'banned' | 'muted';

/** The milliseconds by which a read end may differ from the declared one. */
const tolerance = 5 * 60_000;
/** The platform shows a permanent ban as ten years, with or without leap days, or as -1 (platform §11). */
const dayMs = 24 * 3_600_000;
const isTenYears = (ms: number): boolean => ms >= 3649 * dayMs && ms <= 3654 * dayMs;

/** Where people are banned and muted: one channel, or all channels of a custom type, whose calls take lists. */
export interface RestrictionPlace {
  readonly route: string;
  readonly keyName: PlaceKey;
}

function restriction(
  maxLength: number,
  description: string,
  actions: readonly [Action, Action],
  people: readonly EditEffect[],
  idSchema: JsonSchema,
) {
  return {
    schema: {
      type: 'object',
      propertyNames: idSchema,
      additionalProperties: {
        type: ['object', 'null'],
        description: 'The user by id, with the end and the reason, or nothing.',
        properties: {
          until: {
            type: 'string',
            format: 'date-time',
            description: 'When it ends, such as 2027-01-01T00:00:00Z. Absent: never.',
          },
          description: textSchema(maxLength, `Why. At most ${maxLength} characters.`),
        },
        additionalProperties: false,
      },
      description,
    },
    change: 'mutable',
    removed: { how: 'each' },
    shape: 'map',
    sentBy: 'steps',
    shown: { as: 'compared', by: 'observe', costs: 'each' },
    people,
    rights: 'withholds',
    actions,
    endsAt,
    asKnown,
  } as const satisfies AttributeDefinition;
}

/** `idSchema` is that of the ids of people. */
export function restrictionsOf(idSchema: JsonSchema) {
  const banned = 'Users who are removed and cannot enter, one per line, each until its end.';
  const muted = 'Users who cannot write, one per line, each until its end.';
  return {
    banned: restriction(250, banned, ['ban', 'unban'], ['enter', 'read', 'write', 'moderate'], idSchema),
    muted: restriction(2048, muted, ['mute', 'unmute'], ['write'], idSchema),
  };
}

export const restrictionAttributes = restrictionsOf(userIdSchema);

function endsAt(entry: JsonValue): number | undefined {
  const until = isObject(entry) ? textOf(entry, 'until') : undefined;
  return until === undefined ? undefined : Date.parse(until);
}

/** Returns the known entry if the ends are about the same. Ignores an undeclared description. */
function asKnown(known: JsonValue, shown: JsonValue): JsonValue {
  if (!isObject(known) || !isObject(shown)) return shown;
  const [left, right] = [endsAt(known), endsAt(shown)];
  const isSame = left === right || (left !== undefined && right !== undefined && Math.abs(left - right) <= tolerance);
  const until = (isSame ? known : shown).until;
  const description = known.description === undefined ? undefined : (shown.description ?? '');
  return { ...(until === undefined ? {} : { until }), ...(description === undefined ? {} : { description }) };
}

/** Normalises times, and lines of bans and mutes without an end. */
export function withRestrictions(block: JsonObject): JsonObject {
  const normal: Record<string, JsonValue> = {};
  for (const name of ['banned', 'muted'] as const) {
    if (block[name] !== undefined) {
      normal[name] = Object.fromEntries(Object.entries(mapOf(block, name)).map(([id, line]) => [id, lineOf(line)]));
    }
  }
  return Object.keys(normal).length === 0 ? block : { ...block, ...normal };
}

function lineOf(line: JsonValue): JsonObject {
  if (!isObject(line)) return {};
  const { description, ...rest } = line;
  const why = description === undefined || description === '' ? {} : { description };
  const at = endsAt(line);
  return { ...rest, ...(at === undefined || Number.isNaN(at) ? {} : { until: new Date(at).toISOString() }), ...why };
}

export function restrictionReferences(block: JsonObject): Reference[] {
  return [
    ...Object.keys(mapOf(block, 'banned')).map((key) => userReference(key, 'banned user', ['banned', key])),
    ...Object.keys(mapOf(block, 'muted')).map((key) => userReference(key, 'muted user', ['muted', key])),
  ];
}

/** Refuses users who are both in a channel and banned from it. */
export function restrictionProblems(block: JsonObject): BlockProblem[] {
  const members = block.members === undefined ? undefined : mapOf(block, 'members');
  const operators = idsOf(block, 'operators');
  const banned = Object.keys(mapOf(block, 'banned')).flatMap((id): BlockProblem[] => {
    const role = operators.includes(id)
      ? 'operator'
      : members !== undefined && Object.hasOwn(members, id)
        ? 'member'
        : '';
    if (role === '') return [];
    return [
      {
        severity: 'error',
        code: 'channel.banned-and-inside',
        summary: 'A banned user is also declared in the channel',
        detail: `${id} is declared as ${role} of this channel and as banned from it, but a ban removes them. Delete one of the two lines.`,
        path: ['banned', id],
        beside: [`${role}s`, id],
      },
    ];
  });
  const outside =
    members === undefined ? [] : Object.keys(mapOf(block, 'muted')).filter((id) => !Object.hasOwn(members, id));
  return [
    ...banned,
    ...outside.map(
      (id): BlockProblem => ({
        severity: 'warning',
        code: 'channel.muted-outside',
        summary: 'A muted user is not declared as a member',
        detail: `${id} is muted but not under members. The platform may refuse to mute a user who is not in the channel. If they are in it, add the line "${id}:" under members.`,
        path: ['muted', id],
      }),
    ),
  ];
}

/** Returns the calls for all declared bans and mutes of a new channel. */
export function restrictionCreation(place: RestrictionPlace, { key, after }: KindChange): StepDraft[] {
  return (['banned', 'muted'] as const).flatMap((name) =>
    Object.entries(mapOf(after, name)).map(([id, line]) => impose(place, name, key, id, line)),
  );
}

export function restrictionSteps(
  place: RestrictionPlace,
  { key, before: was, attributes, unknown = [] }: KindChange,
): StepDraft[] {
  const isInside = (name: Name, id: string) => name === 'banned' && Object.hasOwn(mapOf(was, 'members'), id);
  return attributes.flatMap(({ path, before, after }): StepDraft[] => {
    const [name, id] = path;
    if ((name !== 'banned' && name !== 'muted') || id === undefined) return [];
    if (after === undefined) return [lift(place, name, key, id, name === 'banned' ? 'unban' : 'unmute')];
    const imposing = impose(place, name, key, id, after);
    // A ban also ends a membership that `ignore_changes` keeps from its own call.
    const ended = isInside(name, id) ? [{ op: 'unset', path: ['members', id] } as const] : [];
    const step = { ...imposing, edits: [...imposing.edits, ...ended] };
    // One that may be in place already would be refused, and its end may differ.
    const isUnknown = unknown.some(([other, person]) => other === name && person === id);
    // The documents do not say whether a second mute replaces the first, or from when the seconds of a changed ban count (platform §11).
    return before === undefined && !isUnknown ? [step] : [lift(place, name, key, id, verbs[name]), step];
  });
}

function impose(place: RestrictionPlace, name: Name, key: string, id: string, line: JsonValue): StepDraft {
  const verb = verbs[name];
  return {
    action: verb,
    // After invitations, because muted users are members.
    phase: 'operators',
    request: {
      method: 'POST',
      route: `${place.route}/${verb}`,
      params: { [place.keyName]: key },
      ...imposed(place, name, id, line),
    },
    edits: [{ op: 'set', path: [name, id], value: line }],
    exists: userAddresses([id]),
    // The documents do not say whether this needs an active user.
    active: userAddresses([id]),
    doneAgainOn: [platformCode.taken],
  };
}

/** Returns the body. The seconds until the end are computed when the call is sent. -1 means permanent. */
function imposed({ keyName }: RestrictionPlace, name: Name, id: string, line: JsonValue): Partial<ApiRequest> {
  const until = isObject(line) ? textOf(line, 'until') : undefined;
  const rest: JsonObject = { ...reasonOf(line), ...(until === undefined ? { seconds: -1 } : {}) };
  const isListed = keyName === 'custom_type' && name === 'banned';
  const person: JsonObject = keyName === 'custom_type' && name === 'muted' ? { user_ids: [id] } : { user_id: id };
  const body: JsonObject = isListed ? { banned_list: [{ ...person, ...rest }] } : { ...person, ...rest };
  if (until === undefined) return { body };
  const within = isListed ? { within: 'banned_list' } : {};
  return { body, placeholders: [{ type: 'seconds', field: 'seconds', until, ...within }] };
}

function reasonOf(line: JsonValue): JsonObject {
  return isObject(line) && typeof line.description === 'string' ? { description: line.description } : {};
}

/** Runs before invitations, because banned users cannot be invited. */
function lift({ route, keyName }: RestrictionPlace, name: Name, key: string, id: string, action: Action): StepDraft {
  const path = `${route}/${verbs[name]}`;
  return {
    action,
    phase: 'leave',
    request:
      keyName === 'custom_type'
        ? { method: 'DELETE', route: path, params: { custom_type: key }, query: { user_ids: id } }
        : { method: 'DELETE', route: `${path}/{user_id}`, params: { channel_url: key, user_id: id } },
    edits: [{ op: 'unset', path: [name, id] }],
    // The documents do not say whether this needs an active user, either.
    active: userAddresses([id]),
    doneOn: [platformCode.notFound],
  };
}

const verbs = { banned: 'ban', muted: 'mute' } as const;

export function restrictionParts({ route, keyName }: RestrictionPlace): PartRead[] {
  return (['banned', 'muted'] as const).map((name) => ({
    attribute: name,
    field: `${name}_list`,
    isWhole: (answer) => isList(answer[`${name}_list`]),
    request: (key) => ({
      method: 'GET',
      route: `${route}/${verbs[name]}`,
      params: { [keyName]: key },
      query: { limit: '100' },
    }),
  }));
}

export const restrictionCapacity = { banned: Number.POSITIVE_INFINITY, muted: Number.POSITIVE_INFINITY };

export function observeRestrictions(answer: JsonObject): JsonObject {
  return Object.fromEntries(
    (['banned', 'muted'] as const).flatMap((name): [string, JsonValue][] => {
      const list = answer[`${name}_list`];
      return isList(list) ? [[name, Object.fromEntries(list.filter(isObject).flatMap(shownEntry))]] : [];
    }),
  );
}

/** Reads an entry of a list. A ban has its user in a separate part, a mute has the user's fields beside its own. */
function shownEntry(item: JsonObject): [string, JsonValue][] {
  const id = textOf(mapOf(item, 'user'), 'user_id') ?? textOf(item, 'user_id');
  const { start_at: start, description } = item;
  if (id === undefined) return [];
  const end = timeIn(item, 'end_at');
  const isForever = end === undefined || (typeof start === 'number' && isTenYears(end - start));
  const until = isForever ? {} : { until: new Date(end).toISOString() };
  return [[id, { ...until, ...(typeof description === 'string' && description !== '' ? { description } : {}) }]];
}
