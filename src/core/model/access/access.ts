// What people can do in channels, and why (semantics §15). The output of `chatform explain --access`.

import type { FormatVersion } from '../../../lib/json.ts';
import type { Address } from '../address.ts';
import type { SourcePosition } from '../source.ts';

export const rights = ['read', 'write', 'moderate'] as const;
type Right = (typeof rights)[number];

/** `by_entering`: after a step that needs nobody else, joining a public channel or entering an open one. */
export type AccessVerdict = 'yes' | 'by_entering' | 'no' | 'not_known';

/** Why a right is granted, withheld or not known. semantics §15 has the source of each. */
export const groundCodes = [
  'member',
  'invited',
  'waits_for_acceptance',
  'not_member',
  'operator',
  'type_operator',
  'not_operator',
  'operator_outside',
  'public',
  'access_code',
  'joins_by_api_only',
  'open_channel',
  'banned',
  'type_banned',
  'muted',
  'type_muted',
  'frozen',
  'type_operator_in_frozen',
  'deactivated',
  'user_not_managed',
  'no_user',
  'no_channel',
  'hidden',
] as const;
export type GroundCode = (typeof groundCodes)[number];

/** The object and the part of it that decides. */
interface GroundPlace {
  readonly address: Address;
  /** The part of the object that decides: members, alice. Empty: the object as a whole. */
  readonly path: readonly string[];
}

export interface Ground extends GroundPlace {
  readonly code: GroundCode;
  /** Where it is declared. Absent: only state has it, or nothing declares it. */
  readonly source?: SourcePosition;
}

/** Whether the person has the right, and why: what decides comes first. semantics §15 defines each verdict and ground. */
export interface Ruling {
  readonly verdict: AccessVerdict;
  /** @minItems 1 */
  readonly because: readonly Ground[];
}

export type Rulings = Readonly<Record<Right, Ruling>>;

/** The rights of one person in one channel. */
export interface AccessEntry {
  readonly user_id: string;
  readonly channel: Address;
  /** As state records it. */
  readonly now: Rulings;
  /** After an apply of the plan. */
  readonly planned: Rulings;
}

/** The rights of one person in all channels, or of everybody in one channel. Bots are not people. */
export interface AccessExplanation {
  readonly format_version: FormatVersion;
  readonly address: Address;
  /** `user`, `group channel`, `open channel`. */
  readonly kind: string;
  /** Sorted by channel, then by user. Channels and people without a right now and after an apply are left out. */
  readonly entries: readonly AccessEntry[];
  /** The rights of a person whom the channel does not name. Absent: none, or the rights are those of a user. */
  readonly everybody?: Pick<AccessEntry, 'now' | 'planned'>;
  /** One sentence for each thing that was not read and may give or take rights. */
  readonly not_known: readonly string[];
}

export function hasNoRight(rulings: Rulings): boolean {
  return rights.every((name) => rulings[name].verdict === 'no');
}
