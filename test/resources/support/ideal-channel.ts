// Support: channels of both kinds on the ideal platform (platform §5, §10, §11).
import { isObject, type JsonObject, type JsonValue } from '../../../src/lib/json.ts';
import type { ApiRequest } from '../../../src/model/request.ts';
import { idsOf, mapOf, textOf } from '../../../src/resources/definition/values.ts';
import type { IdealPlatform } from '../../support/planning/ideal-platform.ts';
import {
  idsIn,
  isIn,
  type Restriction,
  type Room,
  refuse,
  textIn,
  uploaded,
  verbOf,
} from '../../support/planning/ideal-values.ts';
import type { Unequal } from './kind-sample.ts';

const shared = ['name', 'cover_url', 'custom_type', 'data', 'is_ephemeral'];
const roomFields = {
  open: [...shared, 'is_dynamic_partitioned'],
  group: [...shared, 'is_distinct', 'is_public', 'is_super', 'block_sdk_user_channel_join', 'inviter_id'],
};
const updatable = {
  open: ['name', 'cover_url', 'custom_type', 'data'],
  group: ['name', 'cover_url', 'custom_type', 'data', 'is_distinct', 'is_public', 'is_super'],
};

export function channelAnswer(
  platform: IdealPlatform,
  request: ApiRequest,
  kind: Room['kind'],
): JsonObject | undefined {
  return isIn(`${kind}_channels`, request) ? roomCall(platform, verbOf(request), request, kind) : undefined;
}

function roomCall(platform: IdealPlatform, verb: string, request: ApiRequest, kind: Room['kind']): JsonObject {
  const body = request.body ?? {};
  const url = request.params?.channel_url ?? textIn(body, 'channel_url') ?? refuse(request, 'channel_url is missing');
  if (verb === 'POST') return createRoom(platform, request, kind, url);
  const room = platform.rooms.get(url);
  if (room === undefined || room.kind !== kind) return refuse(request, `no channel ${url}`);
  const member = (id: string) => {
    platform.activeUser(request, id);
    return room.members.get(id) ?? refuse(request, `${id} is no member`);
  };
  const ids = idsIn(body.user_ids);
  switch (verb) {
    case 'GET':
      break;
    case 'PUT':
      for (const [name, value] of Object.entries(body)) {
        if (!updatable[kind].includes(name)) refuse(request, `${name} cannot be updated`);
        if (name === 'is_super' && value === false && room.fields.get(name) === true) refuse(request, 'one way');
        room.fields.set(name, value);
      }
      readHoles(request, room);
      break;
    case 'PUT freeze':
      room.freeze = body.freeze === true;
      break;
    case 'DELETE':
      platform.rooms.delete(url);
      return {};
    case 'PUT metadata':
      for (const [name, value] of Object.entries(isObject(body.metadata) ? body.metadata : {})) {
        room.metadata.set(name, String(value));
      }
      return {};
    case 'DELETE metadata {key}':
      if (!room.metadata.delete(request.params?.key ?? '')) refuse(request, 'no such key');
      return {};
    case 'POST ban':
    case 'POST mute':
      restrict(platform, request, room, verb.includes('ban') ? 'banned' : 'muted');
      return {};
    case 'DELETE ban {user_id}':
      if (!room.banned.delete(request.params?.user_id ?? '')) refuse(request, 'nobody is banned');
      return {};
    case 'DELETE mute {user_id}':
      if (!room.muted.delete(request.params?.user_id ?? '')) refuse(request, 'nobody is muted');
      return {};
    case 'GET ban':
      return {
        banned_list: [...room.banned].map(([user_id, one]) => ({ user: { user_id }, ...viewRestriction(one) })),
      };
    case 'GET mute':
      return { muted_list: [...room.muted].map(([user_id, one]) => ({ user_id, ...viewRestriction(one) })) };
    case 'POST operators':
      addOperators(platform, request, room, idsIn(body.operator_ids));
      break;
    case 'DELETE operators':
      for (const id of (request.query?.operator_ids ?? '').split(',')) {
        if (!room.operators.delete(id)) refuse(request, `${id} is no operator`);
      }
      break;
    case 'POST invite':
      join(platform, request, room, ids);
      break;
    case 'PUT leave':
      if (ids.length > 100) refuse(request, 'too many');
      for (const id of ids) {
        member(id);
        if (platform.users.get(id)?.bot !== undefined) refuse(request, `${id} is a bot`);
        room.members.delete(id);
      }
      break;
    case 'PUT accept':
      member(textIn(body, 'user_id') ?? '').state = 'joined';
      break;
    case 'PUT hide':
      member(textIn(body, 'user_id') ?? '').hidden =
        body.allow_auto_unhide === false ? 'hidden_prevent_auto_unhide' : 'hidden_allow_auto_unhide';
      break;
    case 'DELETE hide':
      member(request.query?.user_id ?? '').hidden = 'unhidden';
      break;
    default:
      refuse(request, 'no such route');
  }
  return viewRoom(url, room);
}

