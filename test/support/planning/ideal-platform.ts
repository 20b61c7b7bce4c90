// Support: an idealised platform in memory. Answers what the documents promise, and refuses all that they say it refuses,
// in the strictest reading: a refusal is thrown, since a good plan never meets one.
import { isList, isObject, type JsonObject, type JsonValue } from '../../../src/lib/json.ts';
import { type ApiRequest, requestPath } from '../../../src/model/request.ts';
import { registry } from '../../../src/resources/index.ts';

export interface Person {
  active: boolean;
  nickname: string;
  profile_url: string;
  metadata: Map<string, string>;
  /** The fields that a user gives and that come back as they are. */
  readonly fields?: Map<string, JsonValue>;
  accessTokens: number;
  sessionTokens: number;
  /** What a bot has besides. */
  readonly bot?: Map<string, JsonValue>;
}

interface Membership {
  state: 'invited' | 'joined';
  hidden: string;
}

interface Restriction {
  readonly until?: string;
  readonly description: string;
}

export interface Room {
  readonly kind: 'open' | 'group';
  readonly fields: Map<string, JsonValue>;
  readonly operators: Set<string>;
  readonly members: Map<string, Membership>;
  readonly metadata: Map<string, string>;
  readonly banned: Map<string, Restriction>;
  readonly muted: Map<string, Restriction>;
  freeze: boolean;
  codes: number;
}

const ownRoutes: ReadonlySet<string> = new Set(
  registry.flatMap(({ attributes }) =>
    Object.values(attributes).flatMap(({ sentBy }) => (typeof sentBy === 'object' ? [sentBy.route] : [])),
  ),
);
const demandedOfBots = ['bot_nickname', 'bot_type', 'bot_callback_url', 'bot_profile_url', 'is_privacy_mode'];
/** By route, the field in which an answer has what was sent. */
const wrappedAnswers: ReadonlyMap<string, string> = new Map(
  registry.flatMap(({ attributes }) =>
    Object.values(attributes).flatMap(({ shownBy }): [string, string][] =>
      typeof shownBy === 'object' && shownBy.answerField !== undefined ? [[shownBy.route, shownBy.answerField]] : [],
    ),
  ),
);
const moderationRoute = '/applications/settings_by_channel_custom_type';
const userFields = ['discovery_keys', 'preferred_languages'];
const shared = ['name', 'cover_url', 'custom_type', 'data', 'is_ephemeral'];
const roomFields = {
  open: [...shared, 'is_dynamic_partitioned'],
  group: [...shared, 'is_distinct', 'is_public', 'is_super', 'block_sdk_user_channel_join', 'inviter_id'],
};
const updatable = {
  open: ['name', 'cover_url', 'custom_type', 'data'],
  group: ['name', 'cover_url', 'custom_type', 'data', 'is_public', 'is_super'],
};

export class IdealPlatform {
  readonly users = new Map<string, Person>();
  readonly rooms = new Map<string, Room>();
  /** By custom_type. */
  readonly moderation = new Map<string, JsonObject>();
  /** What was sent to the routes that one attribute has to itself, by path. */
  readonly #own = new Map<string, JsonObject>();

  call(request: ApiRequest): JsonObject {
    const { method, route } = request;
    if (ownRoutes.has(route)) return this.#ownCall(request);
    if (route.startsWith(moderationRoute)) return this.#moderationCall(request);
    const [, section = '', , ...rest] = route.split('/');
    const verb = [method, ...rest].join(' ');
    if (section === 'users') return this.#userCall(verb, request);
    if (section === 'bots') return this.#botCall(verb, request);
    return this.#roomCall(verb, request, section === 'open_channels' ? 'open' : 'group');
  }

