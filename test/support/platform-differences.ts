// Support: reads every object through the API and compares it with the declarations, attribute by attribute.

import { historyFileOf } from '../../src/core/history/lines/history-file.ts';
import { messagesRoute } from '../../src/core/history/sending/requests.ts';
import type { AttributeDefinition, KindDefinition } from '../../src/core/kinds/definition/kind.ts';
import { mapOf } from '../../src/core/kinds/definition/values.ts';
import { type Address, keyOf, kindOf } from '../../src/core/model/address.ts';
import { requestPath } from '../../src/core/model/request.ts';
import type { Resource } from '../../src/core/model/resource.ts';
import { registry } from '../../src/core/resources/index.ts';
import { equalJson, isList, isObject, type JsonObject, type JsonValue } from '../../src/lib/json.ts';
import { joinedQuery } from './joined-query.ts';

/** The address of the platform, as `startEmulator` returns it. */
export interface Reached {
  readonly url: string;
  readonly token: string;
}

/** Reads a path of the API. */
export type Read = (path: string, query: Readonly<Record<string, string>>) => Promise<JsonObject>;

export interface Exceptions {
  /** Objects in state that are no longer declared and must be disabled. */
  readonly retired?: readonly Address[];
  /** The tokens that runs reported. If absent, any token is accepted. */
  readonly tokens?: ReadonlySet<string>;
  /** Members whose hidden status a message may have ended, by `channel_url user_id`. */
  readonly loose?: ReadonlySet<string>;
  /** Whether a declared member may still be invited, because there was a time when it did not accept every invitation. */
  readonly isHesitant?: (id: string) => boolean;
  /** Addresses in the allowlist that chatform listed and forgot with the settings. */
  readonly forgotten?: ReadonlySet<string>;
}

/** One sentence for each attribute that differs and for each extra object. Empty if everything matches. */
export async function differences(platform: Reached, resources: readonly Resource[]): Promise<string[]> {
  const read = readerOf(platform);
  const found = await objectDifferences(read, resources);
  for (const { address, attributes } of resources) {
    if (!registry.some(({ name, isChild }) => name === kindOf(address) && isChild === true)) continue;
    // Messages are counted; `chatform verify` checks whether each is in its place.
    const route = `${messagesRoute(String(attributes.channel))}/total_count`;
    const { total } = await read(requestPath({ method: 'GET', route, params: { channel_url: keyOf(address) } }), {});
    const { messages } = historyFileOf(attributes);
    if (total !== messages) found.push(`${address} has ${String(total)} messages instead of ${messages}`);
  }
  return found;
}

/** The same without the messages. */
export async function objectDifferences(
  read: Read,
  desired: readonly Resource[],
  exceptions: Exceptions = {},
): Promise<string[]> {
  const found: string[] = [];
  const { retired = [] } = exceptions;
  const known = new Set<Address>([...desired.map(({ address }) => address), ...retired]);
  for (const kind of registry.filter(({ isChild }) => isChild !== true)) {
    const rows = await objectsOf(read, kind);
    const there = new Map(rows);
    if (there.size < rows.length) found.push(`an object of ${kind.section} exists twice`);
    for (const key of kind.onlyKey === undefined ? there.keys() : []) {
      if (!known.has(`${kind.name}.${key}`)) found.push(`${kind.name}.${key} exists and is not known`);
    }
    for (const resource of desired.filter(({ address }) => kindOf(address) === kind.name)) {
      const answer = there.get(keyOf(resource.address));
      if (answer === undefined) found.push(`${resource.address} does not exist`);
      else {
        for await (const difference of compare(read, kind, resource, answer, exceptions))
          found.push(`${resource.address} ${difference}`);
      }
    }
    for (const address of retired.filter((one) => kindOf(one) === kind.name)) {
      const answer = there.get(keyOf(address));
      const isClosed = answer !== undefined && kind.observe(answer)[kind.disabledState.attribute] === true;
      if (!isClosed) found.push(`${address} is retired and not closed`);
    }
  }
  return found;
}

/** All keys of a kind, including those that lists hide by default. */
export async function keysOf(platform: Reached, kind: KindDefinition): Promise<string[]> {
  // The only object of its kind always exists, declared or not.
  if (kind.onlyKey !== undefined) return [];
  return (await objectsOf(readerOf(platform), kind)).map(([key]) => key);
}

