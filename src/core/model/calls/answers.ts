// What the platform's answer to each call must show (platform §4 to §13), and which lists of ids the call has. An answer with
// status 200 that lacks what it must show may come from a proxy, so it proves nothing (semantics §5.1).
import { isList, isObject, type JsonObject, type JsonValue, ownValue } from '../../../lib/json.ts';
import { printPath } from '../change.ts';
import { type ApiRequest, routeName } from '../request.ts';

/** One value that an answer must show. */
interface ShownValue {
  /** Where it is in the answer. The empty path is the answer, which must not be empty. */
  readonly path: readonly string[];
  /**
   * The parameter of the path, or the field of the body, that it must equal. If the request has neither, nothing is required.
   * Without it, the value is not compared.
   */
  readonly as?: string;
  /** It identifies the object, so another spelling of it is another object. */
  readonly isKey?: true;
}

const key = (as: string, ...path: readonly string[]): ShownValue => ({ path: [...path, as], as, isKey: true });
const value = (...path: readonly string[]): ShownValue => ({ path });

const nothing: readonly ShownValue[] = [];
/** The answer has only what the call touched, so a platform that keeps nothing of it answers `{}`. */
const touched = [value()];
const user = [key('user_id'), { path: ['is_active'], as: 'is_active' }];
const bot = [key('bot_userid', 'bot')];
const channel = [key('channel_url')];
const customType = [key('custom_type')];

/** The calls that both kinds of channel have. */
function ofChannels(list: '/open_channels' | '/group_channels'): [string, readonly ShownValue[]][] {
  const route = `${list}/{channel_url}`;
  return [
    [`POST ${list}`, channel],
    [`GET ${route}`, channel],
    [`PUT ${route}`, channel],
    [`DELETE ${route}`, nothing],
    [`PUT ${route}/freeze`, [...channel, { path: ['freeze'], as: 'freeze' }]],
    [`PUT ${route}/metadata`, touched],
    [`DELETE ${route}/metadata/{key}`, nothing],
    [`POST ${route}/operators`, nothing],
    [`DELETE ${route}/operators`, nothing],
    [`POST ${route}/ban`, [key('user_id', 'user')]],
    [`DELETE ${route}/ban/{user_id}`, nothing],
    // The documents say that it is empty, and clients expect the channel (platform §11).
    [`POST ${route}/mute`, nothing],
    [`DELETE ${route}/mute/{user_id}`, nothing],
    [`GET ${route}/messages`, [value('messages')]],
    [`PUT ${route}/messages/{message_id}`, [{ path: ['message_id'], as: 'message_id' }]],
    [`DELETE ${route}/messages/{message_id}`, nothing],
    [`POST ${route}/messages/{message_id}/sorted_metaarray`, [value('sorted_metaarray')]],
    [`DELETE ${route}/messages/{message_id}/sorted_metaarray`, nothing],
  ];
}

const settingsOfTypes = '/applications/settings_by_channel_custom_type';
const typeRoute = `${settingsOfTypes}/{custom_type}`;

