// Resources: what the author declares of one object.

import type { JsonObject } from '../lib/json.ts';
import type { Address } from './address.ts';
import type { SourcePosition } from './source.ts';

export type Removal = 'deactivate' | 'freeze' | 'retire' | 'delete' | 'forget';

/** How chatform treats the object. State keeps it as last applied, so it survives the deletion of the block. */
export interface Lifecycle {
  readonly protect?: boolean;
  /** Names of attributes that are set at creation and then left alone. */
  readonly ignore_changes?: readonly string[];
  readonly on_remove?: Removal;
}

/**
 * One declared object in its kind's normal form: aliases resolved, sets sorted, defaults of the same file merged in.
 * Only what was declared is present: an absent attribute is unmanaged.
 */
export interface Resource {
  readonly address: Address;
  readonly attributes: JsonObject;
  readonly lifecycle: Lifecycle;
  readonly source: SourcePosition;
  /** Where single attributes stand, by top-level name, when the loader knows it. */
  readonly attributeSources?: Readonly<Record<string, SourcePosition>>;
}

/** An entry of `removed:`, which says what becomes of an object that was removed from the manifest. */
export interface RemovedEntry {
  readonly address: Address;
  readonly on_remove?: Removal;
  readonly source: SourcePosition;
}
