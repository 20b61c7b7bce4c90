// Groups similar changes, so that they are described once: "nickname changed for 83 users".
import { canonicalJson, type JsonValue } from '../../../lib/json.ts';
import { listOf, plural } from '../../../lib/words.ts';
import type { Action } from '../../model/action.ts';
import { kindOf } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import { reasonInWords } from '../text/change-words.ts';
import { DangerCounter, type DangerGroup } from './dangers.ts';
import { isPending } from './verdict.ts';

/** Changes to one kind of object with the same actions on the same attributes. Stores only positions, to save memory. */
export interface ChangeGroup {
  readonly kind: string;
  readonly actions: readonly Action[];
  /** The top-level attributes that change. */
  readonly attributes: readonly string[];
  /** Places in the plan's changes. */
  readonly positions: readonly number[];
  /** Whether all changes have the same values, notes and reversibility, too. */
  readonly isSame: boolean;
  /** The reason in words, if all changes share it. */
  readonly reason: string | undefined;
}

interface GroupedChange {
  readonly kind: string;
  readonly actions: readonly Action[];
  readonly attributes: readonly string[];
  readonly positions: number[];
  readonly values: string;
  isDangerous: boolean;
  isSame: boolean;
  reason: string | undefined;
}

const maxAttributesNamed = 4;
/** Names that are safe to print anywhere. A name with digits could be read as a commit and become a link. */
const isPlainName = /^[a-z]+(?:_[a-z]+)*$/u;

function gather(groups: Map<string, GroupedChange>, change: Change, position: number): void {
  const key = groupKey(change);
  const group = groups.get(key);
  if (group === undefined) groups.set(key, newGroup(change, position));
  else {
    group.positions.push(position);
    group.isDangerous ||= change.dangerous;
    group.isSame &&= group.values === valuesOf(change);
    if (group.reason !== reasonInWords(change.reason)) group.reason = undefined;
  }
}

/** Dangerous groups first, then changes, then creations, each in the order of the plan. */
function ranked(groups: ReadonlyMap<string, GroupedChange>): ChangeGroup[] {
  return [...groups.values()].sort((left, right) => rankOf(left) - rankOf(right));
}

/** Equal for changes of one group. All creations of a kind form one group. */
function groupKey(change: Change): string {
  const kind = kindOf(change.address);
  if (isCreation(change)) return `${kind} create`;
  return JSON.stringify([kind, change.actions, ...headsOf(change)]);
}

function newGroup(change: Change, position: number): GroupedChange {
  return {
    kind: kindOf(change.address),
    actions: isCreation(change) ? ['create'] : change.actions,
    attributes: isCreation(change) ? [] : headsOf(change),
    positions: [position],
    values: valuesOf(change),
    isDangerous: change.dangerous,
    isSame: true,
    reason: reasonInWords(change.reason),
  };
}

function isCreation({ actions }: Pick<Change, 'actions'>): boolean {
  return actions.includes('create');
}

function headsOf({ attributes }: Change): string[] {
  return [...new Set(attributes.map(({ path }) => path[0] ?? ''))];
}

function valuesOf({ attributes, notes, reversibility }: Change): string {
  const values = attributes.map(({ path, before, after, how }): JsonValue => {
    return { path, how, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
  });
  return canonicalJson([values, notes, reversibility]);
}

function rankOf({ actions, isDangerous }: GroupedChange): number {
  if (actions.includes('create')) return 2;
  return isDangerous ? 0 : 1;
}

/** `nickname changed for 83 users`, `deactivate 2 users`. Safe to print anywhere. */
export function groupTitle({ kind, actions, attributes, positions }: ChangeGroup): string {
  const objects = objectsInWords(kind, positions.length);
  const named = attributes.filter((name) => isPlainName.test(name)).slice(0, maxAttributesNamed);
  const names = listOf(
    attributes.length > named.length ? [...named, `${attributes.length - named.length} more`] : named,
  );
  const [only, ...others] = actions;
  if (only === undefined) return `saved state of ${objects}`;
  if (only === 'conflict') return `${objects} in conflict`;
  if (only === 'update' && others.length === 0 && names !== '') return `${names} changed for ${objects}`;
  return `${listOf(actions)} ${objects}`;
}

/** `1 user`, `83 group channels`. */
export function objectsInWords(kind: string, amount: number): string {
  const singular = kind === 'messages' ? 'history file' : kind.replaceAll('_', ' ');
  return plural(amount, singular);
}

/** Facts about all changes that a view needs before it shows the first one, collected in one pass. */
export interface PlanSurvey {
  readonly dangers: readonly DangerGroup[];
  /** Everything that was not pending before this request. */
  readonly requested: readonly ChangeGroup[];
  readonly pending: readonly ChangeGroup[];
}

export function surveyOf(changes: Iterable<Change>): PlanSurvey {
  const [requested, pending] = [new Map<string, GroupedChange>(), new Map<string, GroupedChange>()];
  const dangers = new DangerCounter();
  let position = 0;
  for (const change of changes) {
    dangers.add(change, position);
    gather(isPending(change) ? pending : requested, change, position);
    position += 1;
  }
  return { dangers: dangers.end(), requested: ranked(requested), pending: ranked(pending) };
}
