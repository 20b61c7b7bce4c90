// The scope of a partial plan: the objects that --target names and those that they need, without those that --exclude names
// (semantics §12.14).

import { addressesOf, type KindDefinition } from '../kinds/definition/kind.ts';
import { userKinds } from '../kinds/parts/people.ts';
import { type Address, kindOf } from '../model/address.ts';
import type { ChangeNote } from '../model/reasons.ts';
import type { StateRecord } from '../model/record.ts';
import type { Resource } from '../model/resource.ts';
import type { PlanProblem } from '../model/statements/problems.ts';

/** One `--target` or `--exclude`: an address, or a pattern of addresses. */
export interface TargetPattern {
  readonly text: string;
  /** Whether it may match other addresses than its text. */
  readonly isPattern: boolean;
  matches(address: Address): boolean;
}

/** Finds the targets that match an address, without trying each of thousands of plain addresses. */
export class TargetIndex {
  readonly #byText = new Map<string, TargetPattern[]>();
  readonly #patterns: readonly TargetPattern[];

  constructor(targets: readonly TargetPattern[]) {
    this.#patterns = targets.filter(({ isPattern }) => isPattern);
    for (const target of targets) {
      if (target.isPattern) continue;
      const { text } = target;
      this.#byText.set(text, [...(this.#byText.get(text) ?? []), target]);
    }
  }

  matching(address: Address): readonly TargetPattern[] {
    const plain = this.#byText.get(address) ?? [];
    if (this.#patterns.length === 0) return plain;
    return [...plain, ...this.#patterns.filter(({ matches }) => matches(address))];
  }
}

/** What a plan is about, in the texts of the flags. Without targets it is everything that is not excluded. */
export interface Selection {
  readonly targets?: readonly string[] | undefined;
  readonly excluded?: readonly string[] | undefined;
}

/** Without the other options of a command. */
export function selectionOf({ targets, excluded }: Selection): Selection {
  return { targets, excluded };
}

/** The flags of a selection. */
export function flagsOf({ targets = [], excluded = [] }: Selection | TargetPatterns): TargetScope['flags'] {
  return [...(targets.length === 0 ? [] : ['target' as const]), ...(excluded.length === 0 ? [] : ['exclude' as const])];
}

export interface TargetPatterns {
  readonly targets: readonly TargetPattern[];
  readonly excluded: readonly TargetPattern[];
}

export interface TargetScope {
  has(address: Address): boolean;
  /** Whether --exclude names the object. Absent: it names none. */
  isExcluded?(address: Address): boolean;
  /** The flags that made the scope. */
  readonly flags: readonly ('target' | 'exclude')[];
  /** Objects included because another object needs them, with that object. */
  readonly pulledIn: ReadonlyMap<Address, Address>;
  /** The scope without the objects that only left-out objects need. Absent: nothing can be left out. */
  without?(leftOut: { has(address: Address): boolean }): TargetScope;
  /** Whether the scope is the drift that a repair takes back, instead of targets. */
  readonly isRepair?: boolean;
  /** Whether the caller explains in another way why the plan is partial. */
  readonly isExplained?: true;
}

export interface MatchedScope extends TargetScope {
  /** The texts of the patterns that match nothing. */
  readonly unmatched: Readonly<Record<keyof TargetPatterns, readonly string[]>>;
}

const otherUserKinds: ReadonlySet<string> = new Set(userKinds.slice(1));

/** Reads everything once, and again for each level of references. A channel needs its users, who need nothing. */
export function scopeOf(
  { targets, excluded }: TargetPatterns,
  resources: Iterable<Resource>,
  records: Iterable<StateRecord>,
  kinds: readonly KindDefinition[],
): MatchedScope {
  const missed = new Set([...targets, ...excluded]);
  const inScope = new Set<Address>();
  const index = new TargetIndex(targets);
  const exclusions = new TargetIndex(excluded);
  const isExcluded = (address: Address): boolean => exclusions.matching(address).length > 0;
  const take = (address: Address): void => {
    const targeting = index.matching(address);
    const excluding = exclusions.matching(address);
    for (const pattern of [...targeting, ...excluding]) missed.delete(pattern);
    if (targeting.length > 0 && excluding.length === 0) inScope.add(address);
  };
  // A reference means the first of its kinds, unless an object of another of these kinds exists, which is rare.
  const others = new Set<Address>();
  for (const objects of [resources, records]) {
    for (const { address } of objects) {
      take(address);
      if (otherUserKinds.has(kindOf(address))) others.add(address);
    }
  }
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  const needsOf = (leftOut?: { has(address: Address): boolean }): ReadonlyMap<Address, Address> => {
    const pulledIn = new Map<Address, Address>();
    let level: ReadonlySet<Address> = inScope;
    while (level.size > 0) {
      const next = new Set<Address>();
      for (const { address, attributes } of resources) {
        if (!level.has(address) || leftOut?.has(address) === true) continue;
        for (const reference of byName.get(kindOf(address))?.references?.(attributes) ?? []) {
          const meant = addressesOf(reference);
          const needed = meant.find((other) => others.has(other)) ?? meant[0];
          if (needed === undefined || inScope.has(needed) || pulledIn.has(needed) || isExcluded(needed)) continue;
          pulledIn.set(needed, address);
          next.add(needed);
        }
      }
      level = next;
    }
    return pulledIn;
  };
  const unmatched = (patterns: readonly TargetPattern[]) =>
    patterns.filter((pattern) => missed.has(pattern)).map(({ text }) => text);
  const flags = flagsOf({ targets, excluded });
  const scopeWith = (pulledIn: ReadonlyMap<Address, Address>): TargetScope => ({
    has:
      targets.length === 0
        ? (address) => !isExcluded(address)
        : (address) => inScope.has(address) || pulledIn.has(address),
    ...(excluded.length === 0 ? {} : { isExcluded }),
    flags,
    pulledIn,
  });
  return {
    ...scopeWith(needsOf()),
    ...(flags.length < 2 ? {} : { without: (leftOut) => scopeWith(needsOf(leftOut)) }),
    unmatched: { targets: unmatched(targets), excluded: unmatched(excluded) },
  };
}

const maxNamed = 10;

/** Notes that the plan is partial and which further objects it includes. `changed` are the addresses that it changes. */
export function partialNote(scope: TargetScope, changed: Iterable<Address>, isDriftAlone: boolean): PlanProblem {
  if (scope.isRepair === true) return { code: 'plan.repair' };
  const { flags } = scope;
  if (isDriftAlone) return { code: 'plan.partial', of: 'drift', flags };
  const needed: Address[] = [];
  let count = 0;
  for (const address of changed) {
    if (!scope.pulledIn.has(address)) continue;
    count += 1;
    if (count <= maxNamed) needed.push(address);
  }
  return { code: 'plan.partial', of: 'plan', flags, needed, count };
}

/** Returns the note on the change of an object that --target did not name. */
export function pulledInNote(scope: TargetScope, address: Address): ChangeNote[] {
  const by = scope.pulledIn.get(address);
  return by === undefined ? [] : [{ code: 'needed_by', address: by }];
}
