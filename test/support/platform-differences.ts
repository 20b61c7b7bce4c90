// Support: reads every object through the API and compares it with the declarations, attribute by attribute.

import { equalJson, isList, isObject, type JsonObject, type JsonValue } from '../../src/lib/json.ts';
import { keyOf, kindOf } from '../../src/model/address.ts';
import { type ApiRequest, requestPath } from '../../src/model/request.ts';
import type { Resource } from '../../src/model/resource.ts';
import { type KindDefinition, neverDisabled } from '../../src/resources/define.ts';
import { registry } from '../../src/resources/index.ts';
import { archiveOf } from '../../src/resources/messages/archive.ts';
import { messagesRoute } from '../../src/resources/messages/requests.ts';

/** Where the platform is, as `startEmulator` gives it. */
export interface Reached {
  readonly url: string;
  readonly token: string;
}

/** One sentence for each attribute that is not as declared, and for each object too many; empty when all is well. */
export async function differences(platform: Reached, resources: readonly Resource[]): Promise<string[]> {
  const found: string[] = [];
  for (const resource of resources) {
    const kind = kindNamed(kindOf(resource.address));
    if (kind.isChild === true) {
      found.push(...(await messageDifferences(platform, resource)));
      continue;
    }
    const answer = await readWhole(platform, kind, resource);
    for (const difference of await compare(platform, kind, resource, answer)) {
      found.push(`${resource.address} ${difference}`);
    }
  }
  for (const kind of registry.filter(({ isChild }) => isChild !== true)) {
    const declared = resources
      .filter(({ address }) => kindOf(address) === kind.kind)
      .map(({ address }) => keyOf(address));
    const keys = await keysOf(platform, kind);
    for (const key of keys.filter((name) => !declared.includes(name)))
      found.push(`${kind.kind}.${key} is not declared`);
    if (new Set(keys).size < keys.length) found.push(`an object of ${kind.section} exists twice`);
  }
  return found;
}

/** The view, and the declared parts that have an answer of their own. */
async function readWhole(
  platform: Reached,
  kind: KindDefinition,
  { address, attributes }: Resource,
): Promise<JsonObject> {
  const key = keyOf(address);
  let answer = kind.onlyKey === undefined ? await read(platform, kind.view(key)) : {};
  for (const { attribute, field, request, isWhole, isOneAnswer } of kind.live?.parts ?? []) {
    const isApart =
      isOneAnswer === true || kind.attributes[attribute]?.isReadEach === true || kind.onlyKey !== undefined;
    if (!isApart || attributes[attribute] === undefined || isWhole(answer)) continue;
    const part = await read(platform, request(key));
    answer = { ...answer, [field]: isOneAnswer === true ? part : (part[field] ?? []) };
  }
  return answer;
}

/** Counted; whether each is in its place is asked by `chatform verify`. */
async function messageDifferences(platform: Reached, { address, attributes }: Resource): Promise<string[]> {
  const route = `${messagesRoute(String(attributes.channel))}/total_count`;
  const { total } = await read(platform, { method: 'GET', route, params: { channel_url: keyOf(address) } });
  const { messages } = archiveOf(attributes);
  return total === messages ? [] : [`${address} has ${String(total)} messages instead of ${messages}`];
}

/** Every key that the platform lists of a kind, with what the lists hide by default. */
export async function keysOf(
  platform: Reached,
  { section, keyName, onlyKey, live }: KindDefinition,
): Promise<string[]> {
  // The only object of its kind is always there, declared or not.
  if (onlyKey !== undefined) return [];
  const { field = '', keyOf: keyIn, ownOnly } = live?.list ?? {};
  const rows = await list(platform, `/${section}`, field, {
    limit: '100',
    ...ownOnly,
    ...(section === 'users' ? { active_mode: 'all' } : {}),
    ...(section === 'group_channels' ? { show_empty: 'true' } : {}),
  });
  return rows.map((row) => keyIn?.(row) ?? String(row[keyName]));
}