async function* compare(
  read: Read,
  kind: KindDefinition,
  { address, attributes }: Resource,
  answer: JsonObject,
  exceptions: Exceptions,
): AsyncGenerator<string> {
  const { tokens, forgotten = new Set() } = exceptions;
  const observed = withoutForgotten(kind.observe(await withParts(read, kind, keyOf(address), attributes, answer)), {
    declared: attributes.ip_whitelist,
    forgotten,
  });
  for (const [name, definition] of Object.entries(kind.attributes)) {
    const declared = attributes[name];
    // A mode says how the list beside it counts.
    if (definition.change === 'mode') continue;
    if (name === 'members') yield* memberDifferences(read, keyOf(address), mapOf(attributes, name), exceptions);
    else if (name === 'issue_access_token' || name === 'session_token') {
      if (declared !== undefined && !isTold(name, answer, tokens)) yield `has a token that nobody was told: ${name}`;
    } else if (declared !== undefined && Object.hasOwn(shownOtherwise, name)) {
      if (shownOtherwise[name]?.(answer, declared) === false) yield `${name} is not ${JSON.stringify(declared)}`;
    } else if (!Object.hasOwn(shownOtherwise, name)) {
      const kept = declared === undefined ? undefined : (definition.remember?.(declared) ?? declared);
      const wanted = kept ?? neutral(definition, name, attributes);
      if (wanted === undefined) continue;
      const found = counted(definition, wanted, observed[name] ?? neutralOf(wanted));
      if (!equalJson(found, wanted)) yield `${name} is ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`;
    }
  }
}

/** Addresses that chatform does not know stay in the allowlist (semantics §1.11). */
function withoutForgotten(
  { ip_whitelist: listed, ...rest }: JsonObject,
  { declared, forgotten }: { readonly declared: JsonValue | undefined; readonly forgotten: ReadonlySet<string> },
): JsonObject {
  if (!isList(listed)) return rest;
  const isDeclared = (address: JsonValue): boolean => isList(declared) && declared.includes(address);
  return { ...rest, ip_whitelist: listed.filter((address) => isDeclared(address) || !forgotten.has(String(address))) };
}

/** Whether a response matches the declaration, for attributes that `observe` cannot return in declared form. */
const shownOtherwise: Readonly<Record<string, (answer: JsonObject, declared: JsonValue) => boolean>> = {
  // The emulator serves an upload under its digest.
  profile_file: (answer, declared) => isServed(answer.profile_url, declared),
  cover_file: (answer, declared) => isServed(answer.cover_url, declared),
  access_code: (answer) => answer.is_access_code_required === true,
  inviter_id: ({ created_by }, declared) => isObject(created_by) && created_by.user_id === declared,
  // No response of the platform contains these.
  strict: () => true,
  block_sdk_user_channel_join: () => true,
  reactions: () => true,
  use_default_emoji: () => true,
};

function isServed(url: JsonValue | undefined, declared: JsonValue): boolean {
  const digest = isObject(declared) ? declared.digest : undefined;
  return typeof url === 'string' && typeof digest === 'string' && url.includes(digest.slice(0, 40));
}

/** The value of an attribute without a line. Undefined if it keeps its earlier value. */
function neutral(definition: AttributeDefinition, name: string, attributes: JsonObject): JsonValue | undefined {
  const { removed, shape } = definition;
  if (name === 'profile_url' && attributes.profile_file !== undefined) return undefined;
  if (removed.how === 'reset') return name === 'profile_url' ? undefined : removed.to;
  if (removed.how === 'each') return shape === 'set' ? [] : {};
  return undefined;
}

function neutralOf(wanted: JsonValue): JsonValue | undefined {
  if (isList(wanted)) return [];
  return isObject(wanted) ? {} : undefined;
}

/** Whether the token was reported. */
function isTold(
  name: string,
  { access_token, session_tokens }: JsonObject,
  tokens: ReadonlySet<string> | undefined,
): boolean {
  const isReported = (token: JsonValue | undefined) =>
    typeof token === 'string' && token !== '' && tokens?.has(token) !== false;
  if (name === 'issue_access_token') return isReported(access_token);
  const sessions = isList(session_tokens) ? session_tokens.filter(isObject) : [];
  return sessions.some(({ session_token }) => isReported(session_token));
}

