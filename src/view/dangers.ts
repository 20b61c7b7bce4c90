// What must a reviewer see first: what is taken from people, given back to them, or cannot be undone?
import { type Action, actionSymbol, isDangerous } from '../model/action.ts';
import type { Change } from '../model/change.ts';
import { leavers } from './attribute-rows.ts';
import { printId, safe } from './text.ts';

/** One action and everything that it befalls. */
interface Danger {
  readonly symbol: string;
  readonly action: Action;
  /** `deactivate`; `unfreeze, freeze` for an object that is only opened for the work on it. */
  readonly label: string;
  /** Every address, and the members who leave it: printed, to be joined by commas. */
  readonly named: string[];
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

export function dangersOf(changes: Iterable<Change>): DangerGroup[] {
  const found = new Map<Category, Map<string, Danger>>();
  for (const change of changes) {
    for (const { category, actions } of effectsOf(change)) addTo(found, category, actions, change);
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

function addTo(
  found: Map<Category, Map<string, Danger>>,
  category: Category,
  actions: readonly Action[],
  change: Change,
): void {
  const [action] = actions;
  if (action === undefined) return;
  const label = actions.join(', ');
  const dangers = found.get(category) ?? new Map<string, Danger>();
  found.set(category, dangers);
  const danger = dangers.get(label) ?? { symbol: actionSymbol[action], action, label, named: [] };
  dangers.set(label, danger);
  danger.named.push(...named(change, actions));
}

/** `group_channel.support-42 (bob`, `carol)`: to be joined by commas. */
function named(change: Change, actions: readonly Action[]): string[] {
  const who = actions.includes('leave') ? leavers(change).map(printId) : [];
  const [first, ...others] = who;
  if (first === undefined) return [safe(change.address)];
  const parts = [`${safe(change.address)} (${first}`, ...others];
  return parts.map((part, at) => (at === parts.length - 1 ? `${part})` : part));
}