async function compare(
  platform: Reached,
  kind: KindDefinition,
  { address, attributes }: Resource,
  answer: JsonObject,
): Promise<string[]> {
  const observed = kind.observe(answer);
  const found: string[] = [];
  const told = (name: string, declared: JsonValue, there: JsonValue | undefined): void => {
    found.push(`${name}: declared ${JSON.stringify(declared)}, found ${JSON.stringify(there)}`);
  };
  // Undeclared, an object is open.
  const open = kind.disabledState === neverDisabled ? {} : { [kind.disabledState.attribute]: false };
  for (const [name, value] of Object.entries({ ...open, ...attributes })) {
    if (name === 'members') found.push(...(await compareMembers(platform, keyOf(address), value)));
    else if (Object.hasOwn(readings, name)) {
      if (readings[name]?.(answer, value) === false) told(name, value, 'otherwise');
    } else if (!equalJson(observed[name] ?? neutral(value), value)) told(name, value, observed[name]);
  }
  return found;
}

/** What `observe` cannot give back in the form of the declaration: does the answer show it? */
const readings: Readonly<Record<string, (answer: JsonObject, declared: JsonValue) => boolean>> = {
  // The emulator serves an upload under its digest.
  profile_file: (answer, declared) => isServed(answer.profile_url, declared),
  cover_file: (answer, declared) => isServed(answer.cover_url, declared),
  issue_access_token: ({ access_token }) => typeof access_token === 'string' && access_token !== '',
  session_token: ({ session_tokens }) => isList(session_tokens) && session_tokens.length > 0,
  access_code: (answer) => answer.is_access_code_required === true,
  inviter_id: ({ created_by }, declared) => isObject(created_by) && created_by.user_id === declared,
  // No answer of the platform has these two.
  strict: () => true,
  block_sdk_user_channel_join: () => true,
};

function isServed(url: JsonValue | undefined, declared: JsonValue): boolean {
  const digest = isObject(declared) ? declared.digest : undefined;
  return typeof url === 'string' && typeof digest === 'string' && url.includes(digest.slice(0, 40));
}

/** All of them, also of a supergroup, with how each membership began. */
async function compareMembers(platform: Reached, url: string, declared: JsonValue): Promise<string[]> {
  const found: string[] = [];
  const wanted = isObject(declared) ? declared : {};
  const rows: JsonObject[] = [];
  for (const member_active_mode_filter of ['activated', 'deactivated']) {
    const query = { limit: '100', member_active_mode_filter };
    rows.push(...(await list(platform, `/group_channels/${encodeURIComponent(url)}/members`, 'members', query)));
  }
  const there = new Map(rows.map((row) => [String(row.user_id), row]));
  for (const id of there.keys()) if (!Object.hasOwn(wanted, id)) found.push(`members.${id} is not declared`);
  for (const [id, line] of Object.entries(wanted)) {
    const { invitation_status, hidden_status } = isObject(line) ? line : {};
    const state = invitation_status === undefined ? 'joined' : 'invited';
    if (there.get(id)?.state !== state) found.push(`members.${id}: declared ${state}, found ${there.get(id)?.state}`);
    if (hidden_status === undefined) continue;
    const view = await read(platform, {
      method: 'GET',
      route: '/group_channels/{channel_url}',
      params: { channel_url: url },
      query: { user_id: id },
    });
    if (view.hidden_state !== hidden_status)
      found.push(`members.${id}: declared ${hidden_status}, found ${view.hidden_state}`);
  }
  return found;
}

/** What an attribute is when the answer leaves it out. */
function neutral(declared: JsonValue): JsonValue {
  if (isList(declared)) return [];
  return isObject(declared) ? {} : '';
}

function kindNamed(name: string): KindDefinition {
  const kind = registry.find((candidate) => candidate.kind === name);
  if (kind === undefined) throw new Error(`there is no kind ${name}`);
  return kind;
}

async function list(
  platform: Reached,
  path: string,
  field: string,
  query: Readonly<Record<string, string>>,
): Promise<JsonObject[]> {
  const rows: JsonObject[] = [];
  let token = '';
  do {
    const page = await get(platform, path, token === '' ? query : { ...query, token });
    const part = page[field];
    if (isList(part)) rows.push(...part.filter(isObject));
    token = typeof page.next === 'string' ? page.next : '';
  } while (token !== '');
  return rows;
}

function read(platform: Reached, request: ApiRequest): Promise<JsonObject> {
  return get(platform, requestPath(request), request.query ?? {});
}

async function get(
  { url, token }: Reached,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<JsonObject> {
  const response = await fetch(`${url}${path}?${new URLSearchParams(query)}`, { headers: { 'Api-Token': token } });
  const body = (await response.json()) as JsonValue;
  if (response.ok && isObject(body)) return body;
  throw new Error(`GET ${path} was answered with ${response.status}: ${JSON.stringify(body)}`);
}
