// Resources are declared objects.

import type { JsonObject } from '../../lib/json.ts';
import type { Address } from './address.ts';
import type { SourcePosition } from './source.ts';

export type Removal = 'deactivate' | 'freeze' | 'retire' | 'delete' | 'erase' | 'forget';

/** Whether the object no longer exists afterwards. */
export function endsObject(removal: string | undefined): boolean {
  return removal === 'delete' || removal === 'erase';
}

/** How chatform treats the object. State keeps the value last applied, so it survives the deletion of the block. */
export interface Lifecycle {
  readonly protect?: boolean;
  /** Attributes that are set at creation and then left alone. */
  readonly ignore_changes?: readonly string[];
  readonly on_remove?: Removal;
}

/**
 * One declared object in its kind's normal form: one spelling of each attribute, sets sorted, defaults of the same file merged in.
 * Contains only what was declared. An absent attribute is unmanaged.
 */
export interface Resource {
  readonly address: Address;
  readonly attributes: JsonObject;
  readonly lifecycle: Lifecycle;
  readonly source: SourcePosition;
  /** Positions of attributes by top-level name, if the loader knows them. */
  readonly attributeSources?: Readonly<Record<string, SourcePosition>>;
}

/** An entry of `removed:`, which says how to remove an object. */
export interface RemovedEntry {
  readonly address: Address;
  readonly on_remove?: Removal;
  readonly source: SourcePosition;
}
