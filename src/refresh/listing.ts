// What is on the platform altogether? Lists every object of a kind, with what the list cuts short read page by page.
//
// Nothing is kept: in memory are one page and what is read for it. An object that moves while the list is read may come
// twice; which one counts is for the caller to say.
import { isList, isObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import type { ApiRequest } from '../model/request.ts';
import type { KindDefinition, LiveReads } from '../resources/define.ts';
import { pageSize, pagesOf, readPages } from './pages.ts';
import type { Reader } from './send.ts';

/** One object of the platform, in the attributes of its kind. */
export interface Listed {
  readonly key: string;
  readonly attributes: JsonObject;
  /** What is there and no read shows: `access_code`. */
  readonly hidden: readonly string[];
}

/** Objects that went away while they were read are left out. Refused as `pagesOf`. */
export async function* listAll(kind: KindDefinition, reader: Reader): AsyncGenerator<readonly Listed[]> {
  const { live } = kind;
  if (live === undefined) return;
  const { route, query, field } = live.list;
  const request: ApiRequest = { method: 'GET', route, query: { ...query, limit: pageSize } };
  for await (const page of pagesOf(request, field, reader)) {
    const listed = await Promise.all(page.map((answer) => whole(kind, live, answer, reader)));
    yield listed.filter((one) => one !== undefined);
  }
}

async function whole(
  kind: KindDefinition,
  { parts }: LiveReads,
  answer: JsonObject,
  reader: Reader,
): Promise<Listed | undefined> {
  const key = answer[kind.keyName];
  if (typeof key !== 'string') return undefined;
  let all = answer;
  for (const part of parts) {
    if (part.isWhole(answer)) continue;
    const items = await readPages(part.request(key), part.field, reader);
    if (items === undefined) return undefined;
    all = { ...all, [part.field]: items };
  }
  const attributes = kind.observe(all);
  const invited = invitedIn(all);
  return {
    key,
    attributes:
      invited.length === 0 ? attributes : withInvitations(attributes, invited, await byFriends(key, parts, reader)),
    hidden: all.is_access_code_required === true ? ['access_code'] : [],
  };
}

/** Members who have not accepted yet. */
function invitedIn({ members }: JsonObject): string[] {
  const list = isList(members) ? members.filter(isObject) : [];
  return list.flatMap(({ state, user_id: id }) => (state === 'invited' && typeof id === 'string' ? [id] : []));
}

/** Who was invited by a friend: only a filter of the list of members tells (platform §5.6). */
async function byFriends(key: string, parts: LiveReads['parts'], reader: Reader): Promise<ReadonlySet<string>> {
  const members = parts.find(({ attribute }) => attribute === 'members');
  if (members === undefined) return new Set();
  const request = members.request(key);
  const query = { ...request.query, member_state_filter: 'invited_by_friend' };
  const items = (await readPages({ ...request, query }, members.field, reader)) ?? [];
  return new Set(items.flatMap(({ user_id: id }) => (typeof id === 'string' ? [id] : [])));
}

function withInvitations(attributes: JsonObject, invited: readonly string[], friends: ReadonlySet<string>): JsonObject {
  const status = (id: string) => (friends.has(id) ? 'invited_by_friend' : 'invited_by_non_friend');
  return withStatus(attributes, 'invitation_status', new Map(invited.map((id) => [id, status(id)])));
}

/** The lines of some members with a status more. */
function withStatus(attributes: JsonObject, name: string, statuses: ReadonlyMap<string, string>): JsonObject {
  const { members } = attributes;
  if (!isObject(members)) return attributes;
  const lines = Object.entries(members).map(([id, line]): [string, JsonValue] => {
    const status = statuses.get(id);
    return [id, status === undefined || !isObject(line) ? line : { ...line, [name]: status }];
  });
  return { ...attributes, members: Object.fromEntries(lines) };
}

/** How one user, who is active, has hidden his channels, by channel_url: one request, more when they are very many. */
export async function hiddenBy(userId: string, reader: Reader): Promise<ReadonlyMap<string, string>> {
  const request: ApiRequest = {
    method: 'GET',
    route: '/users/{user_id}/my_group_channels',
    params: { user_id: userId },
    query: { hidden_mode: 'hidden_only', show_empty: 'true', limit: pageSize },
  };
  const channels = (await readPages(request, 'channels', reader)) ?? [];
  return new Map(
    channels.flatMap(({ channel_url: url, hidden_state: state }): [string, string][] =>
      typeof url === 'string' && typeof state === 'string' ? [[url, state]] : [],
    ),
  );
}

/** The channel with what its members have hidden. */
export function withHidden(listed: Listed, statuses: ReadonlyMap<string, string>): Listed {
  return { ...listed, attributes: withStatus(listed.attributes, 'hidden_status', statuses) };
}
