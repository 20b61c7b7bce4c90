// Where is kept what a refresh has found? What says something new, however much that is: where it lies in memory alone.
import type { Address } from '../model/address.ts';
import type { LiveObject, Sighting, Sightings } from '../model/live.ts';
import type { Collector, Series } from '../model/series.ts';
import { keepOf } from '../planner/live.ts';
import type { Pair } from '../refresh/subjects.ts';
import type { KindDefinition } from '../resources/define.ts';
import { planSpool } from './plan-spool.ts';

export class KeptSightings implements Sightings {
  readonly #places = new Map<Address, number>();
  readonly #collected: Collector<Sighting> = planSpool().collect();
  #kept: Series<Sighting> | undefined;
  /** Who asks for one often asks for it again. */
  #last: { readonly address: Address; readonly sighting: Sighting | undefined } | undefined;

  take(kind: KindDefinition, { record, resource }: Pick<Pair, 'record' | 'resource'>, live: LiveObject): void {
    const sighting = keepOf(kind, record, resource, live);
    if (sighting === undefined) return;
    this.#places.set(live.address, this.#places.size);
    this.#collected.push(sighting);
  }

  /** Nothing may be taken any more once something was asked for. */
  get(address: Address): Sighting | undefined {
    const place = this.#places.get(address);
    if (place === undefined) return undefined;
    if (this.#last?.address !== address) {
      this.#kept ??= this.#collected.end();
      this.#last = { address, sighting: this.#kept.at(place) };
    }
    return this.#last.sighting;
  }
}
