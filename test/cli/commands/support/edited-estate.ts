// Support: an applied estate with an object for every attribute of every kind, whose value others then edit.
import { onTestFinished } from 'vitest';
import type { KindDefinition } from '../../../../src/core/kinds/definition/kind.ts';
import { addressOf } from '../../../../src/core/model/address.ts';
import { type ApiRequest, requestPath } from '../../../../src/core/model/request.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../../src/lib/json.ts';
import { callsOfEdit } from '../../../core/resources/support/plain-kind.ts';
import { leastOf, sampleOf } from '../../../core/resources/support/samples.ts';
import { startAltering } from '../../../support/altered-answers.ts';
import { reaching } from '../../../support/desk.ts';
import { writeFiles } from '../../../support/folders.ts';
import { place } from '../../../support/place.ts';
import { type Case, cases } from '../../../support/planning/attribute-rows.ts';
import { sentRequest } from '../../../support/planning/strict-platform.ts';
import { startPlatform } from '../../../support/platform.ts';
import { fastClock } from '../../../support/run-cli.ts';

/** A row of the table, and the object that is about it alone. The settings are one object for all of theirs. */
export interface Row extends Case {
  readonly key: string;
}

export const rows: readonly Row[] = cases.map((one) => {
  const key = one.kind.onlyKey ?? `${one.kind.name}-${one.name}`;
  return { ...one, key, address: addressOf(one.kind.name, key) };
});

const people = ['alice', 'bob', 'mallory', 'trudy'];

/** The block of the row's object, as a manifest has it, with the value. Listed people are members. */
function blockOf({ kind, name, definition }: Row, value: JsonValue): JsonObject {
  const { besides = {} } = sampleOf(kind);
  const { memberships } = kind;
  const members = memberships === undefined ? {} : { [memberships]: { alice: {}, bob: {} } };
  // An exclusive list needs a list.
  const list = definition.change === 'mode' ? name.slice(0, -'_mode'.length) : undefined;
  const listed = list === undefined || list === memberships ? {} : { [list]: ['alice'] };
  return { ...leastOf(kind), ...members, ...besides[name], ...listed, [name]: fileNameOf(value) };
}

/** In a manifest, a file is a path. */
function fileNameOf(value: JsonValue): JsonValue {
  return isObject(value) && typeof value.digest === 'string' && value.file !== undefined ? value.file : value;
}

/** `readEach`: `policy.read_each`. `edited` is declared with its other value. */
function manifestText(readEach: number, edited?: Row): string {
  const sections: Record<string, Record<string, JsonValue>> = {
    users: Object.fromEntries(people.map((id) => [id, { nickname: id }])),
  };
  for (const row of rows) {
    const { section, onlyKey } = row.kind;
    const block = blockOf(row, row === edited ? row.other : row.declared);
    sections[section] = { ...sections[section], ...(onlyKey === undefined ? { [row.key]: block } : block) };
  }
  const policy = { read_each: readEach, acknowledge: [{ effect: 'settings.lockout', count: 2 }] };
  return JSON.stringify({ version: 1, policy, ...sections });
}

const fileHead = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const files = { 'a.png': Uint8Array.of(...fileHead, 1), 'b.png': Uint8Array.of(...fileHead, 2) };

/** The calls with which others edit the row's value. None if no call can. */
function editOf({ kind, key, name, declared, other }: Row): ApiRequest[] {
  if (name === kind.disabledState.attribute)
    return [kind.disabledState.request(key, other === true, { leaveChannels: false })];
  const least = leastOf(kind);
  const calls = (before: JsonObject, after: JsonObject) =>
    callsOfEdit(kind, key, { ...least, ...before }, { ...least, ...after });
  // Another code looks the same. A channel that is made private and public again has none.
  if (name === 'access_code')
    return [...calls({ is_public: true }, { is_public: false }), ...calls({ is_public: false }, { is_public: true })];
  return calls({ [name]: declared }, { [name]: other });
}