  #moderationCall(request: ApiRequest): JsonObject {
    const { custom_type: given, ...parts } = request.body ?? {};
    const type = request.params?.custom_type ?? String(given);
    if (request.method === 'GET') {
      return {
        channel_custom_type_settings: [...this.moderation].map(([name, one]) => ({ custom_type: name, ...one })),
      };
    }
    const isNew = !this.moderation.has(type);
    if (request.method === 'POST' && isNew) this.moderation.set(type, parts);
    if (request.method === 'PUT') {
      if (isNew) refuse(request, `${type} has no settings`);
      this.moderation.set(type, parts);
    }
    return {};
  }

  #ownCall(request: ApiRequest): JsonObject {
    const path = requestPath(request);
    const id = request.params?.user_id;
    if (id !== undefined && request.method === 'PUT') this.#activeUser(request, id);
    if (request.method === 'PUT') this.#own.set(path, request.body ?? {});
    const answer = this.#own.get(path) ?? {};
    const wrapped = wrappedAnswers.get(request.route);
    return wrapped === undefined || answer[wrapped] !== undefined ? answer : { [wrapped]: answer };
  }

  #userCall(verb: string, request: ApiRequest): JsonObject {
    const body = request.body ?? {};
    if (request.route === '/users') return this.#createUser(request);
    const id = request.params?.user_id ?? '';
    const user = this.#user(id);
    const isSwitch = verb === 'PUT' && body.is_active !== undefined;
    if (!user.active && !isSwitch && verb !== 'GET' && verb !== 'DELETE') refuse(request, `${id} is deactivated`);
    switch (verb) {
      case 'GET':
        return this.#viewUser(id, user);
      case 'PUT':
        user.nickname = textIn(body, 'nickname') ?? user.nickname;
        user.profile_url = uploaded(request, 'profile_file') ?? textIn(body, 'profile_url') ?? user.profile_url;
        for (const name of userFields) if (body[name] !== undefined) user.fields?.set(name, body[name]);
        if (body.issue_access_token === true) user.accessTokens += 1;
        if (typeof body.is_active === 'boolean') {
          user.active = body.is_active;
          if (!user.active && body.leave_all_when_deactivated !== false) {
            for (const room of this.rooms.values()) room.members.delete(id);
          }
        }
        return this.#viewUser(id, user);
      case 'DELETE':
        for (const [url, { members, operators }] of this.rooms) {
          if (members.has(id) || operators.has(id)) refuse(request, `${url} still names ${id}`);
        }
        this.users.delete(id);
        return {};
      case 'PUT metadata':
        for (const [name, value] of Object.entries(isObject(body.metadata) ? body.metadata : {})) {
          user.metadata.set(name, String(value));
        }
        if (user.metadata.size > 5) refuse(request, 'more than 5 items');
        return {};
      case 'DELETE metadata {key}':
        if (!user.metadata.delete(request.params?.key ?? '')) refuse(request, 'no such key');
        return {};
      case 'POST token':
        user.sessionTokens += 1;
        return { token: 'secret', expires_at: body.expires_at ?? 0 };
      default:
        return refuse(request, 'no such route');
    }
  }

  #botCall(verb: string, request: ApiRequest): JsonObject {
    const body = request.body ?? {};
    if (request.route === '/bots') {
      const id = textIn(body, 'bot_userid') ?? refuse(request, 'bot_userid is missing');
      if (this.users.has(id)) refuse(request, `${id} exists`);
      for (const name of demandedOfBots) if (body[name] === undefined) refuse(request, `${name} is missing`);
      const bot = new Map(Object.entries({ enable_mark_as_read: true, show_member: false, ...body }));
      const nobody = { active: true, nickname: '', profile_url: '', accessTokens: 0, sessionTokens: 0 };
      this.users.set(id, { ...nobody, metadata: new Map(), bot });
      return viewBot(bot);
    }
    const id = request.params?.bot_userid ?? '';
    const bot = this.#user(id, request).bot ?? refuse(request, `${id} is no bot`);
    const room = this.rooms.get(request.params?.channel_url ?? '');
    switch (verb) {
      case 'GET':
        return viewBot(bot);
      case 'PUT':
        if (body.bot_type !== undefined) refuse(request, 'the type is fixed');
        for (const [name, value] of Object.entries(body)) bot.set(name, value);
        return viewBot(bot);
      case 'DELETE':
        for (const { members } of this.rooms.values()) members.delete(id);
        this.users.delete(id);
        return {};
      case 'DELETE channels {channel_url}':
        if (room?.members.delete(id) !== true) refuse(request, `${id} is no member`);
        return {};
      default:
        return refuse(request, 'no such route');
    }
  }

  #createUser(request: ApiRequest): JsonObject {
    const body = request.body ?? {};
    const id = textIn(body, 'user_id') ?? refuse(request, 'user_id is missing');
    if (this.users.has(id)) refuse(request, `${id} exists`);
    const metadata = Object.entries(isObject(body.metadata) ? body.metadata : {});
    const image = uploaded(request, 'profile_file');
    if (image !== undefined && metadata.length > 0) refuse(request, 'no metadata in a multipart request');
    if (metadata.length > 5) refuse(request, 'more than 5 items');
    if (body.preferred_languages !== undefined) refuse(request, 'only an update sets languages');
    const fields = Object.entries(body).filter(([name]) => userFields.includes(name));
    const user: Person = {
      fields: new Map(fields),
      active: true,
      nickname: textIn(body, 'nickname') ?? refuse(request, 'nickname is missing'),
      profile_url: image ?? textIn(body, 'profile_url') ?? refuse(request, 'profile_url is missing'),
      metadata: new Map(metadata.map(([name, value]) => [name, String(value)])),
      accessTokens: body.issue_access_token === true ? 1 : 0,
      sessionTokens: 0,
    };
    this.users.set(id, user);
    return this.#viewUser(id, user);
  }

  #viewUser(id: string, { active, nickname, profile_url, metadata, fields }: Person): JsonObject {
    const described = { user_id: id, nickname, profile_url, ...Object.fromEntries(fields ?? []) };
    return { ...described, is_active: active, metadata: Object.fromEntries(metadata) };
  }

  #roomCall(verb: string, request: ApiRequest, kind: Room['kind']): JsonObject {
    const body = request.body ?? {};
    const url = request.params?.channel_url ?? textIn(body, 'channel_url') ?? refuse(request, 'channel_url is missing');
    if (verb === 'POST') return this.#createRoom(request, kind, url);
    const room = this.rooms.get(url);
    if (room === undefined || room.kind !== kind) return refuse(request, `no channel ${url}`);
    const member = (id: string) => {
      this.#activeUser(request, id);
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
        this.#readHoles(request, room);
        break;
      case 'PUT freeze':
        room.freeze = body.freeze === true;
        break;
      case 'DELETE':
        this.rooms.delete(url);
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
      case 'PUT ban {user_id}':
      case 'POST mute':
        this.#restrict(request, room, verb.includes('ban') ? 'banned' : 'muted');
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
        this.#addOperators(request, room, idsIn(body.operator_ids));
        break;
      case 'DELETE operators':
        for (const id of (request.query?.operator_ids ?? '').split(',')) {
          if (!room.operators.delete(id)) refuse(request, `${id} is no operator`);
        }
        break;
      case 'POST invite':
        this.#join(request, room, ids);
        break;
      case 'PUT leave':
        if (ids.length > 100) refuse(request, 'too many');
        for (const id of ids) {
          member(id);
          if (this.users.get(id)?.bot !== undefined) refuse(request, `${id} is a bot`);
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
    return this.#viewRoom(url, room);
  }

  #createRoom(request: ApiRequest, kind: Room['kind'], url: string): JsonObject {
    const body = request.body ?? {};
    if (this.rooms.has(url)) refuse(request, `${url} exists`);
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
      this.#join(request, room, idsIn(body.user_ids));
    }
    this.#addOperators(request, room, idsIn(body.operator_ids));
    this.#readHoles(request, room);
    this.rooms.set(url, room);
    return this.#viewRoom(url, room);
  }

  #join(request: ApiRequest, room: Room, ids: readonly string[]): void {
    const body = request.body ?? {};
    if (ids.length === 0 || ids.length > 100) refuse(request, `${ids.length} users in one call`);
    const inviter = textIn(body, 'inviter_id');
    for (const id of [...ids, ...(inviter === undefined ? [] : [inviter])]) this.#activeUser(request, id);
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

  #restrict(request: ApiRequest, room: Room, name: 'banned' | 'muted'): void {
    const body = request.body ?? {};
    const isUpdate = request.method === 'PUT';
    const id = isUpdate ? (request.params?.user_id ?? '') : (textIn(body, 'user_id') ?? '');
    this.#activeUser(request, id);
    if (isUpdate && !room.banned.has(id)) refuse(request, `${id} is not banned`);
    if (!isUpdate && name === 'banned' && room.banned.has(id)) refuse(request, `${id} is banned already`);
    if (room.operators.has(id) && name === 'banned') refuse(request, `${id} is an operator`);
    const hole = request.holes?.find(({ field }) => field === 'seconds');
    if ((hole === undefined) !== (body.seconds === -1)) refuse(request, 'the end is not clear');
    const until = hole?.type === 'seconds' ? { until: hole.until } : {};
    room[name].set(id, { ...until, description: textIn(body, 'description') ?? room[name].get(id)?.description ?? '' });
    if (name === 'banned') room.members.delete(id);
  }

  #addOperators(request: ApiRequest, room: Room, ids: readonly string[]): void {
    for (const id of ids) {
      if (this.#user(id, request).bot !== undefined) refuse(request, `${id} is a bot`);
      const isOutside = room.kind === 'group' && room.fields.get('is_public') !== true && !room.members.has(id);
      if (isOutside) refuse(request, `${id} is not in this private channel`);
      room.operators.add(id);
    }
    if (room.operators.size > 100) refuse(request, 'too many operators');
  }

  #readHoles(request: ApiRequest, room: Room): void {
    const cover = uploaded(request, 'cover_file');
    if (cover !== undefined) room.fields.set('cover_url', cover);
    if (!(request.holes ?? []).some(({ field }) => field === 'access_code')) return;
    if (room.fields.get('is_public') !== true) refuse(request, 'access_code only in public channels');
    room.codes += 1;
  }

  #viewRoom(url: string, { kind, fields, operators, members, metadata, freeze }: Room): JsonObject {
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

  #user(id: string, request?: ApiRequest): Person {
    return this.users.get(id) ?? refuse(request, `no user ${id}`);
  }

  #activeUser(request: ApiRequest, id: string): void {
    if (!this.#user(id, request).active) refuse(request, `${id} is deactivated`);
  }
}

function refuse(request: ApiRequest | undefined, why: string): never {
  throw new Error(`the platform refuses ${JSON.stringify(request)}: ${why}`);
}

function viewRestriction({ until, description }: Restriction): JsonObject {
  return { description, start_at: Date.parse('2026-06-01'), end_at: until === undefined ? -1 : Date.parse(until) };
}

function viewBot(bot: ReadonlyMap<string, JsonValue>): JsonObject {
  const all = Object.entries(Object.fromEntries(bot));
  const isUsers = ([name]: [string, JsonValue]) => name.startsWith('bot_') && name !== 'bot_callback_url';
  const own = Object.fromEntries(all.filter(isUsers));
  return { ...Object.fromEntries(all.filter((entry) => !isUsers(entry))), bot: { ...own, bot_token: 'secret' } };
}

function textIn(object: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

function idsIn(value: JsonValue | undefined): string[] {
  return isList(value) ? value.map(String) : [];
}

/** Where the platform keeps an uploaded image. */
function uploaded({ holes }: ApiRequest, field: string): string | undefined {
  const hole = holes?.find((candidate) => candidate.field === field);
  return hole?.type === 'file' ? `https://files.example.com/${hole.digest}` : undefined;
}
