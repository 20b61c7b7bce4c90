// Finds the objects that a plan with --exclude leaves out because they need an excluded object (semantics §12.14).

import { IntColumn, NameTable } from '../../../lib/typed-arrays.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { type Address, keyOf, kindOf } from '../../model/address.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import type { SourcePosition } from '../../model/source.ts';
import type { DraftedStep, ObjectDraft } from './draft.ts';
import type { Finding } from './finding.ts';

/** What an object lacks for its steps. `why` is `absent`, or the attribute by which the needed object is disabled. */
interface UnmetNeed {
  readonly needs: Address;
  readonly why: string;
}

/** The part of a scope that matters here. */
interface ExclusionScope {
  /** Absent: --exclude names nothing. */
  isExcluded?(address: Address): boolean;
}

interface Estate {
  sidesOf(address: Address): { readonly resource: Resource | undefined; readonly record: StateRecord | undefined };
  /** The objects of which a child may be a part. */
  parentsOf(child: KindDefinition, key: string): readonly Address[];
}

/** The objects that are left out because of one need. */
interface LeftOutGroup extends UnmetNeed {
  /** The first of them. */
  readonly addresses: Address[];
  count: number;
  readonly source: SourcePosition | undefined;
}

const maxNamed = 10;

/**
 * The objects whose steps need an excluded object that does not exist yet or is disabled, or an object that is left out for this
 * reason, and their children. Objects must come after those that they need.
 */
export class LeftOutObjects {
  readonly #scope: ExclusionScope | undefined;
  readonly #kinds: ReadonlyMap<string, KindDefinition>;
  readonly #estate: () => Estate;
  readonly #addresses = new NameTable();
  /** By the number of an address, the place of its group. */
  readonly #groupOf = new IntColumn();
  readonly #groups: LeftOutGroup[] = [];
  /** By need and reason, the place of the group. */
  readonly #places = new Map<string, number>();

  constructor(scope: ExclusionScope | undefined, kinds: readonly KindDefinition[], estate: () => Estate) {
    this.#scope = scope;
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.#estate = estate;
  }

  get size(): number {
    return this.#addresses.size;
  }

  has(address: Address): boolean {
    return this.#addresses.size > 0 && this.#addresses.find(address) !== undefined;
  }

  /** Whether the object is left out. If so, it is from now on. */
  take({ kind, address, steps, resource }: ObjectDraft): boolean {
    const lack = this.lackOf(steps) ?? this.#lackOfParent(kind, address);
    if (lack === undefined) return false;
    const text = `${lack.needs} ${lack.why}`;
    const place = this.#places.get(text) ?? this.#groups.length;
    this.#places.set(text, place);
    this.#groups[place] ??= { ...lack, addresses: [], count: 0, source: resource?.source };
    const group = this.#groups[place];
    group.count += 1;
    if (group.addresses.length < maxNamed) group.addresses.push(address);
    this.#addresses.add(address);
    this.#groupOf.push(place);
    return true;
  }

  lackOf(steps: readonly DraftedStep[]): UnmetNeed | undefined {
    if (this.#scope?.isExcluded === undefined) return undefined;
    for (const { exists = [], active = [] } of steps) {
      for (const needs of [...exists, ...active]) {
        const lack = this.#lackAt(needs, active.includes(needs));
        if (lack !== undefined) return lack;
      }
    }
    return undefined;
  }

  /** One finding for each of the first needed objects, and one on the number of the others. */
  findings(): Finding[] {
    const findings = this.#groups.slice(0, maxNamed).map(({ needs, why, addresses, count, source }): Finding => {
      const problem = { code: 'plan.left-out', of: 'need', needs, why, addresses, count } as const;
      return { severity: 'warning', problem, address: needs, ...(source === undefined ? {} : { source }) };
    });
    const others = this.#groups.slice(maxNamed);
    const count = others.reduce((sum, group) => sum + group.count, 0);
    if (count > 0) findings.push({ severity: 'warning', problem: { code: 'plan.left-out', of: 'more', count } });
    return findings;
  }

  /** What was sent of a child cannot be taken back, so it waits for all changes of its object. */
  #lackOfParent(kind: KindDefinition, address: Address): UnmetNeed | undefined {
    if (kind.isChild !== true || this.#scope?.isExcluded === undefined) return undefined;
    for (const parent of this.#estate().parentsOf(kind, keyOf(address))) {
      const lack = this.#groupWith(parent) ?? this.#lackAt(parent, false);
      if (lack !== undefined) return lack;
    }
    return undefined;
  }

  #groupWith(address: Address): UnmetNeed | undefined {
    const number = this.#addresses.size === 0 ? undefined : this.#addresses.find(address);
    const group = number === undefined ? undefined : this.#groups[this.#groupOf.at(number) ?? -1];
    return group === undefined ? undefined : { needs: group.needs, why: group.why };
  }

  /** An object that is neither declared nor in state is managed elsewhere, and no plan would create it. */
  #lackAt(address: Address, isNeededEnabled: boolean): UnmetNeed | undefined {
    const group = this.#groupWith(address);
    if (group === undefined && this.#scope?.isExcluded?.(address) !== true) return undefined;
    const { resource, record } = this.#estate().sidesOf(address);
    if (record === undefined) return resource === undefined ? undefined : (group ?? { needs: address, why: 'absent' });
    const attribute = this.#kinds.get(kindOf(address))?.disabledState.attribute ?? '';
    const isDisabled = record.attributes[attribute] === true || record.bracket === true;
    return isNeededEnabled && isDisabled ? (group ?? { needs: address, why: attribute }) : undefined;
  }
}
