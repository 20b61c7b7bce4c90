// Support: bots on the ideal platform (platform §9).
import type { JsonObject, JsonValue } from '../../../src/lib/json.ts';
import type { ApiRequest } from '../../../src/model/request.ts';
import type { IdealPlatform } from '../../support/planning/ideal-platform.ts';
import { isIn, refuse, textIn, verbOf } from '../../support/planning/ideal-values.ts';
import type { Unequal } from '../support/kind-sample.ts';

const demanded = ['bot_nickname', 'bot_type', 'bot_callback_url', 'bot_profile_url', 'is_privacy_mode'];

const neutral: JsonObject = {
  bot_profile_url: '',
  is_privacy_mode: false,
  enable_mark_as_read: true,
  show_member: false,
  channel_invitation_preference: 0,
};

export function botAnswer(platform: IdealPlatform, request: ApiRequest): JsonObject | undefined {
  return isIn('bots', request) ? botCall(platform, verbOf(request), request) : undefined;
}

function botCall(platform: IdealPlatform, verb: string, request: ApiRequest): JsonObject {
  const body = request.body ?? {};
  if (request.route === '/bots') {
    const id = textIn(body, 'bot_userid') ?? refuse(request, 'bot_userid is missing');
    if (platform.users.has(id)) refuse(request, `${id} exists`);
    for (const name of demanded) if (body[name] === undefined) refuse(request, `${name} is missing`);
    const bot = new Map(Object.entries({ enable_mark_as_read: true, show_member: false, ...body }));
    const nobody = { active: true, nickname: '', profile_url: '', accessTokens: 0, sessionTokens: 0 };
    platform.users.set(id, { ...nobody, metadata: new Map(), bot });
    return viewBot(bot, new Map());
  }
  const id = request.params?.bot_userid ?? '';
  const person = platform.user(id, request);
  const bot = person.bot ?? refuse(request, `${id} is no bot`);
  const room = platform.rooms.get(request.params?.channel_url ?? '');
  switch (verb) {
    case 'GET':
      return viewBot(bot, person.metadata);
    case 'PUT':
      if (body.bot_type !== undefined) refuse(request, 'the type is fixed');
      for (const [name, value] of Object.entries(body)) bot.set(name, value);
      return viewBot(bot, person.metadata);
    case 'DELETE':
      for (const { members } of platform.rooms.values()) members.delete(id);
      platform.users.delete(id);
      return {};
    case 'DELETE channels {channel_url}':
      if (room?.members.delete(id) !== true) refuse(request, `${id} is no member`);
      return {};
    default:
      return refuse(request, 'no such route');
  }
}

function viewBot(bot: ReadonlyMap<string, JsonValue>, metadata: ReadonlyMap<string, string>): JsonObject {
  const all = Object.entries(Object.fromEntries(bot));
  const isUsers = ([name]: [string, JsonValue]) => name.startsWith('bot_') && name !== 'bot_callback_url';
  const own = Object.fromEntries(all.filter(isUsers));
  return {
    ...Object.fromEntries(all.filter((entry) => !isUsers(entry))),
    bot: { ...own, bot_metadata: Object.fromEntries(metadata), bot_token: 'secret' },
  };
}

export function botFaults(platform: IdealPlatform, key: string, attributes: JsonObject = {}): Unequal[] {
  const { bot: fields = [], metadata = [] } = platform.users.get(key) ?? {};
  const bot: JsonObject = { ...Object.fromEntries(fields), metadata: Object.fromEntries(metadata) };
  return Object.entries({ ...neutral, metadata: {}, ...attributes }).map(([name, value]) => [
    name,
    bot[name] ?? neutral[name],
    value,
  ]);
}
