// Live objects: what the platform shows of them, and what a plan keeps of that.

import type { JsonObject } from '../lib/json.ts';
import type { Address } from './address.ts';
import type { LiveFacts } from './change.ts';

/** One object as it was read, in the attributes of its kind; values that the answer did not show are absent. */
export interface LiveObject {
  readonly address: Address;
  /** False: the object surely does not exist, and `attributes` are empty. */
  readonly exists: boolean;
  readonly attributes: JsonObject;
  readonly facts: LiveFacts;
}

/** The part of a live object that a plan needs: see `keepOf` in the planner. */
export interface Observation {
  readonly exists: boolean;
  /** Those that are managed or declared; of maps and sets the entries that are managed or declared. */
  readonly attributes: JsonObject;
  /** By attribute, how many other entries there are. */
  readonly unmanaged: Readonly<Record<string, number>>;
  readonly facts: LiveFacts;
}

/**
 * The live objects of a refresh. `get` gives undefined for objects that are as state remembers them, and for those that
 * are neither in state nor on the platform.
 */
export interface Observations {
  get(address: Address): Observation | undefined;
}
