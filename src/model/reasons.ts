// The reasons of changes, and the notes on changes and drift: codes with their data. Programs test the code, `view` words it
// (view/text/words.ts, view/text/notes.ts), and schema/plan.schema.json describes each.

import type { Address } from './address.ts';
import type { Policy } from './policy.ts';

/** The types of data that a reason has. `attributes` are the top-level names of attributes. */
interface ReasonData {
  readonly addresses: readonly Address[];
  readonly attribute: string;
  readonly attributes: readonly string[];
  readonly existing: Exclude<Policy['existing'], 'refuse'>;
  readonly run: number;
}

/** The fields of each reason, with the type of their data. */
export const reasonFields = {
  not_in_state: {},
  exists: { existing: 'existing' },
  exists_and_matches_adopt: {},
  gone: {},
  gone_and_undeclared: {},
  gone_with_parents: { parents: 'addresses' },
  undeclared: {},
  listed_under_removed: {},
  users_deleted: {},
  declared_again: {},
  creation_interrupted: {},
  left_open: {},
  disabled_state_edited: { attribute: 'attribute' },
  attributes_differ: { edited: 'attributes', changed_on_platform: 'attributes' },
  values_unknown: { attributes: 'attributes' },
  lifecycle_edited: {},
  live_values_taken: {},
  needed_enabled: {},
  needed_reopened: {},
  undone: { run: 'run' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, keyof ReasonData>>>>;

type Fields = typeof reasonFields;

export type ChangeReasonCode = keyof Fields;

/** Every reason, discriminated by its code. */
export type ChangeReason = {
  readonly [Code in ChangeReasonCode]: { readonly code: Code } & {
    readonly [Field in keyof Fields[Code]]: ReasonData[Fields[Code][Field] & keyof ReasonData];
  };
}[ChangeReasonCode];

/** The first ten of a list, and the number of the others. */
export interface FirstIds {
  readonly ids: readonly string[];
  readonly more: number;
}

/** Facts about a change besides its attributes. Attributes are paths as `printPath` writes them. */
export type ChangeNote =
  | { readonly code: 'attribute_released'; readonly attribute: string }
  | { readonly code: 'attribute_left_out'; readonly attribute: string }
  | { readonly code: 'already_disabled'; readonly attribute: string }
  | { readonly code: 'reopened'; readonly attribute: string }
  | { readonly code: 'users_deleted'; readonly users: readonly Address[] }
  | { readonly code: 'archive_returns' }
  | { readonly code: 'members_return' }
  | { readonly code: 'memberships_unknown' }
  | { readonly code: 'value_unknown'; readonly attribute: string }
  | ({ readonly code: 'entries_taken_over'; readonly attribute: string } & FirstIds)
  | { readonly code: 'entry_ended'; readonly attribute: string; readonly key: string; readonly until: string }
  | { readonly code: 'taken_into_state' }
  /** A token that the user may have stops working. */
  | { readonly code: 'token_ends' }
  /** `effect` is the kind's text about what stays with the old object. */
  | { readonly code: 'renamed_to' | 'renamed_from'; readonly address: Address; readonly effect?: string }
  | { readonly code: 'partly_pending'; readonly attributes: readonly string[]; readonly more: number }
  | { readonly code: 'needed_by'; readonly address: Address }
  /** A note that the object's kind words itself. */
  | { readonly code: 'of_kind'; readonly text: string };

/** What an apply does about attributes that others changed. */
export type ChangedOutcome = 'set_back' | 'declared_alike' | 'released' | 'left_to_platform' | 'not_changeable';
/** What an apply does about members who left. */
export type DepartedOutcome = 'left_alone' | 'invited_again' | 'left_undeclared';
/** Why a repair leaves the drift of an object as it is. */
export type NotRepaired =
  | 'not_set_back'
  | 'deleted'
  | 'made_anew'
  | 'members_left'
  | 'access'
  | 'lossy'
  | 'other_changes';

/** What an apply does about drift. `parents` are the missing objects that a missing child belonged to. */
export type DriftNote =
  | { readonly code: 'gone_forgotten'; readonly parents?: readonly Address[] }
  | { readonly code: 'gone_created_again' }
  /** `at` is when it was created, in ISO 8601. */
  | { readonly code: 'made_anew'; readonly at: string }
  | { readonly code: 'gone_sent_again'; readonly parents: readonly Address[] }
  | { readonly code: 'retired_disabled_again' }
  | { readonly code: 'undeclared' }
  | { readonly code: ChangedOutcome; readonly attributes: readonly string[] }
  /** `ignorable` are all attributes of the kind that members change. */
  | { readonly code: 'expected'; readonly attributes: readonly string[]; readonly ignorable: readonly string[] }
  | ({ readonly code: DepartedOutcome } & FirstIds)
  /** An apply neither invites them again nor accepts for them. */
  | ({ readonly code: 'only_invited' } & FirstIds)
  | { readonly code: 'not_repaired'; readonly why: NotRepaired };