/** Whether the members are exactly the declared ones, with their properties. */
async function* memberDifferences(
  read: Read,
  url: string,
  declared: JsonObject,
  { loose = new Set(), isHesitant = () => false }: Exceptions,
): AsyncGenerator<string> {
  const path = `/group_channels/${encodeURIComponent(url)}/members`;
  const rows: JsonObject[] = [];
  for (const member_active_mode_filter of ['activated', 'deactivated'])
    rows.push(...(await list(read, path, 'members', { member_active_mode_filter })));
  const there = new Map(rows.map((row) => [String(row.user_id), row]));
  for (const id of there.keys()) if (!Object.hasOwn(declared, id)) yield `has the member ${id}, who is not declared`;
  for (const [id, line] of Object.entries(declared)) {
    const { invitation_status, hidden_status = 'unhidden' } = isObject(line) ? line : {};
    const state = invitation_status === undefined ? 'joined' : 'invited';
    const found = there.get(id);
    if (found?.state !== state && !(found?.state === 'invited' && isHesitant(id))) {
      yield `has ${id} as ${String(found?.state ?? 'no member')} instead of ${state}`;
      continue;
    }
    const view = await read(`/group_channels/${encodeURIComponent(url)}`, { user_id: id });
    const hasReappeared =
      loose.has(`${url} ${id}`) && hidden_status === 'hidden_allow_auto_unhide' && view.hidden_state === 'unhidden';
    if (view.hidden_state !== hidden_status && !hasReappeared) {
      yield `is ${String(view.hidden_state)} for ${id} instead of ${String(hidden_status)}`;
    }
  }
}

/** A live map as a refresh compares it, without values that only other reads show. */
function counted({ asKnown, removed }: AttributeDefinition, wanted: JsonValue, found: JsonValue | undefined) {
  if (asKnown === undefined || !isObject(wanted) || !isObject(found)) return found;
  const entries = Object.entries(found).filter(([id]) => removed.how === 'each' || Object.hasOwn(wanted, id));
  return Object.fromEntries(
    entries.map(([id, entry]): [string, JsonValue] => [
      id,
      Object.hasOwn(wanted, id) ? asKnown(wanted[id] ?? null, entry) : entry,
    ]),
  );
}

/** Adds declared parts that have their own response. */
async function withParts(read: Read, kind: KindDefinition, key: string, declared: JsonObject, answer: JsonObject) {
  let whole = answer;
  for (const { attribute, field, request, isWhole, isOneAnswer } of kind.live?.parts ?? []) {
    const isNeeded =
      declared[attribute] !== undefined || (kind.attributes[attribute]?.removed.how === 'each' && isOneAnswer !== true);
    // Members are compared one by one.
    if (attribute === kind.memberships || !isNeeded || isWhole(answer)) continue;
    const asked = request(key);
    const path = requestPath(asked);
    const part = isOneAnswer === true ? await read(path, joinedQuery(asked.query)) : await list(read, path, field, {});
    whole = { ...whole, [field]: part };
  }
  return whole;
}

async function objectsOf(
  read: Read,
  { section, keyName, onlyKey, live }: KindDefinition,
): Promise<(readonly [key: string, answer: JsonObject])[]> {
  if (onlyKey !== undefined) return [[onlyKey, {}]];
  const { route = `/${section}`, field = '', keyOf: keyIn, ownOnly } = live?.list ?? {};
  const rows = await list(read, route, field, {
    ...ownOnly,
    ...(section === 'users' ? { active_mode: 'all' } : {}),
    ...(section.endsWith('_channels') ? { show_metadata: 'true' } : {}),
    ...(section === 'group_channels' ? { show_empty: 'true', show_member: 'true' } : {}),
  });
  return rows.map((row) => [keyIn?.(row) ?? String(row[keyName]), row]);
}

async function list(
  read: Read,
  path: string,
  field: string,
  query: Readonly<Record<string, string>>,
): Promise<JsonObject[]> {
  const rows: JsonObject[] = [];
  let next = '';
  do {
    const page = await read(path, { ...query, limit: '100', ...(next === '' ? {} : { token: next }) });
    const part = page[field];
    if (isList(part)) rows.push(...part.filter(isObject));
    next = typeof page.next === 'string' ? page.next : '';
  } while (next !== '');
  return rows;
}

function readerOf({ url, token }: Reached): Read {
  return async (path, query) => {
    const response = await fetch(`${url}${path}?${new URLSearchParams(query)}`, { headers: { 'Api-Token': token } });
    const body = (await response.json()) as JsonValue;
    if (response.ok && isObject(body)) return body;
    throw new Error(`GET ${path} was answered with ${response.status}: ${JSON.stringify(body)}`);
  };
}
