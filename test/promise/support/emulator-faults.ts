// Support: compares the emulator with the declarations, attribute by attribute, through its own lists and views.
import type { EmulatedPlatform as Emulator } from '../../../src/emulator/platform.ts';
import { equalJson, isList, isObject, type JsonObject, type JsonValue } from '../../../src/lib/json.ts';
import { type Address, keyOf, kindOf } from '../../../src/model/address.ts';
import { requestPath } from '../../../src/model/request.ts';
import type { Resource } from '../../../src/model/resource.ts';
import type { AttributeDefinition, KindDefinition } from '../../../src/resources/define.ts';
import { registry } from '../../../src/resources/index.ts';
import { mapOf } from '../../../src/resources/values.ts';
import { token } from './world.ts';

/**
 * One sentence for each way in which it is not; `retired`: in state, declared no more, and to be closed; `loose`: members
 * whose hidden status a message may have ended, by `channel_url user_id`.
 */
export function platformFaults(
  emulator: Emulator,
  desired: readonly Resource[],
  retired: readonly Address[],
  tokens: ReadonlySet<string>,
  loose: ReadonlySet<string>,
): string[] {
  const faults: string[] = [];
  const known = new Set<Address>([...desired.map(({ address }) => address), ...retired]);
  for (const kind of registry.filter(({ isChild }) => isChild !== true)) {
    const there = objectsOf(emulator, kind);
    for (const key of kind.onlyKey === undefined ? there.keys() : []) {
      if (!known.has(`${kind.kind}.${key}`)) faults.push(`${kind.kind}.${key} exists and is not known`);
    }
    for (const resource of desired.filter(({ address }) => kindOf(address) === kind.kind)) {
      const answer = there.get(keyOf(resource.address));
      if (answer === undefined) faults.push(`${resource.address} does not exist`);
      else {
        for (const fault of compare(emulator, kind, resource, answer, tokens, loose))
          faults.push(`${resource.address} ${fault}`);
      }
    }
    for (const address of retired.filter((one) => kindOf(one) === kind.kind)) {
      const answer = there.get(keyOf(address));
      const isClosed = answer !== undefined && kind.observe(answer)[kind.disabledState.attribute] === true;
      if (!isClosed) faults.push(`${address} is retired and not closed`);
    }
  }
  return faults;
}

function* compare(
  emulator: Emulator,
  kind: KindDefinition,
  { address, attributes }: Resource,
  answer: JsonObject,
  tokens: ReadonlySet<string>,
  loose: ReadonlySet<string>,
): Generator<string> {
  const observed = kind.observe(withParts(emulator, kind, keyOf(address), attributes, answer));
  for (const [name, definition] of Object.entries(kind.attributes)) {
    const declared = attributes[name];
    if (name === 'members') yield* membersFaults(emulator, keyOf(address), mapOf(attributes, name), loose);
    else if (name === 'issue_access_token' || name === 'session_token') {
      if (declared !== undefined && !isTold(name, answer, tokens)) yield `has a token that nobody was told: ${name}`;
    } else if (declared !== undefined && Object.hasOwn(unreadable, name)) {
      if (unreadable[name]?.(answer, declared) === false) yield `${name} is not ${JSON.stringify(declared)}`;
    } else if (!Object.hasOwn(unreadable, name)) {
      const wanted = declared ?? neutral(definition, name, attributes);
      if (wanted === undefined) continue;
      const found = counted(definition, wanted, observed[name] ?? neutralOf(wanted));
      if (!equalJson(found, wanted)) yield `${name} is ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`;
    }
  }
}

/** What an attribute is whose line is not there; undefined: whatever it was before. */
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

/** What `observe` does not give back in the form of the declaration. */
const unreadable: Readonly<Record<string, (answer: JsonObject, declared: JsonValue) => boolean>> = {
  profile_file: ({ profile_url }, declared) => isServed(profile_url, declared),
  cover_file: ({ cover_url }, declared) => isServed(cover_url, declared),
  access_code: ({ is_access_code_required }) => is_access_code_required === true,
  inviter_id: ({ created_by }, declared) => isObject(created_by) && created_by.user_id === declared,
  strict: () => true,
  block_sdk_user_channel_join: () => true,
};

function isServed(url: JsonValue | undefined, declared: JsonValue): boolean {
  const digest = isObject(declared) ? declared.digest : undefined;
  return typeof url === 'string' && typeof digest === 'string' && url.includes(digest.slice(0, 40));
}

