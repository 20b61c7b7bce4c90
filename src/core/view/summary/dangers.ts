// What a reviewer must see first of a plan's changes: edits that decide who can do what, what cannot be undone, and likely renames.

import type { Series } from '../../../lib/series.ts';
import { plural, printNumber } from '../../../lib/words.ts';
import { symbolOf } from '../../model/action.ts';
import type { Address } from '../../model/address.ts';
import { type Change, type ChangeDanger, erasedMessages, isDanger } from '../../model/change.ts';
import type { DangerKind } from '../../model/people/comparison.ts';
import { attributeRows, concerned, type SetEntry } from '../diff/attribute-rows.ts';
import { printId, safe } from '../text/text.ts';

/** One danger and all objects that it affects. */
export interface Danger extends Omit<ChangeDanger, 'danger'> {
  /** Absent: it only cannot be undone, or is a likely rename. */
  readonly danger?: DangerKind;
  readonly symbol: string;
  /** `freeze`, `freeze (block removed)`, `is_public`, `rotate token`, or `unfreeze, freeze` for a temporarily reopened object. */
  readonly label: string;
  /** The places of the affected objects in the plan's changes. Names are read when they are shown. */
  readonly positions: readonly number[];
  /** The messages that are erased; 0 for other dangers. */
  readonly messages: number;
}

/** `20 messages` that are erased, otherwise the number of objects. */
export function amountOf({ messages, positions }: Danger): string {
  return messages === 0 ? printNumber(positions.length) : plural(messages, 'message');
}

/** An object, the members it loses and what is at stake, all safe to print. */
interface NamedObject {
  readonly address: string;
  readonly inside: readonly string[];
}

export interface DangerGroup {
  readonly title: string;
  /** Follows `The plan`. */
  readonly inWords: string;
  readonly dangers: readonly Danger[];
}

const categories = {
  locks_out: {
    title: 'Can lock out callers of the API, chatform among them',
    inWords: 'can lock out callers of the API, chatform among them',
  },
  irreversible: { title: 'Cannot be undone', inWords: 'makes changes that cannot be undone' },
  restricts: { title: 'Restricts access', inWords: 'restricts access' },
  revokes: { title: 'Revokes tokens: an earlier token stops working', inWords: 'revokes tokens' },
  may_change: { title: 'May change access', inWords: 'may change access' },
  opens: { title: 'Opens access', inWords: 'opens access' },
  sends: { title: 'Changes which data goes elsewhere', inWords: 'changes which data goes elsewhere' },
  reopens: { title: 'Reopened temporarily', inWords: 'temporarily reopens objects' },
  renames: {
    title: 'Looks like a rename: what the old object has does not move to the new one',
    inWords: 'looks like it renames objects',
  },
} as const satisfies Readonly<Record<DangerKind | 'irreversible' | 'renames', { title: string; inWords: string }>>;

type Category = keyof typeof categories;
const renameLabel = 'rename';

export function dangersOf(changes: Iterable<Change>): DangerGroup[] {
  const tally = new DangerCounter();
  let position = 0;
  for (const change of changes) tally.add(change, position++);
  return tally.end();
}

/** Collects the dangers of changes that are added one by one. */
export class DangerCounter {
  readonly #found = new Map<Category, Map<string, GatheredDanger>>();

  add(change: Change, position: number): void {
    if (!isDanger(change) && renamedFrom(change) === undefined) return;
    for (const effect of effectsOf(change)) {
      const danger = this.#dangerIn(effect);
      danger?.positions.push(position);
      if (danger !== undefined && effect.actions.includes('erase')) danger.messages += erasedMessages(change.requests);
    }
  }

  end(): DangerGroup[] {
    return (Object.keys(categories) as Category[]).flatMap((category) => {
      const dangers = this.#found.get(category);
      return dangers === undefined ? [] : [{ ...categories[category], dangers: [...dangers.values()] }];
    });
  }

  #dangerIn({ category, label, ...danger }: DangerRule): GatheredDanger | undefined {
    const [action] = danger.actions;
    if (action === undefined) return undefined;
    const dangers = this.#found.get(category) ?? new Map<string, GatheredDanger>();
    this.#found.set(category, dangers);
    const gathered = dangers.get(label) ?? { ...danger, symbol: symbolOf(action), label, positions: [], messages: 0 };
    dangers.set(label, gathered);
    return gathered;
  }
}

interface GatheredDanger extends Danger {
  readonly positions: number[];
  messages: number;
}

/** The objects that a danger affects, at most `most` of them. */
export function* namedIn(
  danger: Danger,
  changes: Series<Change>,
  most = danger.positions.length,
): Generator<NamedObject> {
  for (let place = 0; place < Math.min(most, danger.positions.length); place += 1) {
    const change = changes.at(danger.positions[place] ?? 0);
    if (change !== undefined) yield named(change, danger);
  }
}

