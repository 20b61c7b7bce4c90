// What does the platform show of one object now?

import type { JsonObject } from '../lib/json.ts';
import type { Address } from './address.ts';
import type { LiveFacts } from './change.ts';

/** One object as it was read, in the attributes of its kind; what the answer did not show is absent. */
export interface LiveObject {
  readonly address: Address;
  /** False: it is surely not there. `attributes` are empty then. */
  readonly exists: boolean;
  readonly attributes: JsonObject;
  readonly facts: LiveFacts;
}

/** What a plan needs of a live object, and no more: see `keepOf` in the planner. */
export interface Observation {
  readonly exists: boolean;
  /** Of what is managed or declared; of maps and sets the entries that are managed or declared. */
  readonly attributes: JsonObject;
  /** By attribute, how many entries are there besides. */
  readonly unmanaged: Readonly<Record<string, number>>;
  readonly facts: LiveFacts;
}

/**
 * The live objects of a refresh. Nothing is kept of those that are as state remembers them, or that are neither in state
 * nor there: for these `get` gives undefined.
 */
export interface Observations {
  get(address: Address): Observation | undefined;
}
