// Lists of ids in calls. The platform refuses a whole list because of one id in it (platform §5.3), so the call may be made
// again without some of them (semantics §5).
import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { platformCode } from '../platform-codes.ts';
import { type ApiRequest, routeName } from '../request.ts';
import type { Step } from '../step.ts';

export interface IdList {
  readonly in: 'body' | 'query';
  /** The field of the list, of one id, or of items with a `user_id`. In a query, ids are joined by commas or repeated. */
  readonly field: string;
  /** Further fields of the body that name the same users: lists, and maps by id. */
  readonly also?: readonly string[];
  /** The field of the user who makes the call. */
  readonly actor?: string;
  /** Codes after which the call is made for each id separately. */
  readonly splitOn: readonly number[];
  /** Codes that mean that the call for one id had already taken effect. */
  readonly doneOn: readonly number[];
  /** Codes that may mean that one of the users does not exist, which a list of users shows. */
  readonly missingOn: readonly number[];
  /** The attributes of the record whose entries are these ids. */
  readonly entries: readonly string[];
  /** The route of the call that is made for one id if the platform refuses this one with a code of `splitOn`. */
  readonly instead?: string;
  /** The call makes one object, so it is repeated without ids that do not exist, and never for each id. */
  readonly isTogether?: true;
  /** The call is made even without any id. */
  readonly mayBeEmpty?: true;
}

const none: readonly number[] = [];
const { taken, notFound, invalidValue, notAllowed, deactivatedUser } = platformCode;
const { blockedByUser, blockedUser, bannedFromChannel, bannedFromType } = platformCode;
const statuses = ['invitation_status', 'hidden_status'];

/** Of a channel or a custom type. An operator of a private channel must be a member (platform §5.3). */
function operatorsOf(route: string): [string, IdList][] {
  const list = { field: 'operator_ids', entries: ['operators'] };
  return [
    [
      `POST ${route}/operators`,
      { ...list, in: 'body', splitOn: none, doneOn: none, missingOn: [notFound, notAllowed] },
    ],
    [
      `DELETE ${route}/operators`,
      // The platform refuses the whole list when one id is no longer an operator (platform §5.3).
      { ...list, in: 'query', splitOn: [invalidValue], doneOn: [invalidValue], missingOn: none },
    ],
  ];
}

/** The call for one user, which is looked up to name the user if the platform refuses it. */
function restriction(route: string, field: string, entry: 'banned' | 'muted' | 'members'): [string, IdList] {
  return [route, { in: 'body', field, splitOn: none, doneOn: none, missingOn: [notFound], entries: [entry] }];
}

const group = '/group_channels/{channel_url}';
const open = '/open_channels/{channel_url}';
const type = '/applications/settings_by_channel_custom_type/{custom_type}';

/** By call, as `routeName` writes it. */
const lists: ReadonlyMap<string, IdList> = new Map<string, IdList>([
  [
    'POST /group_channels',
    {
      in: 'body',
      field: 'user_ids',
      also: ['operator_ids', ...statuses],
      actor: 'inviter_id',
      splitOn: none,
      doneOn: none,
      // 400111 with `strict` (base, POST /group_channels).
      missingOn: [invalidValue, notFound],
      entries: ['members', 'operators'],
      isTogether: true,
    },
  ],
  [
    'POST /open_channels',
    {
      in: 'body',
      field: 'operator_ids',
      splitOn: none,
      doneOn: none,
      missingOn: [notFound],
      entries: ['operators'],
      isTogether: true,
      mayBeEmpty: true,
    },
  ],
  [
    `POST ${group}/invite`,
    {
      in: 'body',
      field: 'user_ids',
      also: statuses,
      actor: 'inviter_id',
      // A user may already be a member, because they joined or because the answer to an earlier call was lost. The
      // documents do not say whether the platform then refuses the whole list.
      splitOn: [taken, deactivatedUser, blockedByUser, blockedUser, bannedFromChannel, bannedFromType],
      doneOn: [taken],
      missingOn: [notFound],
      entries: ['members'],
    },
  ],
  [
    `PUT ${group}/leave`,
    // A user may have left meanwhile, or may only be invited. The documents do not say whether the platform then refuses the list.
    {
      in: 'body',
      field: 'user_ids',
      splitOn: [notFound, invalidValue],
      doneOn: none,
      missingOn: none,
      entries: ['members'],
      instead: `${group}/decline`,
    },
  ],
  restriction(`PUT ${group}/decline`, 'user_id', 'members'),
  ...[group, open, type].flatMap(operatorsOf),
  ...[group, open].flatMap((route) => [
    restriction(`POST ${route}/ban`, 'user_id', 'banned'),
    restriction(`POST ${route}/mute`, 'user_id', 'muted'),
  ]),
  [
    'DELETE /applications/settings/ip_whitelist',
    // Others may have removed an address. The documents do not say whether the platform then refuses the whole list.
    {
      in: 'query',
      field: 'ip_whitelist_addresses',
      splitOn: [notFound],
      doneOn: [notFound],
      missingOn: none,
      entries: ['ip_whitelist'],
    },
  ],
  restriction(`POST ${type}/ban`, 'banned_list', 'banned'),
  restriction(`POST ${type}/mute`, 'user_ids', 'muted'),
]);

export function idListOf(request: Pick<ApiRequest, 'method' | 'route'> | undefined): IdList | undefined {
  return request === undefined ? undefined : lists.get(routeName(request));
}

