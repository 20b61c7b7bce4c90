// Keeps the new facts of a refresh. Only their positions are in memory; the rest may be on disk.

import type { Collector, Series } from '../../../lib/series.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import type { Address } from '../../model/address.ts';
import type { LiveObject, Observation, Observations } from '../../model/live.ts';
import type { Refreshed } from '../../model/plan.ts';
import type { PlanProblem } from '../../model/statements/problems.ts';
import { ComparisonTally, type ReadPair } from '../../planner/live/comparison-tally.ts';
import { keepOf, storedOtherwise } from '../../planner/live/observation.ts';
import { UndeclaredTally } from '../../planner/live/undeclared-values.ts';
import { isShown } from '../../planner/live/unknown-values.ts';
import { temporarySpool } from '../context/this-process.ts';

export class StoredObservations implements Observations {
  readonly #places = new Map<Address, number>();
  readonly #collected: Collector<Observation> = temporarySpool().collect();
  #observations: Series<Observation> | undefined;
  /** The last observation, which is often requested again. */
  #last: { readonly address: Address; readonly observation: Observation | undefined } | undefined;

  #objects = 0;
  #storedOtherwise = 0;
  #unknown = 0;
  readonly #comparison = new ComparisonTally();
  readonly #undeclared = new UndeclaredTally();

  take(kind: KindDefinition, pair: ReadPair, live: LiveObject): void {
    const { record, resource } = pair;
    this.#objects += 1;
    this.#comparison.add(kind, pair, live);
    this.#undeclared.add(kind, pair, live);
    this.#storedOtherwise += storedOtherwise(kind, record, resource, live);
    this.#unknown += (record?.unknown ?? []).filter((path) => !isShown(kind, path, live.attributes)).length;
    const observation = keepOf(kind, record, resource, live);
    if (observation === undefined) return;
    this.#places.set(live.address, this.#places.size);
    this.#collected.push(observation);
  }

  /** Counts the values of an object that no refresh reads. */
  skip(kind: KindDefinition, pair: ReadPair): void {
    this.#comparison.add(kind, pair, undefined);
  }

  undeclared(): PlanProblem[] {
    return this.#undeclared.notes();
  }

  /** What was taken, with so many requests, and with so many hidden statuses of members that were read. */
  refreshed(requests: number, statuses = 0, proven: Parameters<ComparisonTally['end']>[1] = {}): Refreshed {
    const stored_otherwise = this.#storedOtherwise;
    const unknown = this.#unknown;
    return {
      objects: this.#objects,
      requests,
      ...(stored_otherwise === 0 ? {} : { stored_otherwise }),
      ...(unknown === 0 ? {} : { unknown }),
      ...this.#comparison.end(statuses, proven),
    };
  }

  /** After the first call, no observation can be added. */
  get(address: Address): Observation | undefined {
    const place = this.#places.get(address);
    if (place === undefined) return undefined;
    if (this.#last?.address !== address) {
      this.#observations ??= this.#collected.end();
      this.#last = { address, observation: this.#observations.at(place) };
    }
    return this.#last.observation;
  }
}