function createRoom(platform: IdealPlatform, request: ApiRequest, kind: Room['kind'], url: string): JsonObject {
  const body = request.body ?? {};
  if (platform.rooms.has(url)) refuse(request, `${url} exists`);
  const known = [...roomFields[kind], 'channel_url', 'operator_ids', 'strict'];
  const membership = kind === 'group' ? ['user_ids', 'invitation_status', 'hidden_status'] : [];
  for (const name of Object.keys(body)) {
    if (![...known, ...membership].includes(name)) refuse(request, `unknown field ${name}`);
  }
  const fields = new Map(Object.entries(body).filter(([name]) => roomFields[kind].includes(name)));
  const room: Room = {
    kind,
    fields,
    operators: new Set(),
    members: new Map(),
    metadata: new Map(),
    banned: new Map(),
    muted: new Map(),
    freeze: false,
    codes: 0,
  };
  if (kind === 'group') {
    if (typeof body.strict !== 'boolean') refuse(request, 'strict is not sent, and its default is false');
    join(platform, request, room, idsIn(body.user_ids));
  }
  addOperators(platform, request, room, idsIn(body.operator_ids));
  readHoles(request, room);
  platform.rooms.set(url, room);
  return viewRoom(url, room);
}

function join(platform: IdealPlatform, request: ApiRequest, room: Room, ids: readonly string[]): void {
  const body = request.body ?? {};
  if (ids.length === 0 || ids.length > 100) refuse(request, `${ids.length} users in one call`);
  const inviter = textIn(body, 'inviter_id');
  for (const id of [...ids, ...(inviter === undefined ? [] : [inviter])]) platform.activeUser(request, id);
  const invitation = isObject(body.invitation_status) ? body.invitation_status : {};
  const hidden = isObject(body.hidden_status) ? body.hidden_status : {};
  for (const id of ids) {
    if (room.members.has(id)) refuse(request, `${id} is a member already`);
    if (room.banned.has(id)) refuse(request, `${id} is banned`);
    room.members.set(id, {
      state: (textIn(invitation, id) ?? 'joined') === 'joined' ? 'joined' : 'invited',
      hidden: textIn(hidden, id) ?? 'unhidden',
    });
  }
  if (room.members.size > (room.fields.get('is_super') === true ? 2000 : 100)) refuse(request, 'the channel is full');
}

function restrict(platform: IdealPlatform, request: ApiRequest, room: Room, name: 'banned' | 'muted'): void {
  const body = request.body ?? {};
  const id = textIn(body, 'user_id') ?? '';
  platform.activeUser(request, id);
  if (room[name].has(id)) refuse(request, `${id} is ${name} already`);
  if (room.operators.has(id) && name === 'banned') refuse(request, `${id} is an operator`);
  const placeholder = request.placeholders?.find(({ field }) => field === 'seconds');
  if ((placeholder === undefined) !== (body.seconds === -1)) refuse(request, 'the end is not clear');
  const until = placeholder?.type === 'seconds' ? { until: placeholder.until } : {};
  room[name].set(id, { ...until, description: textIn(body, 'description') ?? '' });
  if (name === 'banned') room.members.delete(id);
}

