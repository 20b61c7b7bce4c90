// What does the author want of one object?

import type { JsonObject } from '../lib/json.ts';
import type { Address } from './address.ts';
import type { SourcePosition } from './source.ts';

export type Removal = 'deactivate' | 'freeze' | 'delete' | 'forget';

/** How chatform treats the object; kept in state as last applied, so it survives the deletion of its block. */
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
  /** Where many others differ from it in their keys and some texts alone. */
  readonly alike?: AlikeResource;
}

/** What one of many resources that are alike says otherwise than they. */
export interface AlikeResource {
  readonly shape: ResourceShape;
  /** Each is spelled in JSON as it is. */
  readonly texts: readonly string[];
  readonly areAscii: boolean;
}

/** What they have in common; one object for all of them. */
export interface ResourceShape {
  /** What one of them says that has this key and these texts. */
  filled(key: string, texts: readonly string[]): Pick<Resource, 'attributes' | 'lifecycle'>;
}

/** An entry of `removed:`, which says what becomes of an object that is declared no more. */
export interface RemovedEntry {
  readonly address: Address;
  readonly on_remove?: Removal;
  readonly source: SourcePosition;
}
