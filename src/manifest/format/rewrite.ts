// Rewrites deprecated forms as the attributes that they mean, where that is possible piece by piece.
import type { KindDefinition } from '../../resources/define.ts';
import {
  type FlowEntry,
  type Layout,
  type LayoutEntry,
  type LayoutItem,
  type Lines,
  type MapLayout,
  noNames,
  type ScalarLayout,
} from './layout.ts';

/**
 * The document with `user_ids`, `operator_ids` and the like written as `members` and `operators`. These stay as they
 * are: forms in a block whose kind has `defaults` for the same attribute in the file, forms with anchors, and any other
 * that cannot be rewritten piece by piece.
 */
export function withoutDeprecated(root: Layout, kinds: readonly KindDefinition[], defaults: Defaults): Layout {
  if (root.type !== 'map') return root;
  const entries = root.entries.map((section): LayoutEntry => {
    const kind = kinds.find((candidate) => candidate.section === section.key.text);
    if (kind === undefined || section.value?.type !== 'map') return section;
    const isBound = (name: string) => defaults(kind.section).has(name);
    const names = Object.entries(kind.deprecated).flatMap(([name, { use }]) => [name, use]);
    if (names.some(isBound)) return section;
    return { ...section, value: { ...section.value, entries: section.value.entries.map(rewriteBlock) } };
  });
  return { ...root, entries };
}

/** The attributes that the file's defaults set for the objects of a section. */
export type Defaults = (section: string) => ReadonlySet<string>;

function rewriteBlock(block: LayoutEntry): LayoutEntry {
  const { value } = block;
  if (value?.type === 'map') return { ...block, value: { ...value, entries: rewritten(value.entries, false) } };
  if (value?.type !== 'flow-map') return block;
  const asEntries = value.entries.map(fromFlow);
  if (asEntries.some((entry) => entry === undefined)) return block;
  const entries = rewritten(asEntries as LayoutEntry[], true);
  return { ...block, value: { ...value, entries: entries.map(toFlow) } };
}

function rewritten(entries: readonly LayoutEntry[], inFlow: boolean): readonly LayoutEntry[] {
  return withSessionToken(withMembers(withOperators(entries), inFlow));
}

function withOperators(entries: readonly LayoutEntry[]): readonly LayoutEntry[] {
  const old = find(entries, 'operator_ids');
  if (old === undefined || find(entries, 'operators') !== undefined) return entries;
  return entries.map((entry) => (entry === old ? { ...entry, key: plainKey('operators') } : entry));
}

function withMembers(entries: readonly LayoutEntry[], inFlow: boolean): readonly LayoutEntry[] {
  const old = ['members', 'user_ids', 'users', 'invitation_status', 'hidden_status'].flatMap((name) => {
    const entry = find(entries, name);
    return entry === undefined ? [] : [{ name, entry, parts: partsOf(entry) }];
  });
  const isDeprecated = ({ name }: { readonly name: string }) => name !== 'members';
  const [first] = old;
  if (first === undefined || !old.some(isDeprecated) || !old.some(({ name }) => idNames.has(name))) return entries;
  const members = new Map<string, LayoutEntry>();
  for (const { name, parts } of old) {
    for (const part of parts ?? []) {
      const made = memberFrom(name, part, members.get(part.text));
      if (made === undefined) return entries;
      members.set(part.text, made);
    }
    if (parts === undefined) return entries;
  }
  const value: MapLayout = {
    type: 'map',
    entries: [...members.values()],
    tail: old.flatMap(({ entry }) => tailOf(entry)),
  };
  const merged: LayoutEntry = {
    lead: [...first.entry.lead, ...old.slice(1).flatMap(({ entry }) => asComments(entry))],
    comment: first.entry.comment,
    keyProps: '',
    key: plainKey('members'),
    props: '',
    names: noNames,
    value: inFlow ? { type: 'flow-map', entries: value.entries.map(toFlow) } : value,
  };
  return entries.flatMap((entry) =>
    entry === first.entry ? [merged] : old.some((one) => one.entry === entry) ? [] : [entry],
  );
}

const idNames: ReadonlySet<string> = new Set(['members', 'user_ids', 'users']);

/** One id of a list, or one line of a map of statuses. */
interface Part {
  readonly text: string;
  readonly key: ScalarLayout;
  readonly value?: Layout;
  readonly lead: Lines;
  readonly comment: string;
}