interface DangerRule extends Pick<Danger, 'danger' | 'actions' | 'attribute' | 'label'> {
  readonly category: Category;
}

function effectsOf(change: Change): DangerRule[] {
  const { dangers = [], reversibility } = change;
  const isFinal = reversibility === 'irreversible';
  // What ends an object or its messages is what cannot be undone, if anything cannot.
  const ending = isFinal ? dangers.filter(isEnding) : [];
  const final = ending.length > 0 ? ending.flatMap(({ actions }) => actions) : isFinal ? change.actions : [];
  const lasting: readonly DangerRule[] =
    final.length === 0
      ? []
      : [
          {
            category: 'irreversible',
            ...(ending.length === 0 ? {} : { danger: 'restricts' }),
            actions: final,
            label: withOrigin(final.join(', '), change),
          },
        ];
  const others = dangers.filter((danger) => !ending.includes(danger));
  const isByVerb = (one: ChangeDanger) => one.danger !== 'reopens' && one.danger !== 'revokes' && !isPlainEdit(one);
  const renames: readonly DangerRule[] =
    renamedFrom(change) === undefined ? [] : [{ category: 'renames', actions: change.actions, label: renameLabel }];
  return [
    ...lasting,
    ...renames,
    ...others.map((danger): DangerRule => {
      const label = labelOf(danger);
      return { category: danger.danger, ...danger, label: isByVerb(danger) ? withOrigin(label, change) : label };
    }),
  ];
}

/** The object of which this new one looks like a rename. */
function renamedFrom({ note_codes: notes = [] }: Change): Address | undefined {
  for (const note of notes) if (note.code === 'renamed_from') return note.address;
  return undefined;
}

function isEnding({ actions: [action] }: ChangeDanger): boolean {
  return action === 'delete' || action === 'erase';
}

/** The verb of what has one, such as `freeze`, and otherwise the edited attribute. */
export function labelOf(danger: ChangeDanger): string {
  if (danger.danger === 'revokes') return 'rotate token';
  return isPlainEdit(danger) ? danger.attribute : danger.actions.join(', ');
}

/** A lockout that opens has emptied the list of callers: its verb would say the opposite. */
function isPlainEdit<One extends Pick<Danger, 'danger' | 'actions' | 'attribute'>>(
  danger: One,
): danger is One & { readonly attribute: string } {
  const [action] = danger.actions;
  const isByAttribute = action === 'update' || (action === 'lockout' && danger.danger === 'opens');
  return isByAttribute && danger.attribute !== undefined;
}

/** An object is disabled by its declaration, or because its block was removed, which may be a mistake. */
function withOrigin(label: string, { source }: Change): string {
  return source === undefined ? `${label} (block removed)` : label;
}

function named(change: Change, danger: Danger): NamedObject {
  const who = whoIn(change, danger).map(printId);
  const erased = danger.actions.includes('erase') ? erasedMessages(change.requests) : 0;
  const messages = erased === 0 ? [] : [plural(erased, 'message')];
  const old = danger.label === renameLabel ? renamedFrom(change) : undefined;
  const was = old === undefined ? [] : [`was ${safe(old)}`];
  return { address: safe(change.address), inside: [...was, ...who, ...messages, ...liveFacts(change)] };
}

/** The users, or the other entries of a list, that the danger concerns. */
function whoIn(change: Change, danger: Danger): string[] {
  if (!isPlainEdit(danger)) return danger.actions.flatMap((action) => concerned(change, action));
  const { attribute } = danger;
  const isMeant = ({ sign }: SetEntry) => (danger.danger === 'opens' ? sign === '+' : sign === '-');
  const rows = attributeRows(change).filter(({ name }) => name === attribute);
  return rows.flatMap((row) => (row.type === 'set' ? row.entries.filter(isMeant).map(({ id }) => id) : []));
}

/** `group_channel.support-42 (bob`, `carol)`: parts that the caller joins with commas. */
export function printNamed({ address, inside }: NamedObject): string[] {
  const [first, ...others] = inside;
  if (first === undefined) return [address];
  const parts = [`${address} (${first}`, ...others];
  return parts.map((part, at) => (at === parts.length - 1 ? `${part})` : part));
}

/** What is at stake: `42 members`, `last message 2026-11-01`. */
export function liveFacts({ live }: Pick<Change, 'live'>): string[] {
  if (live === undefined) return [];
  const { members, last_message_at: last } = live;
  return [
    ...(members === undefined ? [] : [plural(members, 'member')]),
    ...(last === undefined ? [] : [`last message ${safe(last.slice(0, 10))}`]),
  ];
}
