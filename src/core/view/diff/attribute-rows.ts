// The attributes of one change as rows, which every view prints in its own way.

import { equalJson, isAscii, isList, isObject, type JsonValue, ownValue } from '../../../lib/json.ts';
import { lookOf, spelledOut } from '../../../lib/lookalikes.ts';
import type { Action } from '../../model/action.ts';
import { kindOf } from '../../model/address.ts';
import { type AttributeChange, type Change, printPath } from '../../model/change.ts';

type Sign = '+' | '-' | '~' | '.' | ' ';

/** One value. The sign is blank for a new object, and `.` if the value is no longer managed. */
export interface ValueRow {
  readonly type: 'value';
  readonly sign: Sign;
  readonly name: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  readonly remark: string | undefined;
  readonly effect: RightsEffect | undefined;
}

/** The effect of a row on people's rights, which determines its colour: freezing adds a value but removes a right. */
type RightsEffect = 'takes' | 'gives';

/** Ids that are added, removed or changed: operators, members. */
export interface SetRow {
  readonly type: 'set';
  readonly name: string;
  readonly entries: readonly SetEntry[];
  readonly remark?: string | undefined;
  /** Whether entries are restrictions, so that adding one removes a right. */
  readonly restricts?: true;
}

export interface SetEntry {
  readonly sign: Sign;
  readonly id: string;
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
}

export type AttributeRow = ValueRow | SetRow;

/** A change, or the attributes of a drift, which have no address. */
export type ShownChange = Pick<Change, 'actions' | 'attributes'> & Partial<Pick<Change, 'address'>>;

/** Whether the change shows a whole declaration: that of an object to create, or of one that exists and is not taken into state. */
export function isOfNewObject({ actions }: Pick<Change, 'actions'>): boolean {
  return actions.includes('create') || actions.includes('conflict');
}

/** Rows of a history file that are of no use to people: the kind of channel, and a digest next to the number of messages. */
const unsaid: ReadonlySet<string> = new Set(['channel', 'digest']);

/** The attributes whose values withhold rights, by their entries in the tables of the kinds, which views do not load. */
export const withholding: ReadonlySet<string> = new Set([
  'access_code',
  'banned',
  'block_sdk_user_channel_join',
  'channel_invitation_preference',
  'deactivated',
  'frozen',
  'muted',
]);

function effectOf(path: readonly string[], after: JsonValue | undefined): RightsEffect | undefined {
  if (!withholding.has(path[0] ?? '')) return undefined;
  return after === undefined || after === false || after === 0 ? 'gives' : 'takes';
}

export function attributeRows(change: ShownChange): AttributeRow[] {
  const isNew = isOfNewObject(change);
  const groups = new Map<string, ChangedPart[]>();
  const isHistoryFile = change.address !== undefined && kindOf(change.address) === 'messages';
  for (const attribute of change.attributes) {
    const [head = ''] = attribute.path;
    for (const part of perEntry(attribute)) {
      if (isHistoryFile && unsaid.has(part.path.at(-1) ?? '')) continue;
      const group = groups.get(head);
      if (group === undefined) groups.set(head, [part]);
      else group.push(part);
    }
  }
  const rows: AttributeRow[] = [];
  for (const [name, parts] of groups) rows.push(...toldApart(rowsOf(name, parts, isNew)));
  return rows;
}

/** Escapes keys and ids of one attribute that look alike, such as two Unicode forms of one name. */
function toldApart(rows: readonly AttributeRow[]): AttributeRow[] {
  const shown = (row: AttributeRow) => (row.type === 'set' ? row.entries.map(({ id }) => id) : [row.name]);
  const texts = rows.flatMap(shown);
  if (texts.every(isAscii)) return [...rows];
  const looks = new Map<string, string>();
  const alike = new Set<string>();
  for (const text of texts) {
    const look = lookOf(text);
    if ((looks.get(look) ?? text) !== text) alike.add(look);
    looks.set(look, text);
  }
  if (alike.size === 0) return [...rows];
  const apart = (text: string) => (alike.has(lookOf(text)) ? spelledOut(text) : text);
  return rows.map((row) =>
    row.type === 'set'
      ? { ...row, entries: row.entries.map((entry) => ({ ...entry, id: apart(entry.id) })) }
      : { ...row, name: apart(row.name) },
  );
}

/** A change of an attribute or of one entry of it. */
type ChangedPart = Pick<AttributeChange, 'path' | 'how'> & Record<'before' | 'after', JsonValue | undefined>;