function memberFrom(name: string, part: Part, known: LayoutEntry | undefined): LayoutEntry | undefined {
  const isStatus = !idNames.has(name);
  // The status of a user who is not a member is an error that the author must see.
  if (isStatus && (known === undefined || part.value?.type !== 'scalar')) return undefined;
  const base: LayoutEntry = known ?? { lead: [], comment: '', keyProps: '', key: part.key, props: '', names: noNames };
  const lead = [...base.lead, ...part.lead];
  if (known === undefined) {
    return { ...base, lead, comment: part.comment, ...(part.value === undefined ? {} : { value: part.value }) };
  }
  const said = part.comment === '' ? lead : [...lead, part.comment.trim()];
  if (!isStatus || part.value === undefined) return { ...base, lead: said };
  const status: FlowEntry = { key: plainKey(name), keyProps: '', props: '', value: part.value, names: noNames };
  if (base.value === undefined) return { ...base, lead: said, value: { type: 'flow-map', entries: [status] } };
  if (base.value.type !== 'flow-map') return undefined;
  // A status beside the member takes precedence.
  if (base.value.entries.some(({ key }) => key?.text === name)) return { ...base, lead: said };
  return { ...base, lead: said, value: { ...base.value, entries: [...base.value.entries, status] } };
}

/** Undefined when the entry cannot be taken apart. */
function partsOf({ key, value, names, props }: LayoutEntry): readonly Part[] | undefined {
  if (props !== '' || names.anchors.size + names.aliases.size > 0) return undefined;
  const isList = key.text === 'user_ids' || key.text === 'users';
  const items: readonly (LayoutItem | LayoutEntry)[] | undefined = itemsOf(value);
  const parts = items?.map((item) => {
    if (key.text === 'users') return userPart(item);
    const { lead, comment } = item;
    if (!isList) {
      return 'key' in item ? { ...item, text: item.key.text } : undefined;
    }
    return item.value?.type === 'scalar' ? { text: item.value.text, key: item.value, lead, comment } : undefined;
  });
  return parts?.every((part) => part !== undefined) === true ? parts : undefined;
}

/** Only `{user_id: alice}`. */
function userPart({ value, lead, comment }: LayoutItem): Part | undefined {
  const [only, ...more] = itemsOf(value) ?? [];
  if (only === undefined || more.length > 0 || !('key' in only) || only.key.text !== 'user_id') return undefined;
  if (only.value?.type !== 'scalar') return undefined;
  const own = [...only.lead, ...(value === undefined ? [] : tailOf({ value }))];
  return { text: only.value.text, key: only.value, lead: [...lead, ...own], comment: comment || only.comment };
}

function itemsOf(value: Layout | undefined): readonly (LayoutItem | LayoutEntry)[] | undefined {
  if (value?.type === 'map') return value.entries;
  if (value?.type === 'list') return value.items;
  if (value?.type !== 'flow-map' && value?.type !== 'flow-list') return undefined;
  const items = value.entries.map((entry) => (entry.key === undefined ? itemFromFlow(entry) : fromFlow(entry)));
  return items.every((item) => item !== undefined) ? items : undefined;
}

function withSessionToken(entries: readonly LayoutEntry[]): readonly LayoutEntry[] {
  const flag = find(entries, 'issue_session_token');
  const end = find(entries, 'session_token_expires_at');
  if (flag === undefined || end === undefined || find(entries, 'session_token') !== undefined) return entries;
  if (flag.value?.type !== 'scalar' || flag.value.source !== 'true' || end.value?.type !== 'scalar') return entries;
  if (!/^\d{13}$/u.test(end.value.source)) return entries;
  const expires = new Date(Number(end.value.source)).toISOString();
  const value: FlowEntry = {
    key: plainKey('expires_at'),
    keyProps: '',
    props: '',
    value: plainKey(expires),
    names: noNames,
  };
  const made: LayoutEntry = {
    ...end,
    lead: [...asComments(flag), ...end.lead],
    key: plainKey('session_token'),
    value: { type: 'flow-map', entries: [value] },
  };
  return entries.flatMap((entry) => (entry === end ? [made] : entry === flag ? [] : [entry]));
}

/** The comments of an entry that is removed. */
function asComments({ lead, comment }: LayoutEntry): Lines {
  return [...lead, comment.trim()].filter((line) => line !== '');
}

function tailOf({ value }: Pick<LayoutEntry, 'value'>): Lines {
  return value?.type === 'map' || value?.type === 'list' ? value.tail : [];
}

function find(entries: readonly LayoutEntry[], name: string): LayoutEntry | undefined {
  return entries.find(({ key }) => key.text === name);
}

function plainKey(text: string): ScalarLayout {
  return { type: 'scalar', source: text, text, style: 'plain' };
}

function itemFromFlow({ props, value, names }: FlowEntry): LayoutItem {
  return { lead: [], comment: '', props, names, ...(value === undefined ? {} : { value }) };
}

function fromFlow(entry: FlowEntry): LayoutEntry | undefined {
  const { key, keyProps } = entry;
  return key === undefined ? undefined : { ...itemFromFlow(entry), key, keyProps };
}

function toFlow({ key, keyProps, props, value, names }: LayoutEntry): FlowEntry {
  return { key, keyProps, props, names, ...(value === undefined ? {} : { value }) };
}