/** Returns the answer with the objects of these rows changed, wherever it has them. */
function withObjects(
  answer: JsonValue,
  path: string,
  altered: readonly Row[],
  change: (row: Row, object: JsonObject) => JsonObject,
): JsonValue {
  const visit = (value: JsonValue): JsonValue => {
    if (isList(value)) return value.map(visit);
    if (!isObject(value)) return value;
    const inner: JsonObject = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, visit(one)]));
    return altered.filter((row) => isOf(row, value)).reduce((object, row) => change(row, object), inner);
  };
  const own = altered.filter(({ kind, key }) => kind.live?.list !== undefined && isPath(path, kind.view(key)));
  const visited = visit(answer);
  return isObject(visited) ? own.reduce((object, row) => change(row, object), visited) : visited;
}

function isOf({ kind, key }: Row, object: JsonObject): boolean {
  return (kind.live?.list?.keyOf?.(object) ?? object[kind.keyName]) === key;
}

function isPath(path: string, request: ApiRequest): boolean {
  return path.split('?')[0] === `/v3${requestPath(request)}`;
}

/** Leaves out what shows the value. What a list of its own shows is not left out. */
function leavingOut(answer: JsonValue, path: string): JsonValue {
  const apart = rows.find(({ kind, key, name }) =>
    ownPartsOf(kind, name).some((part) => part.isOneAnswer === true && isPath(path, part.request(key))),
  );
  if (apart !== undefined) return {};
  return withObjects(answer, path, rows, (row, object) => {
    const { kind, name } = row;
    if (name === 'issue_access_token') return withoutField(object, 'access_token');
    if (kind.observe(object)[name] === undefined) return object;
    const isShowing = (field: string) => {
      const others = withoutField(object, field);
      return kind.observe(others)[name] === undefined && isOf(row, others);
    };
    return Object.keys(object).filter(isShowing).reduce(withoutField, object);
  });
}

function withoutField(object: JsonObject, field: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== field));
}

/** Whether a list of its own shows the value, which leaves nothing out. */
export function isListedApart({ kind, name, definition: { shown } }: Row): boolean {
  const isOwnCall = shown.as !== 'not' && typeof shown.by === 'object';
  return !isOwnCall && (kind.live?.parts ?? []).some(({ attribute }) => attribute === name);
}

function ownPartsOf({ live, attributes }: KindDefinition, name: string) {
  const { shown } = attributes[name] ?? {};
  if (shown === undefined || shown.as === 'not' || typeof shown.by !== 'object') return [];
  return (live?.parts ?? []).filter(({ attribute }) => attribute === name);
}

export async function editedEstate() {
  const running = await startPlatform({ rateLimits: false, token: 'token' });
  const { transit, url, close } = await startAltering(running.url);
  onTestFinished(close);
  const at = await place(
    { 'chat.yaml': manifestText(1000) },
    {
      ...reaching({ url, token: running.token }),
      CHATFORM_ALLOWED_HOSTS: 'a.example,b.example',
      CHATFORM_VAR_CODE: 'code',
      CHATFORM_VAR_FCM_KEY: JSON.stringify({ project_id: 'app', private_key_id: 'a' }),
    },
  );
  await writeFiles(at.cwd, files);
  await at.with({ clock: fastClock(20) }).does('apply --auto-approve --tokens-out tokens.ndjson');
  /** Rows whose value no call edits. */
  const shownOtherwise: Row[] = [];
  for (const row of rows) {
    const calls = editOf(row);
    for (const request of calls) {
      const { status, body } = running.platform.handle(sentRequest(request), Date.now());
      if (status !== 200) throw new Error(`${row.address} ${JSON.stringify(request)}: ${JSON.stringify(body)}`);
    }
    if (calls.length === 0) shownOtherwise.push(row);
  }
  const edited = (answer: JsonValue, path: string): JsonValue =>
    withObjects(answer, path, shownOtherwise, ({ name, other }, object) =>
      Object.hasOwn(object, name) ? { ...object, [name]: other } : object,
    );
  return {
    at,
    /** Whether answers leave out what shows the edited values. */
    answer: (isLeftOut: boolean): void => {
      transit.change = isLeftOut ? (answer, path) => leavingOut(edited(answer, path), path) : edited;
    },
    /** `policy.read_each`. */
    setReadEach: (most: number) => at.write({ 'chat.yaml': manifestText(most) }),
    /** Declares the other value of one row. */
    declare: (edited: Row) => at.write({ 'chat.yaml': manifestText(1000, edited) }),
  };
}
