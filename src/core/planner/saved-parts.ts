// The parts of a saved plan that an apply compares: digests of records, objects that others need, and live conditions.

import type { Collect } from '../../lib/series.ts';
import { NameTable } from '../../lib/typed-arrays.ts';
import type { Address } from '../model/address.ts';
import { KindGroups } from '../model/addressed-series.ts';
import type { DraftOrigin, LiveCondition } from '../model/plan.ts';
import { applyEntry, digestOfRecord } from '../model/record.ts';
import type { ObjectDraft } from './draft/draft.ts';
import { conditionsOf } from './live/conditions.ts';
import type { OrderedDraft } from './order/steps.ts';

export class SavedParts {
  readonly needed = new NeededObjects();
  readonly preconditions: KindGroups<readonly [Address, readonly string[]]>;
  readonly neededBy: KindGroups<readonly [Address, readonly Address[]]>;
  readonly origins: KindGroups<DraftOrigin> | undefined;
  readonly live: KindGroups<readonly [Address, readonly LiveCondition[]]>;

  /** The proof of a plan has its origins already. */
  constructor(collect: Collect, isProof = false) {
    this.preconditions = new KindGroups(collect);
    this.neededBy = new KindGroups(collect);
    this.origins = isProof ? undefined : new KindGroups(collect);
    this.live = new KindGroups(collect);
  }

  add(ordered: OrderedDraft, origin: DraftOrigin): void {
    const { address, kind } = ordered.draft;
    this.preconditions.push(kind.name, [address, recordDigests(ordered)]);
    const needed = origin.needed ?? this.needed.of(ordered.draft);
    if (needed.length > 0) this.neededBy.push(kind.name, [address, needed]);
    this.origins?.push(kind.name, needed.length > 0 ? { ...origin, needed } : origin);
    const conditions = conditionsOf(ordered);
    if (conditions !== undefined) this.live.push(kind.name, [address, conditions]);
  }
}

function recordDigests({ draft, steps }: OrderedDraft): string[] {
  let record = draft.record;
  const digests = [digestOfRecord(record)];
  for (const step of steps) {
    record = applyEntry(record, step.entry);
    digests.push(digestOfRecord(record));
  }
  return digests;
}

/**
 * The objects in state that the calls of a plan need, so that an apply can tell whether one of them was deleted since (semantics §6.2).
 * Objects that the plan creates or that others manage are not in state.
 */
class NeededObjects {
  readonly #addressesInState = new NameTable();

  /** Must be called once for each object of state before `of`. */
  addKnown(address: Address): void {
    this.#addressesInState.add(address);
  }

  /** Returns the needed objects in the order of their first mention, without members who leave. */
  of({ address, steps }: ObjectDraft): Address[] {
    if (this.#addressesInState.size === 0) return [];
    const needed = new Set<Address>();
    for (const { exists = [], active = [], phase } of steps) {
      for (const address of exists) needed.add(address);
      if (phase !== 'leave') for (const address of active) needed.add(address);
    }
    needed.delete(address);
    return [...needed].filter((address) => this.#addressesInState.find(address) !== undefined);
  }
}