/** A token that is valid is in the file of --tokens-out. */
function isTold(name: string, { access_token, session_tokens }: JsonObject, tokens: ReadonlySet<string>): boolean {
  if (name === 'issue_access_token') return typeof access_token === 'string' && tokens.has(access_token);
  const sessions = isList(session_tokens) ? session_tokens.filter(isObject) : [];
  return sessions.some(({ session_token }) => typeof session_token === 'string' && tokens.has(session_token));
}

/** Exactly the declared ones, each as its line says. */
function* membersFaults(
  emulator: Emulator,
  url: string,
  declared: JsonObject,
  loose: ReadonlySet<string>,
): Generator<string> {
  const path = `/group_channels/${encodeURIComponent(url)}/members`;
  const rows = ['activated', 'deactivated'].flatMap((member_active_mode_filter) =>
    list(emulator, path, 'members', { member_active_mode_filter }),
  );
  const there = new Map(rows.map((row) => [String(row.user_id), row]));
  for (const id of there.keys()) if (!Object.hasOwn(declared, id)) yield `has the member ${id}, who is not declared`;
  for (const [id, line] of Object.entries(declared)) {
    const { invitation_status, hidden_status = 'unhidden' } = isObject(line) ? line : {};
    const state = invitation_status === undefined ? 'joined' : 'invited';
    const found = there.get(id);
    if (found?.state !== state) {
      yield `has ${id} as ${String(found?.state ?? 'no member')} instead of ${state}`;
      continue;
    }
    const view = get(emulator, `/group_channels/${encodeURIComponent(url)}`, { user_id: id });
    const hasReappeared =
      loose.has(`${url} ${id}`) && hidden_status === 'hidden_allow_auto_unhide' && view.hidden_state === 'unhidden';
    if (view.hidden_state !== hidden_status && !hasReappeared) {
      yield `is ${String(view.hidden_state)} for ${id} instead of ${String(hidden_status)}`;
    }
  }
}

/** A live map as a refresh would count it: what only a read of others could say differs by nothing. */
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

/** With the declared parts that have an answer of their own. */
function withParts(emulator: Emulator, kind: KindDefinition, key: string, declared: JsonObject, answer: JsonObject) {
  let whole = answer;
  for (const { attribute, field, request, isWhole, isOneAnswer } of kind.live?.parts ?? []) {
    const isNeeded =
      declared[attribute] !== undefined || (kind.attributes[attribute]?.removed.how === 'each' && isOneAnswer !== true);
    // Members are compared one by one.
    if (attribute === kind.memberships || !isNeeded || isWhole(answer)) continue;
    const read = request(key);
    const path = requestPath(read);
    const part = isOneAnswer === true ? get(emulator, path, read.query ?? {}) : list(emulator, path, field, {});
    whole = { ...whole, [field]: part };
  }
  return whole;
}

function objectsOf(emulator: Emulator, { section, keyName, onlyKey, live }: KindDefinition): Map<string, JsonObject> {
  if (onlyKey !== undefined) return new Map([[onlyKey, {}]]);
  const { field = '', keyOf: keyIn, ownOnly } = live?.list ?? {};
  const rows = list(emulator, `/${section}`, field, {
    ...ownOnly,
    ...(section === 'users' ? {} : { show_metadata: 'true' }),
    ...(section === 'users' ? { active_mode: 'all' } : {}),
    ...(section === 'group_channels' ? { show_empty: 'true', show_member: 'true' } : {}),
  });
  return new Map(rows.map((row) => [keyIn?.(row) ?? String(row[keyName]), row]));
}

function list(emulator: Emulator, path: string, field: string, query: Readonly<Record<string, string>>): JsonObject[] {
  const rows: JsonObject[] = [];
  let next = '';
  do {
    const page = get(emulator, path, { ...query, limit: '100', ...(next === '' ? {} : { token: next }) });
    const part = page[field];
    if (isList(part)) rows.push(...part.filter(isObject));
    next = typeof page.next === 'string' ? page.next : '';
  } while (next !== '');
  return rows;
}

function get(emulator: Emulator, path: string, query: Readonly<Record<string, string>>): JsonObject {
  const { status, body } = emulator.handle(
    {
      method: 'GET',
      path: `/v3${path}`,
      query: new URLSearchParams(query).toString(),
      headers: { 'api-token': token },
      body: { type: 'none' },
    },
    0,
  );
  if (status === 200 && isObject(body as JsonValue)) return body as JsonObject;
  throw new Error(`GET ${path} was answered with ${status}: ${JSON.stringify(body)}`);
}
