// What must a reviewer see first: what is taken from people, given back to them, or cannot be undone?
import { type Action, actionSymbol, isDangerous } from '../model/action.ts';
import type { Change } from '../model/change.ts';
import { leavers } from './attribute-rows.ts';
import { printId, safe } from './text.ts';
import { plural } from './words.ts';

/** One action and everything that it befalls. */
export interface Danger {
  readonly symbol: string;
  readonly action: Action;
  /** `deactivate`; `unfreeze, freeze` for an object that is only opened for the work on it. */
  readonly label: string;
  /** How many objects it befalls. */
  count: number;
  readonly named: NamedObject[];
}

/** An object, the members who leave it and what is at stake, all printed harmlessly. */
interface NamedObject {
  readonly address: string;
  readonly inside: readonly string[];
}

export interface DangerGroup {
  readonly title: string;
  /** After `the plan`. */
  readonly inWords: string;
  readonly dangers: readonly Danger[];
}

const categories = {
  irreversible: { title: 'Cannot be undone', inWords: 'does what cannot be undone' },
  takes: { title: 'Takes something away', inWords: 'takes something away' },
  gives: { title: 'Gives something back', inWords: 'gives something back' },
  bracket: { title: 'Opened for the work, closed again after it', inWords: 'opens what is closed for a while' },
} as const;

type Category = keyof typeof categories;

const givesBack: ReadonlySet<Action> = new Set<Action>(['reactivate', 'unfreeze']);

/** `maxNamed`: no more objects than that are named for one danger; all are counted. */
export function dangersOf(changes: Iterable<Change>, maxNamed = Number.POSITIVE_INFINITY): DangerGroup[] {
  const found = new Map<Category, Map<string, Danger>>();
  for (const change of changes) {
    for (const { category, actions } of effectsOf(change)) {
      const danger = dangerIn(found, category, actions);
      if (danger === undefined) continue;
      danger.count += 1;
      if (danger.count <= maxNamed) danger.named.push(named(change, actions));
    }
  }
  return (Object.keys(categories) as Category[]).flatMap((category) => {
    const dangers = found.get(category);
    return dangers === undefined ? [] : [{ ...categories[category], dangers: [...dangers.values()] }];
  });
}

interface Effect {
  readonly category: Category;
  readonly actions: readonly Action[];
}

function effectsOf(change: Change): Effect[] {
  const dangerous = change.dangerous ? change.actions.filter(isDangerous) : [];
  if (change.reversibility === 'irreversible') {
    const actions = dangerous.length > 0 ? dangerous : change.actions;
    return actions.length === 0 ? [] : [{ category: 'irreversible', actions }];
  }
  const opens = dangerous.filter((action) => givesBack.has(action));
  const closes: readonly Action[] = dangerous.filter((action) => action === 'freeze' || action === 'deactivate');
  if (opens.length === 0 || closes.length === 0) {
    return dangerous.map((action) => ({ category: givesBack.has(action) ? 'gives' : 'takes', actions: [action] }));
  }
  const others = dangerous.filter((action) => !opens.includes(action) && !closes.some((close) => close === action));
  return [
    ...others.map((action): Effect => ({ category: 'takes', actions: [action] })),
    { category: 'bracket', actions: [...opens, ...closes] },
  ];
}

function dangerIn(
  found: Map<Category, Map<string, Danger>>,
  category: Category,
  actions: readonly Action[],
): Danger | undefined {
  const [action] = actions;
  if (action === undefined) return undefined;
  const label = actions.join(', ');
  const dangers = found.get(category) ?? new Map<string, Danger>();
  found.set(category, dangers);
  const danger = dangers.get(label) ?? { symbol: actionSymbol[action], action, label, count: 0, named: [] };
  dangers.set(label, danger);
  return danger;
}

function named(change: Change, actions: readonly Action[]): NamedObject {
  const who = actions.includes('leave') ? leavers(change).map(printId) : [];
  return { address: safe(change.address), inside: [...who, ...liveFacts(change)] };
}

/** `group_channel.support-42 (bob`, `carol)`: to be joined by commas. */
export function partsOf({ address, inside }: NamedObject): string[] {
  const [first, ...others] = inside;
  if (first === undefined) return [address];
  const parts = [`${address} (${first}`, ...others];
  return parts.map((part, at) => (at === parts.length - 1 ? `${part})` : part));
}

/** `42 members`, `last message 2026-11-01`: what is at stake. */
export function liveFacts({ live }: Pick<Change, 'live'>): string[] {
  if (live === undefined) return [];
  const { members, last_message_at: last } = live;
  return [
    ...(members === undefined ? [] : [plural(members, 'member')]),
    ...(last === undefined ? [] : [`last message ${safe(last.slice(0, 10))}`]),
  ];
}