/** The attribute whose entries are the users that an action affects, and whether they are added or removed. */
const whoIn: Readonly<Partial<Record<Action, { readonly name: string; readonly signs: readonly Sign[] }>>> = {
  leave: { name: 'members', signs: ['-'] },
  ban: { name: 'banned', signs: ['+', '~', ' '] },
  mute: { name: 'muted', signs: ['+', '~', ' '] },
  unban: { name: 'banned', signs: ['-'] },
  unmute: { name: 'muted', signs: ['-'] },
  lockout: { name: 'ip_whitelist', signs: ['+', '-'] },
};

/** The users in a channel that the action affects. */
export function concerned(change: Change, action: Action): string[] {
  const { name, signs } = whoIn[action] ?? { name: '', signs: [] };
  return attributeRows(change).flatMap((row) =>
    row.type === 'set' && row.name === name
      ? row.entries.filter(({ sign }) => signs.includes(sign)).map(({ id }) => id)
      : [],
  );
}

/** Splits a change of a whole map into changes of its entries. */
function perEntry({ path, before, after, how }: AttributeChange): ChangedPart[] {
  const attribute = { path, before, after, how };
  const isMap = path.length === 1 && how !== 'release' && (isObject(before) || isObject(after));
  const isOther = (value: JsonValue | undefined) => value !== undefined && !isObject(value);
  if (!isMap || isOther(before) || isOther(after)) return [attribute];
  const [head = ''] = path;
  const left = isObject(before) ? before : {};
  const right = isObject(after) ? after : {};
  const entries: ChangedPart[] = [];
  for (const key of before === undefined
    ? Object.keys(right)
    : new Set([...Object.keys(left), ...Object.keys(right)])) {
    const [from, to] = [ownValue(left, key), ownValue(right, key)];
    if (!equalJson(from, to)) entries.push({ path: [head, key], before: from, after: to, how });
  }
  return entries.length === 0 ? [attribute] : entries;
}

function rowsOf(name: string, parts: readonly ChangedPart[], isNew: boolean): AttributeRow[] {
  const [first] = parts;
  if (first !== undefined && parts.length === 1 && first.path.length === 1) {
    const entries = first.how === 'release' ? [] : listEntries(first, isNew);
    if (entries.length > 0) return [{ type: 'set', name, entries, remark: remarkOf(first) }];
  }
  if (parts.every(isSetEntry)) {
    const entries = parts.map(({ path, before, after }) => ({
      sign: signOf(before, after, isNew),
      id: path[1] ?? '',
      before,
      after,
    }));
    return [{ type: 'set', name, entries, ...(withholding.has(name) ? { restricts: true } : {}) }];
  }
  return parts.map((part) => valueRow(part, isNew));
}

/** Whether the entry is an id with properties (members), not a value (metadata). */
function isSetEntry({ path, before, after, how }: ChangedPart): boolean {
  return path.length === 2 && how !== 'release' && isObjectOrAbsent(before) && isObjectOrAbsent(after);
}

function isObjectOrAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || isObject(value);
}

function listEntries({ before, after }: ChangedPart, isNew: boolean): SetEntry[] {
  const left = before === undefined ? [] : stringsOf(before);
  const right = after === undefined ? [] : stringsOf(after);
  if (left === undefined || right === undefined) return [];
  const kept = new Set(left);
  const wanted = new Set(right);
  return [
    ...left.filter((id) => !wanted.has(id)).map((id): SetEntry => ({ sign: '-', id })),
    ...right.filter((id) => !kept.has(id)).map((id): SetEntry => ({ sign: isNew ? ' ' : '+', id })),
  ];
}

function stringsOf(value: JsonValue): readonly string[] | undefined {
  if (!isList(value)) return undefined;
  const strings = value.filter((item): item is string => typeof item === 'string');
  return strings.length === value.length ? strings : undefined;
}

function valueRow(part: ChangedPart, isNew: boolean): ValueRow {
  const { path, before, after, how } = part;
  return {
    type: 'value',
    sign: how === 'release' ? '.' : signOf(before, after, isNew),
    name: printPath(path),
    before,
    after,
    remark: remarkOf(part),
    effect: how === 'release' || isNew ? undefined : effectOf(path, after),
  };
}

function signOf(before: JsonValue | undefined, after: JsonValue | undefined, isNew: boolean): Sign {
  if (isNew) return ' ';
  if (before === undefined) return '+';
  return after === undefined ? '-' : '~';
}

function remarkOf({ how, path }: ChangedPart): string | undefined {
  if (how === 'release') return 'no longer managed';
  return how === 'reset' && path.length === 1 ? 'no longer declared' : undefined;
}
