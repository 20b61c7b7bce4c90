// Support: custom types on the ideal platform (platform §13.2).
import { isList, isObject, type JsonObject, type JsonValue } from '../../../src/lib/json.ts';
import type { ApiRequest } from '../../../src/model/request.ts';
import { idsOf, mapOf, textOf } from '../../../src/resources/definition/values.ts';
import type { IdealPlatform } from '../../support/planning/ideal-platform.ts';
import { idsIn, isIn, refuse, verbOf } from '../../support/planning/ideal-values.ts';

const route = 'applications/settings_by_channel_custom_type';
const none: JsonObject = { operators: [], banned: {}, muted: {} };

export function customTypeAnswer(platform: IdealPlatform, request: ApiRequest): JsonObject | undefined {
  return isIn(route, request) ? typeCall(platform, request) : undefined;
}

function typeCall(platform: IdealPlatform, request: ApiRequest): JsonObject {
  const types = platform.kept('custom_type');
  const body = request.body ?? {};
  if (request.method === 'POST' && request.route === `/${route}`) {
    const { custom_type: given, ...settings } = body;
    const type = typeof given === 'string' ? given : refuse(request, 'custom_type is missing');
    if (types.has(type)) refuse(request, `${type} exists`);
    types.set(type, { ...settings, ...none });
    return view(type, types.get(type) ?? {});
  }
  const type = request.params?.custom_type ?? '';
  const known = types.get(type) ?? refuse(request, `${type} has no settings`);
  const put = (change: JsonObject): JsonObject => {
    types.set(type, { ...known, ...change });
    return {};
  };
  const operators = idsOf(known, 'operators');
  // `GET ban`: the place of the key in the path is one later than that of a channel.
  switch (verbOf(request).replace(' {custom_type}', '')) {
    case 'GET':
      return view(type, known);
    case 'PUT':
      put(body);
      return view(type, types.get(type) ?? {});
    case 'DELETE':
      types.delete(type);
      return {};
    case 'GET operators':
      return { operators: operators.map((user_id) => ({ user_id })) };
    case 'POST operators': {
      const added = idsIn(body.operator_ids);
      for (const id of added) if (platform.user(id, request).bot !== undefined) refuse(request, `${id} is a bot`);
      return put({ operators: [...new Set([...operators, ...added])] });
    }
    case 'DELETE operators': {
      const gone = (request.query?.operator_ids ?? '').split(',');
      for (const id of gone) if (!operators.includes(id)) refuse(request, `${id} is no operator`);
      return put({ operators: operators.filter((id) => !gone.includes(id)) });
    }
    case 'GET ban':
      return { banned_list: listed(known, 'banned').map(([user_id, line]) => ({ user: { user_id }, ...line })) };
    case 'GET mute':
      return { muted_list: listed(known, 'muted').map(([user_id, line]) => ({ user_id, ...line })) };
    case 'POST ban':
      return put({ banned: { ...mapOf(known, 'banned'), ...imposed(platform, request, mapOf(known, 'banned')) } });
    case 'POST mute':
      return put({ muted: { ...mapOf(known, 'muted'), ...imposed(platform, request, mapOf(known, 'muted')) } });
    case 'DELETE ban':
      return put({ banned: without(request, mapOf(known, 'banned')) });
    case 'DELETE mute':
      return put({ muted: without(request, mapOf(known, 'muted')) });
    default:
      return refuse(request, 'no such route');
  }
}

function view(type: string, { operators: _operators, banned: _banned, muted: _muted, ...settings }: JsonObject) {
  return { custom_type: type, ...settings };
}

function listed(known: JsonObject, name: string): [string, JsonObject][] {
  return Object.entries(mapOf(known, name)).map(([id, line]) => {
    const until = isObject(line) ? textOf(line, 'until') : undefined;
    const description = isObject(line) ? (line.description ?? '') : '';
    const end_at = until === undefined ? -1 : Date.parse(until);
    return [id, { description, start_at: Date.parse('2026-06-01'), end_at }];
  });
}

/** Bans come in a list of people with ends of their own, mutes in a list of ids with one end. */
function imposed(platform: IdealPlatform, request: ApiRequest, known: JsonObject): JsonObject {
  const { banned_list: bans, user_ids: ids, ...common } = request.body ?? {};
  const items: JsonObject[] = isList(bans)
    ? bans.filter(isObject)
    : idsIn(ids).map((id) => ({ ...common, user_id: id }));
  return Object.fromEntries(
    items.map((item): [string, JsonValue] => {
      const id = textOf(item, 'user_id') ?? refuse(request, 'user_id is missing');
      platform.activeUser(request, id);
      if (Object.hasOwn(known, id)) refuse(request, `${id} is restricted already`);
      const placeholder = request.placeholders?.find(({ field }) => field === 'seconds');
      if ((placeholder === undefined) !== (item.seconds === -1)) refuse(request, 'the end is not clear');
      const isWithin = placeholder?.type === 'seconds' && (placeholder.within === 'banned_list') === isList(bans);
      if (placeholder !== undefined && !isWithin) refuse(request, 'the seconds are in the wrong place');
      const until = placeholder?.type === 'seconds' ? { until: placeholder.until } : {};
      return [id, { ...until, description: textOf(item, 'description') ?? '' }];
    }),
  );
}

function without(request: ApiRequest, known: JsonObject): JsonObject {
  const ids = (request.query?.user_ids ?? '').split(',');
  for (const id of ids) if (!Object.hasOwn(known, id)) refuse(request, `${id} is not restricted`);
  return Object.fromEntries(Object.entries(known).filter(([id]) => !ids.includes(id)));
}
