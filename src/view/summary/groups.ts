// Which changes are alike, so that they are told once? "nickname changed for 83 users".

import { canonicalJson, type JsonValue } from '../../lib/json.ts';
import type { Action } from '../../model/action.ts';
import { isDangerous } from '../../model/action.ts';
import { kindOf } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import { listOf, plural } from '../words.ts';

/** Changes of one kind of object with the same actions on the same attributes. Positions only, so that a million cost little. */
export interface ChangeGroup {
  readonly kind: string;
  readonly actions: readonly Action[];
  /** The attributes that change, without what is below them. */
  readonly attributes: readonly string[];
  /** In the plan's changes. */
  readonly positions: readonly number[];
  /** The values are the same for each of them, too. */
  readonly isSame: boolean;
}

interface Gathered {
  readonly kind: string;
  readonly actions: readonly Action[];
  readonly attributes: readonly string[];
  readonly positions: number[];
  readonly values: string;
  isSame: boolean;
}

const maxAttributesNamed = 4;
/**
 * As all names of attributes are; any other text might be more than a name where it is printed: one with digits may be
 * read as a commit, and become a link.
 */
const isPlainName = /^[a-z]+(?:_[a-z]+)*$/u;

/** Gathers the groups of changes that come one by one. */
export class GroupCounter {
  readonly #groups = new Map<string, Gathered>();

  add(change: Change, position: number): void {
    const key = groupKey(change);
    const group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, newGroup(change, position));
    else {
      group.positions.push(position);
      group.isSame &&= group.values === valuesOf(change);
    }
  }

  /** Dangers first, then what changes, then what is new; in the plan's order among themselves. */
  end(): ChangeGroup[] {
    return [...this.#groups.values()].sort((left, right) => rankOf(left) - rankOf(right));
  }
}

/** Equal for changes that are told together. What is created is alike, whatever it has and whatever else befalls it. */
export function groupKey(change: Change): string {
  const kind = kindOf(change.address);
  if (isCreation(change)) return `${kind} create`;
  return JSON.stringify([kind, change.actions, ...headsOf(change)]);
}

function newGroup(change: Change, position: number): Gathered {
  return {
    kind: kindOf(change.address),
    actions: isCreation(change) ? ['create'] : change.actions,
    attributes: isCreation(change) ? [] : headsOf(change),
    positions: [position],
    values: valuesOf(change),
    isSame: true,
  };
}

function isCreation({ actions }: Pick<Change, 'actions'>): boolean {
  return actions.includes('create');
}

function headsOf({ attributes }: Change): string[] {
  return [...new Set(attributes.map(({ path }) => path[0] ?? ''))];
}

function valuesOf({ attributes, notes }: Change): string {
  const values = attributes.map(({ path, before, after, how }): JsonValue => {
    return { path, how, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
  });
  return canonicalJson([values, notes]);
}

function rankOf({ actions }: Pick<ChangeGroup, 'actions'>): number {
  if (actions.includes('create')) return 2;
  return actions.some(isDangerous) ? 0 : 1;
}

/** `nickname changed for 83 users`, `deactivate 2 users`. Harmless wherever it is printed. */
export function groupTitle({ kind, actions, attributes, positions }: ChangeGroup): string {
  const objects = objectsInWords(kind, positions.length);
  const named = attributes.filter((name) => isPlainName.test(name)).slice(0, maxAttributesNamed);
  const names = listOf(
    attributes.length > named.length ? [...named, `${attributes.length - named.length} more`] : named,
  );
  const [only, ...others] = actions;
  if (only === undefined) return `saved state of ${objects}`;
  if (only === 'update' && others.length === 0 && names !== '') return `${names} changed for ${objects}`;
  return `${listOf(actions)} ${objects}`;
}

/** `1 user`, `83 group channels`. */
export function objectsInWords(kind: string, amount: number): string {
  const singular = kind === 'messages' ? 'message archive' : kind.replaceAll('_', ' ');
  return plural(amount, singular);
}
