// Live objects, as the platform shows them, and the part that a plan keeps.

import type { JsonObject } from '../lib/json.ts';
import type { Address } from './address.ts';
import type { LiveFacts } from './change.ts';

/** One object as read. Attributes that the answer did not show are absent. */
export interface LiveObject {
  readonly address: Address;
  /** False if the object does not exist; then `attributes` is empty. */
  readonly exists: boolean;
  readonly attributes: JsonObject;
  readonly facts: LiveFacts;
  /** The platform refuses to show the object because it is disabled, so `attributes` has nothing else. */
  readonly isHidden?: true;
}

/** The part of a live object that a plan needs. */
export interface Observation {
  readonly exists: boolean;
  /** Only managed or declared attributes, and only the managed or declared entries of maps and sets. */
  readonly attributes: JsonObject;
  /** The number of other entries, by attribute. */
  readonly unmanaged: Readonly<Record<string, number>>;
  readonly facts: LiveFacts;
}

/**
 * The live objects of a refresh. `get` returns undefined for objects that match state, and for objects that are neither
 * in state nor on the platform.
 */
export interface Observations {
  get(address: Address): Observation | undefined;
}