/** By call, as `routeName` writes it. A test compares it with the calls that plans make. */
const answers: ReadonlyMap<string, readonly ShownValue[]> = new Map([
  ['POST /users', user],
  ['GET /users/{user_id}', user],
  ['PUT /users/{user_id}', user],
  ['DELETE /users/{user_id}', nothing],
  // The token itself is taken out of the answer before this is asked.
  ['POST /users/{user_id}/token', [value('expires_at')]],
  ['PUT /users/{user_id}/metadata', touched],
  ['DELETE /users/{user_id}/metadata/{key}', nothing],
  ['PUT /users/{user_id}/channel_invitation_preference', [value('auto_accept')]],
  ['GET /privacy/gdpr', [value('requests')]],
  ['POST /privacy/gdpr', [value('request_id'), { path: ['user_ids'], as: 'user_ids' }]],
  ['GET /privacy/gdpr/{request_id}', [{ path: ['request_id'], as: 'request_id' }, value('user_ids')]],
  ['POST /bots', bot],
  ['GET /bots/{bot_userid}', bot],
  ['PUT /bots/{bot_userid}', bot],
  ['DELETE /bots/{bot_userid}', nothing],
  ['DELETE /bots/{bot_userid}/channels/{channel_url}', nothing],
  ...ofChannels('/open_channels'),
  ...ofChannels('/group_channels'),
  ['POST /group_channels/{channel_url}/invite', channel],
  ['PUT /group_channels/{channel_url}/accept', channel],
  ['PUT /group_channels/{channel_url}/leave', nothing],
  ['PUT /group_channels/{channel_url}/hide', nothing],
  ['DELETE /group_channels/{channel_url}/hide', nothing],
  ['PUT /group_channels/{channel_url}/messages/mark_as_read', nothing],
  ['POST /group_channels/{channel_url}/messages/{message_id}/reactions', [value('reaction')]],
  ['DELETE /group_channels/{channel_url}/messages/{message_id}/reactions', [value('reaction')]],
  ['POST /group_channels/{channel_url}/messages/{message_id}/pin', nothing],
  ['DELETE /group_channels/{channel_url}/messages/{message_id}/pin', nothing],
  ['POST /{channel_type}/{channel_url}/messages', [value('message_id')]],
  ['POST /migration/{channel_url}', nothing],
  [`POST ${settingsOfTypes}`, customType],
  [`GET ${typeRoute}`, customType],
  [`PUT ${typeRoute}`, customType],
  [`DELETE ${typeRoute}`, nothing],
  ...['operators', 'ban', 'mute'].flatMap((list): [string, readonly ShownValue[]][] => [
    [`POST ${typeRoute}/${list}`, nothing],
    [`DELETE ${typeRoute}/${list}`, nothing],
  ]),
  ['PUT /applications/settings_global', touched],
  // A refresh names a value that the answer leaves out.
  ['GET /applications/default_channel_invitation_preference', nothing],
  ['PUT /applications/default_channel_invitation_preference', [value('auto_accept')]],
  ['PUT /applications/settings/webhook', [value('webhook')]],
  ['PUT /applications/settings/auto_event_message', [value('auto_event_message')]],
  ['PUT /applications/settings/reactions', [value('reactions')]],
  // No page shows its answer.
  ['PUT /applications/settings/use_default_emoji', nothing],
  ['POST /applications/push/fcm', [value('push_configurations')]],
  ['POST /emojis', [value('emojis')]],
  ['PUT /emojis/{emoji_key}', nothing],
  ['DELETE /emojis/{emoji_key}', nothing],
  ['PUT /applications/push/settings', [value('push_enabled')]],
  ['PUT /applications/push/message_templates/{template_name}', [value('push_message_templates')]],
  ['PUT /applications/settings/ip_whitelist', [value('ip_whitelist_addresses')]],
  ['DELETE /applications/settings/ip_whitelist', [value('ip_whitelist_addresses')]],
]);

/** The calls in the list. */
export const answeredCalls: ReadonlySet<string> = new Set(answers.keys());

/**
 * What an answer lacks. `other`: it shows another object. `spelling`: it shows the key of the request in another spelling, which is another object. `empty`: it
 * shows nothing, which it may if the platform keeps nothing of what was sent.
 */
export interface AnswerProblem {
  readonly type: 'lacking' | 'empty' | 'other' | 'spelling';
  /** A clause whose subject is the answer: `shows user_id "bob" instead of "alice"`. */
  readonly text: string;
}

/** Returns what the answer to a request must show and does not, or undefined. Nothing is required of calls outside the list. */
export function answerProblem(request: ApiRequest, body: JsonObject): AnswerProblem | undefined {
  for (const { path, as, isKey } of answers.get(routeName(request)) ?? nothing) {
    const wanted = as === undefined ? undefined : (request.params?.[as] ?? request.body?.[as]);
    if (as !== undefined && wanted === undefined) continue;
    const shown = path.reduce<JsonValue | undefined>(
      (part, name) => (isObject(part) ? ownValue(part, name) : undefined),
      body,
    );
    if (path.length === 0 && Object.keys(body).length === 0) return { type: 'empty', text: 'is empty' };
    if (shown === undefined) return { type: 'lacking', text: `does not show ${printPath(path)}` };
    // Numbers are texts in a path.
    if (wanted === undefined || String(shown) === String(wanted)) continue;
    const isSpelling = isKey === true && foldedKey(shown) === foldedKey(wanted);
    const text = `shows ${printPath(path)} ${JSON.stringify(shown)} instead of ${JSON.stringify(wanted)}`;
    return { type: isSpelling ? 'spelling' : isKey === true ? 'other' : 'lacking', text };
  }
  return undefined;
}

/** Spellings with equal results look like the same key to a platform that ignores case, white space or normal forms. */
function foldedKey(text: JsonValue): string {
  return isList(text) || isObject(text) ? '' : String(text).normalize('NFKC').trim().toLowerCase().normalize('NFKC');
}
