// Support: users on the ideal platform (base, User; platform §4).
import { isObject, type JsonObject } from '../../../src/lib/json.ts';
import type { ApiRequest } from '../../../src/model/request.ts';
import { textOf } from '../../../src/resources/definition/values.ts';
import type { IdealPlatform } from '../../support/planning/ideal-platform.ts';
import { isIn, type Person, refuse, textIn, uploaded, verbOf } from '../../support/planning/ideal-values.ts';
import type { Unequal } from '../support/kind-sample.ts';

const userFields = ['discovery_keys', 'preferred_languages'];

export function userAnswer(platform: IdealPlatform, request: ApiRequest): JsonObject | undefined {
  return isIn('users', request) ? userCall(platform, verbOf(request), request) : undefined;
}

function userCall(platform: IdealPlatform, verb: string, request: ApiRequest): JsonObject {
  const body = request.body ?? {};
  if (request.route === '/users') return createUser(platform, request);
  const id = request.params?.user_id ?? '';
  const user = platform.user(id);
  const isSwitch = verb === 'PUT' && body.is_active !== undefined;
  if (!user.active && !isSwitch && verb !== 'GET' && verb !== 'DELETE') refuse(request, `${id} is deactivated`);
  switch (verb) {
    case 'GET':
      return viewUser(id, user);
    case 'PUT':
      user.nickname = textIn(body, 'nickname') ?? user.nickname;
      user.profile_url = uploaded(request, 'profile_file') ?? textIn(body, 'profile_url') ?? user.profile_url;
      for (const name of userFields) if (body[name] !== undefined) user.fields?.set(name, body[name]);
      if (body.issue_access_token === true) user.accessTokens += 1;
      if (typeof body.is_active === 'boolean') {
        user.active = body.is_active;
        if (!user.active && body.leave_all_when_deactivated !== false) {
          for (const room of platform.rooms.values()) room.members.delete(id);
        }
      }
      return viewUser(id, user);
    case 'DELETE':
      for (const [url, { members, operators }] of platform.rooms) {
        if (members.has(id) || operators.has(id)) refuse(request, `${url} still names ${id}`);
      }
      platform.users.delete(id);
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

function createUser(platform: IdealPlatform, request: ApiRequest): JsonObject {
  const body = request.body ?? {};
  const id = textIn(body, 'user_id') ?? refuse(request, 'user_id is missing');
  if (platform.users.has(id)) refuse(request, `${id} exists`);
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
  platform.users.set(id, user);
  return viewUser(id, user);
}

function viewUser(id: string, { active, nickname, profile_url, metadata, fields }: Person): JsonObject {
  const described = { user_id: id, nickname, profile_url, ...Object.fromEntries(fields ?? []) };
  return { ...described, is_active: active, metadata: Object.fromEntries(metadata) };
}

export function userFaults(platform: IdealPlatform, key: string, attributes: JsonObject | undefined): Unequal[] {
  const user = platform.users.get(key);
  const faults: Unequal[] = [['active', user?.active, attributes !== undefined && attributes.deactivated !== true]];
  if (attributes === undefined || user === undefined) return faults;
  faults.push(
    ['nickname', user.nickname, attributes.nickname],
    ['profile_url', user.profile_url, textOf(attributes, 'profile_url') ?? ''],
    ['metadata', Object.fromEntries(user.metadata), attributes.metadata ?? {}],
  );
  if (attributes.issue_access_token !== undefined) faults.push(['a token', user.accessTokens > 0, true]);
  if (attributes.session_token !== undefined) faults.push(['a session', user.sessionTokens > 0, true]);
  return faults;
}
