// The dangers of a plan, which a reviewer must see first: restricted or restored access, and what cannot be undone.

import type { Series } from '../../lib/series.ts';
import { type Action, givesBack, isDangerous, symbolOf } from '../../model/action.ts';
import { type Change, erasedMessages, rotatesToken } from '../../model/change.ts';
import { concerned } from '../diff/attribute-rows.ts';
import { printId, safe } from '../text/text.ts';
import { plural, printNumber } from '../text/words.ts';

/** One dangerous action and all objects that it affects. */
export interface Danger {
  readonly symbol: string;
  readonly actions: readonly Action[];
  /** `freeze`, `freeze (block removed)`, `rotate token`, or `unfreeze, freeze` for a temporarily reopened object. */
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
  locksOut: {
    title: 'Can lock out callers of the API, chatform among them',
    inWords: 'can lock out callers of the API, chatform among them',
  },
  irreversible: { title: 'Cannot be undone', inWords: 'makes changes that cannot be undone' },
  restricts: { title: 'Restricts access', inWords: 'restricts access' },
  revokes: { title: 'Revokes tokens: an earlier token stops working', inWords: 'revokes tokens' },
  restores: { title: 'Restores access', inWords: 'restores access' },
  reopens: { title: 'Reopened temporarily', inWords: 'temporarily reopens objects' },
} as const;

type Category = keyof typeof categories;

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

  #dangerIn({ category, actions, label = actions.join(', ') }: DangerRule): GatheredDanger | undefined {
    const [action] = actions;
    if (action === undefined) return undefined;
    const dangers = this.#found.get(category) ?? new Map<string, GatheredDanger>();
    this.#found.set(category, dangers);
    const danger = dangers.get(label) ?? { symbol: symbolOf(action), actions, label, positions: [], messages: 0 };
    dangers.set(label, danger);
    return danger;
  }
}

interface GatheredDanger extends Danger {
  readonly positions: number[];
  messages: number;
}

/** The objects that a danger affects, at most `most` of them. */
export function* namedIn(
  { actions, positions }: Danger,
  changes: Series<Change>,
  most = positions.length,
): Generator<NamedObject> {
  for (let place = 0; place < Math.min(most, positions.length); place += 1) {
    const change = changes.at(positions[place] ?? 0);
    if (change !== undefined) yield named(change, actions);
  }
}

interface DangerRule {
  readonly category: Category;
  readonly actions: readonly Action[];
  /** Default: the actions. */
  readonly label?: string;
}

function effectsOf(change: Change): DangerRule[] {
  const rotation: readonly DangerRule[] =
    change.dangerous && rotatesToken(change)
      ? [{ category: 'revokes', actions: ['update'], label: 'rotate token' }]
      : [];
  return [...accessEffects(change), ...rotation];
}

/** An object is disabled by its declaration, or because its block was removed, which may be a mistake. */
function withOrigin(label: string, { source }: Change): string {
  return source === undefined ? `${label} (block removed)` : label;
}

function accessEffects(change: Change): DangerRule[] {
  const dangerous = change.dangerous ? change.actions.filter(isDangerous) : [];
  if (change.reversibility === 'irreversible') {
    const actions = dangerous.length > 0 ? dangerous : change.actions;
    const label = withOrigin(actions.join(', '), change);
    return actions.length === 0 ? [] : [{ category: 'irreversible', actions, label }];
  }
  const opens = dangerous.filter((action) => action === 'reactivate' || action === 'unfreeze');
  const closes: readonly Action[] = dangerous.filter((action) => action === 'freeze' || action === 'deactivate');
  if (opens.length === 0 || closes.length === 0) {
    return dangerous.map((action) => ({
      category: categoryOf(action),
      actions: [action],
      label: withOrigin(action, change),
    }));
  }
  const others = dangerous.filter((action) => !opens.some((other) => other === action) && !closes.includes(action));
  return [
    ...others.map((action): DangerRule => ({ category: categoryOf(action), actions: [action] })),
    { category: 'reopens', actions: [...opens, ...closes] },
  ];
}

function categoryOf(action: Action): Category {
  if (action === 'lockout') return 'locksOut';
  return givesBack(action) ? 'restores' : 'restricts';
}

function named(change: Change, actions: readonly Action[]): NamedObject {
  const who = actions.flatMap((action) => concerned(change, action)).map(printId);
  const erased = actions.includes('erase') ? erasedMessages(change.requests) : 0;
  const messages = erased === 0 ? [] : [plural(erased, 'message')];
  return { address: safe(change.address), inside: [...who, ...messages, ...liveFacts(change)] };
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
