// The channels and people that a state contains, and who can do what where.
import { type Address, keyOf, kindOf } from '../../model/address.ts';

/** What a reader should know of an object: it is frozen, deactivated, no longer declared, or not as it was sent. */
export type MapMark = 'frozen' | 'deactivated' | 'removed' | 'incomplete' | 'reopened' | 'differs' | 'unmanaged';

/** `o` operator, `h` hid the channel, `i` has to accept an invitation, `m` muted, `b` banned, `t` one of these by the custom type. Empty: a member. */
type MapRights = string;

export interface MappedPerson {
  readonly id: string;
  readonly name: string;
  /** `unmanaged`: named by a channel, but not in state. */
  readonly kind: 'user' | 'bot' | 'unmanaged';
  readonly marks: readonly MapMark[];
}

export interface MappedChannel {
  readonly address: Address;
  readonly name: string;
  readonly customType: string;
  /** Whether people may join by themselves. */
  readonly isPublic: boolean;
  readonly marks: readonly MapMark[];
  /** By the position of the person. Operators and banned people need not be members. */
  readonly people: readonly (readonly [person: number, isMember: boolean, rights: MapRights])[];
}

/** The fragment of the page's address that finds an object. Undefined for a kind that the page does not show. */
export function fragmentOf(address: Address): string | undefined {
  const kind = kindOf(address);
  if (kind === 'user' || kind === 'bot') return `view=people&find=${encodeURIComponent(keyOf(address))}`;
  return kind.endsWith('_channel') ? `view=channels&find=${encodeURIComponent(address)}` : undefined;
}

export interface ApplicationMap {
  readonly application: string;
  readonly state: string;
  /** ISO 8601: when the last run began. Absent if none is in the trail. */
  readonly changedAt?: string;
  /** The requests of an interrupted or a current run whose outcome is unknown. */
  readonly inDoubt: number;
  readonly people: readonly MappedPerson[];
  readonly channels: readonly MappedChannel[];
}