function addOperators(platform: IdealPlatform, request: ApiRequest, room: Room, ids: readonly string[]): void {
  for (const id of ids) {
    if (platform.user(id, request).bot !== undefined) refuse(request, `${id} is a bot`);
    const isOutside = room.kind === 'group' && room.fields.get('is_public') !== true && !room.members.has(id);
    if (isOutside) refuse(request, `${id} is not in this private channel`);
    room.operators.add(id);
  }
  if (room.operators.size > 100) refuse(request, 'too many operators');
}

function readHoles(request: ApiRequest, room: Room): void {
  const cover = uploaded(request, 'cover_file');
  if (cover !== undefined) room.fields.set('cover_url', cover);
  if (!(request.placeholders ?? []).some(({ field }) => field === 'access_code')) return;
  if (room.fields.get('is_public') !== true) refuse(request, 'access_code only in public channels');
  room.codes += 1;
}

function viewRoom(url: string, { kind, fields, operators, members, metadata, freeze }: Room): JsonObject {
  const { inviter_id: _inviter, ...shown } = Object.fromEntries(fields);
  return {
    channel_url: url,
    ...shown,
    metadata: Object.fromEntries(metadata),
    freeze,
    operators: [...operators].map((user_id) => ({ user_id })),
    ...(kind === 'group' ? { members: [...members].map(([user_id, { state }]) => ({ user_id, state })) } : {}),
  };
}

function viewRestriction({ until, description }: Restriction): JsonObject {
  return { description, start_at: Date.parse('2026-06-01'), end_at: until === undefined ? -1 : Date.parse(until) };
}

export function channelFaults(platform: IdealPlatform, key: string, attributes: JsonObject | undefined): Unequal[] {
  const room = platform.rooms.get(key);
  const faults: Unequal[] = [['frozen', room?.freeze, attributes === undefined || attributes.frozen === true]];
  if (attributes === undefined || room === undefined) return faults;
  for (const [name, neutral] of Object.entries(neutralFields)) {
    const wanted = attributes[name] ?? neutral;
    // A released supergroup that is declared false later cannot be told from a plain channel without a refresh.
    if (name === 'is_super' && wanted === false) continue;
    if (wanted !== undefined) faults.push([name, room.fields.get(name) ?? neutral, wanted]);
  }
  faults.push(['metadata', Object.fromEntries(room.metadata), attributes.metadata ?? {}]);
  for (const name of ['banned', 'muted'] as const) {
    faults.push([name, [...room[name].keys()].sort(), Object.keys(mapOf(attributes, name)).sort()]);
    for (const [id, { until }] of room[name]) {
      faults.push([`${name} ${id}`, until, textOf(mapOf(mapOf(attributes, name), id), 'until')]);
    }
  }
  faults.push(['operators', [...room.operators].sort(), idsOf(attributes, 'operators')]);
  if (room.kind === 'group') faults.push(['members', membershipsOf(room.members), declaredMemberships(attributes)]);
  return faults;
}

/** Returns the value of a removed attribute, or `undefined` if it keeps its value. */
const neutralFields: Readonly<Record<string, JsonValue | undefined>> = {
  name: undefined,
  cover_url: undefined,
  custom_type: '',
  data: '',
  is_public: false,
  is_super: undefined,
  is_ephemeral: undefined,
};

function membershipsOf(members: ReadonlyMap<string, { readonly state: string; readonly hidden: string }>) {
  return Object.fromEntries([...members].map(([id, { state, hidden }]) => [id, `${state} ${hidden}`]));
}

function declaredMemberships(attributes: JsonObject) {
  return Object.fromEntries(
    Object.entries(mapOf(attributes, 'members')).map(([id, line]) => {
      const { invitation_status, hidden_status = 'unhidden' } = isObject(line) ? line : {};
      return [id, `${invitation_status === undefined ? 'joined' : 'invited'} ${String(hidden_status)}`];
    }),
  );
}
