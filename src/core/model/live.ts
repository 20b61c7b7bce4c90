// Live objects, as the platform shows them, the part that a plan keeps, and counts of those that nobody declares.

import type { Count, JsonObject, PositiveCount } from '../../lib/json.ts';
import type { Address } from './address.ts';
import type { LiveFacts } from './change.ts';

/** Facts about an object as read. */
export interface ObservedFacts extends LiveFacts {
  /** The platform shows that the user has no access token. */
  readonly access_token?: 'none';
  /** When the object was created, in ISO 8601. */
  readonly created_at?: string;
  /** The ids of members who are only invited, sorted. */
  readonly invited?: readonly string[];
  /** Null: the channel has no message. Absent: the answer does not say. */
  readonly last_message?: LastMessage | null;
  /** By member, when they last read the channel, in Unix milliseconds. */
  readonly receipts?: ReadonlyMap<string, number>;
}

/** The last message of a channel, as fingerprints. */
export interface LastMessage {
  /** Unix milliseconds. */
  readonly at: number;
  /** The fingerprint of the fields that an edit keeps. */
  readonly identity: string;
  /** The fingerprint of what people see of it. */
  readonly mark: string;
  /** Absent: the answer does not say. */
  readonly is_edited?: boolean;
}

/** One object as read. Attributes that the answer did not show are absent. */
export interface LiveObject {
  readonly address: Address;
  /** False if the object does not exist; then `attributes` is empty. */
  readonly exists: boolean;
  readonly attributes: JsonObject;
  readonly facts: ObservedFacts;
  /** The platform refuses to show the object because it is disabled, so `attributes` has nothing else. */
  readonly isHidden?: true;
  /** Attributes whose own read the platform does not offer. */
  readonly refused?: readonly string[];
  /** The platform does not offer the read, so whether the object exists is as unknown as its attributes. */
  readonly isUnread?: true;
}

/** The part of a live object that a plan needs. */
export interface Observation {
  readonly exists: boolean;
  /** Only managed or declared attributes, and only the managed or declared entries of maps and sets. */
  readonly attributes: JsonObject;
  /** The number of other entries, by attribute. */
  readonly unmanaged: Readonly<Record<string, number>>;
  readonly facts: ObservedFacts;
  /** `seen` of the record, for an object that is not in state. Absent: nothing. */
  readonly seen?: JsonObject;
}

/**
 * The live objects of a refresh. `get` returns undefined for objects that match state, and for objects that are neither
 * in state nor on the platform.
 */
export interface Observations {
  get(address: Address): Observation | undefined;
}

/** What the application has and nobody declares. Names are those of the JSON document. */
export interface Unmanaged {
  /** Objects that are neither declared, nor in state, nor matched by policy.external. */
  readonly objects: Count;
  /** The requests that the lists cost. */
  readonly requests: Count;
  /** Every kind that was listed. */
  readonly kinds: readonly UnmanagedKind[];
  /**
   * Sections that were not listed, because the application's plan does not include them.
   * @minItems 1
   */
  readonly not_listed?: readonly string[];
}

export interface UnmanagedKind {
  /** The kind, as in an address. */
  readonly kind: string;
  /** The kind's name in messages. */
  readonly title: string;
  /** Objects on the platform: the sum of managed, external and unmanaged. */
  readonly listed: Count;
  /** Objects that are declared or in state. */
  readonly managed: Count;
  /** Other objects whose keys match policy.external. */
  readonly external: Count;
  /** All other objects. */
  readonly unmanaged: Count;
  /**
   * The last activity of the unmanaged objects, in ISO 8601: when a user was last seen, or the last message in a group channel. Absent if
   * the list shows none.
   */
  readonly last_activity?: string;
  /**
   * The custom types with the most unmanaged objects. Absent if the kind has no custom types, or no unmanaged objects.
   * @maxItems 10
   */
  readonly custom_types?: readonly UnmanagedType[];
  /** The custom types that are not listed. Absent if there are none. */
  readonly other_custom_types?: { readonly custom_types: PositiveCount; readonly objects: PositiveCount };
}

export interface UnmanagedType {
  /** Empty for objects without a custom type. */
  readonly custom_type: string;
  readonly objects: PositiveCount;
  /** As for the kind. */
  readonly last_activity?: string;
}
