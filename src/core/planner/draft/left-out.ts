// Finds the objects that a plan with --exclude leaves out because they need an excluded object (semantics §12.14).

import { NameTable } from '../../../lib/typed-arrays.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { type Address, kindOf } from '../../model/address.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import type { DraftedStep, ObjectDraft } from './draft.ts';
import type { Finding } from './finding.ts';

/** What an object lacks for its steps. `why` is `absent`, `left_out`, or the attribute by which the needed object is disabled. */
interface UnmetNeed {
  readonly needs: Address;
  readonly why: string;
}

/** The part of a scope that matters here. */
interface ExclusionScope {
  /** Absent: --exclude names nothing. */
  isExcluded?(address: Address): boolean;
}

interface NeededSides {
  readonly resource: Resource | undefined;
  readonly record: StateRecord | undefined;
}

/**
 * The objects whose steps need an excluded object that does not exist yet or is disabled, or an object that is left out for this
 * reason. Objects must come after those that they need.
 */
export class LeftOutObjects {
  readonly #scope: ExclusionScope | undefined;
  readonly #kinds: ReadonlyMap<string, KindDefinition>;
  readonly #sidesOf: (address: Address) => NeededSides;
  readonly #addresses = new NameTable();

  constructor(
    scope: ExclusionScope | undefined,
    kinds: readonly KindDefinition[],
    sidesOf: (address: Address) => NeededSides,
  ) {
    this.#scope = scope;
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.#sidesOf = sidesOf;
  }

  get size(): number {
    return this.#addresses.size;
  }

  has(address: Address): boolean {
    return this.#addresses.size > 0 && this.#addresses.find(address) !== undefined;
  }

  /** Undefined if the object is planned. Otherwise it is left out from now on, and the finding says why. */
  findingOn({ address, steps, resource }: ObjectDraft): Finding | undefined {
    const lack = this.lackOf(steps);
    if (lack === undefined) return undefined;
    this.#addresses.add(address);
    const problem = { code: 'plan.left-out', of: 'object', address, ...lack } as const;
    return { severity: 'warning', problem, address, ...(resource === undefined ? {} : { source: resource.source }) };
  }

  lackOf(steps: readonly DraftedStep[]): UnmetNeed | undefined {
    if (this.#scope?.isExcluded === undefined) return undefined;
    for (const { exists = [], active = [] } of steps) {
      for (const needs of [...exists, ...active]) {
        const why = this.#lackAt(needs, active.includes(needs));
        if (why !== undefined) return { needs, why };
      }
    }
    return undefined;
  }

  /** An object that is neither declared nor in state is managed elsewhere, and no plan would create it. */
  #lackAt(address: Address, isNeededEnabled: boolean): string | undefined {
    const isLeftOut = this.has(address);
    if (!isLeftOut && this.#scope?.isExcluded?.(address) !== true) return undefined;
    const { resource, record } = this.#sidesOf(address);
    if (record === undefined) return resource === undefined ? undefined : isLeftOut ? 'left_out' : 'absent';
    const attribute = this.#kinds.get(kindOf(address))?.disabledState.attribute ?? '';
    const isDisabled = record.attributes[attribute] === true || record.bracket === true;
    return isNeededEnabled && isDisabled ? attribute : undefined;
  }
}

const maxLeftOut = 10;

/** The findings on the first objects that were left out, and one on the number of the others. */
export function firstLeftOut(findings: readonly Finding[]): Finding[] {
  const more = findings.length - maxLeftOut;
  if (more <= 0) return [...findings];
  const others: Finding = { severity: 'warning', problem: { code: 'plan.left-out', of: 'more', count: more } };
  return [...findings.slice(0, maxLeftOut), others];
}