/** The ids of the list, and of the fields that name the same users. */
export function idsIn(list: IdList, request: ApiRequest): string[] {
  const fields = [list.field, ...(list.also ?? [])];
  const ids = fields.flatMap((name) =>
    list.in === 'query' ? idsInQuery(request.query?.[name]) : idsOf(request.body?.[name]),
  );
  return [...new Set(ids)];
}

/** The ids of the list itself, which the call is about. */
export function listedIds(list: IdList | undefined, request: ApiRequest): string[] {
  return list === undefined ? [] : idsIn({ ...list, also: [] }, request);
}

function idsInQuery(value: string | readonly string[] = []): readonly string[] {
  return typeof value === 'string' ? value.split(',') : value;
}

function idsOf(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (!isList(value)) return [];
  return value.map(idOf).filter((id) => id !== undefined);
}

function idOf(item: JsonValue): string | undefined {
  const id = isObject(item) ? item.user_id : item;
  return typeof id === 'string' ? id : undefined;
}

/**
 * Whether the call is not made without some of its ids: the object is identified by these users, or its block declares `strict: true`,
 * so that the creation has to fail (base, POST /group_channels). Without that line, `strict` only makes the platform name a failure.
 */
export function needsAllIds({ request, entry }: Step): boolean {
  return request?.body?.is_distinct === true || (entry.type === 'put' && entry.record.attributes.strict === true);
}

/** Returns the step without some ids, or undefined if it needs one and none is left. */
export function stepWithout(step: Step, list: IdList, ids: ReadonlySet<string>): Step | undefined {
  const { request } = step;
  if (request === undefined) return undefined;
  const remaining = listedIds(list, request).filter((id) => !ids.has(id));
  if (remaining.length === 0 && list.mayBeEmpty !== true) return undefined;
  const { resolve, entry } = step;
  const expect = resolve?.expect.map((expected) =>
    'includes' in expected ? { ...expected, includes: expected.includes.filter((id) => !ids.has(id)) } : expected,
  );
  return {
    ...step,
    request: requestWithout(request, list, ids),
    entry: entryWithout(entry, list, ids),
    ...(resolve === undefined || expect === undefined ? {} : { resolve: { ...resolve, expect } }),
  };
}

/** Returns a step for each id of the list. */
export function stepsForEach(step: Step, list: IdList): Step[] {
  const ids = step.request === undefined ? [] : listedIds(list, step.request);
  return ids.flatMap((id) => {
    const others = new Set(ids.filter((other) => other !== id));
    const part = stepWithout(step, list, others);
    return part === undefined ? [] : [{ ...part, doneOn: list.doneOn }];
  });
}

/**
 * Returns the step that follows a refused call for one id: a user who cannot leave may decline (platform §5.3). A refusal of both calls
 * means that nothing was to be ended, unless both only name an invalid value.
 */
export function stepInstead(step: Step, code: number): Step | undefined {
  const { request } = step;
  const list = idListOf(request);
  if (request === undefined || list?.instead === undefined) return undefined;
  const [id = ''] = listedIds(list, request);
  const declining: ApiRequest = { ...request, route: list.instead, body: { user_id: id } };
  return { ...step, request: declining, doneOn: code === notFound ? list.splitOn : [notFound] };
}

function requestWithout(request: ApiRequest, list: IdList, ids: ReadonlySet<string>): ApiRequest {
  if (list.in === 'query') {
    const remaining = listedIds(list, request).filter((id) => !ids.has(id));
    const isJoined = typeof request.query?.[list.field] === 'string';
    const query = { ...request.query, [list.field]: isJoined ? remaining.join(',') : remaining };
    const field = without(request.body?.[list.field], ids);
    return { ...request, query, ...(field === undefined ? {} : { body: { ...request.body, [list.field]: field } }) };
  }
  const body: Record<string, JsonValue> = { ...request.body };
  for (const name of [list.field, ...(list.also ?? [])]) {
    const remaining = without(body[name], ids);
    if (remaining === undefined) delete body[name];
    else body[name] = remaining;
  }
  return { ...request, body };
}

/** Returns the list or map without the ids, or undefined if nothing of it is left. */
function without(value: JsonValue | undefined, ids: ReadonlySet<string>): JsonValue | undefined {
  if (isList(value)) {
    const remaining = value.filter((item) => !ids.has(idOf(item) ?? ''));
    return remaining.length === 0 ? undefined : remaining;
  }
  if (!isObject(value)) return value;
  const entriesLeft = Object.entries(value).filter(([id]) => !ids.has(id));
  return entriesLeft.length === 0 ? undefined : Object.fromEntries(entriesLeft);
}

/** Returns the entry of a call without some of its ids. */
export function entryWithout(entry: Step['entry'], { entries }: IdList, ids: ReadonlySet<string>): Step['entry'] {
  if (entry.type === 'delete') return entry;
  if (entry.type === 'put') {
    const attributes: Record<string, JsonValue> = { ...entry.record.attributes };
    for (const name of entries) {
      const remaining = without(attributes[name], ids);
      if (remaining === undefined) delete attributes[name];
      else attributes[name] = remaining;
    }
    return { ...entry, record: { ...entry.record, attributes: attributes as JsonObject } };
  }
  const edits = entry.edits.flatMap((edit) => {
    const [name = '', id] = edit.path;
    if (!entries.includes(name)) return [edit];
    if (edit.op === 'add' || edit.op === 'remove') {
      const values = edit.values.filter((value) => !ids.has(value));
      return values.length === 0 ? [] : [{ ...edit, values }];
    }
    return id !== undefined && ids.has(id) ? [] : [edit];
  });
  return { ...entry, edits };
}
