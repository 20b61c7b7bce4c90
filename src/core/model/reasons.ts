// The reasons of changes, and the notes on changes and drift: codes with their data. Programs test the code, `view` words it
// (core/view/text/change-words.ts, core/view/text/notes.ts), and their comments here describe them in schema/plan.schema.json.

import type { Count, PositiveCount, UtcTime } from '../../lib/json.ts';
import type { Address } from './address.ts';
import type { Policy } from './policy.ts';

/** Why an object changes, discriminated by its code. */
export type ChangeReason =
  /** The object is declared but not in state. */
  | { readonly code: 'not_in_state' }
  /** The object is declared and exists on the platform but is not in state, so it is taken into state. */
  | {
      readonly code: 'exists';
      /** The policy that takes it into state. */
      readonly existing: Exclude<Policy['existing'], 'refuse'>;
    }
  /** The object is declared and exists on the platform as declared, but is not in state. It matches policy.adopt, so it is taken into state. */
  | { readonly code: 'exists_and_matches_adopt' }
  /** The object is gone from the platform. */
  | { readonly code: 'gone' }
  /** The object is gone from the platform and no longer declared. */
  | { readonly code: 'gone_and_undeclared' }
  /** The object is gone from the platform together with the objects that it belongs to. */
  | {
      readonly code: 'gone_with_parents';
      /** The addresses of those objects. */
      readonly parents: readonly Address[];
    }
  /** The object is no longer declared. */
  | { readonly code: 'undeclared' }
  /** The object is listed under removed. */
  | { readonly code: 'listed_under_removed' }
  /** The object was retired, and the plan deletes users in it. */
  | { readonly code: 'users_deleted' }
  /** The object was retired and is declared again. */
  | { readonly code: 'declared_again' }
  /** The creation of the object was interrupted. */
  | { readonly code: 'creation_interrupted' }
  /** An earlier run reopened the object and did not disable it again. */
  | { readonly code: 'left_open' }
  /** Only the declaration of the disabled state was edited since the last apply. */
  | {
      readonly code: 'disabled_state_edited';
      /** The attribute: frozen or deactivated. */
      readonly attribute: string;
    }
  /** Attributes differ from the last apply, by an edit of the declaration or on the platform. */
  | {
      readonly code: 'attributes_differ';
      /** Attributes whose declaration was edited. */
      readonly edited: readonly string[];
      /** Other attributes, which changed on the platform. */
      readonly changed_on_platform: readonly string[];
    }
  /** An interrupted run began to change the values, and no read shows them. */
  | { readonly code: 'values_unknown'; readonly attributes: readonly string[] }
  /** Only the lifecycle of the declaration was edited. */
  | { readonly code: 'lifecycle_edited' }
  /** State takes over the live values. */
  | { readonly code: 'live_values_taken' }
  /** Other changes in the plan need the object enabled. */
  | { readonly code: 'needed_enabled' }
  /** The object is disabled, and other changes need it reopened temporarily. */
  | { readonly code: 'needed_reopened' }
  /** The change takes back what a run did. */
  | {
      readonly code: 'undone';
      /** The number of the run. */
      readonly run: PositiveCount;
    };

export type ChangeReasonCode = ChangeReason['code'];

/** The types of data that a reason has. `attributes` are the top-level names of attributes. */
type ReasonData = 'addresses' | 'attribute' | 'attributes' | 'existing' | 'run';

type FieldsOf<Reason> = Readonly<Record<Exclude<keyof Reason, 'code'>, ReasonData>>;

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
} as const satisfies { readonly [Code in ChangeReasonCode]: FieldsOf<Extract<ChangeReason, { readonly code: Code }>> };

/** The first ten of a list, and the number of the others. */
export interface FirstIds {
  /** The first of them. */
  readonly ids: readonly string[];
  /** The number of others. */
  readonly more: Count;
}

/** Facts about a change besides its attributes. Attributes are paths such as metadata.team. */
export type ChangeNote =
  /** The attribute is no longer managed and stays as it is. */
  | {
      readonly code: 'attribute_released';
      /** A path such as metadata.team. */
      readonly attribute: string;
    }
  /** The attribute is no longer managed. A request leaves it out, and the platform may remove it. */
  | {
      readonly code: 'attribute_left_out';
      /** A path such as metadata.team. */
      readonly attribute: string;
    }
  /** The object is disabled already, so nothing is sent. */
  | {
      readonly code: 'already_disabled';
      /** The disabled state. */
      readonly attribute: string;
    }
  /** The object is disabled, reopened for the work, and disabled again. */
  | {
      readonly code: 'reopened';
      /** The disabled state. */
      readonly attribute: string;
    }
  /** Users in the retired object are deleted. */
  | { readonly code: 'users_deleted'; readonly users: readonly Address[] }
  /** The history file was retired, and only what is not sent yet is sent. */
  | { readonly code: 'history_returns' }
  /** The object was retired; its memberships were read, and missing members are invited again. */
  | { readonly code: 'members_return' }
  /** The object was retired, and its memberships may have changed. */
  | { readonly code: 'memberships_unknown' }
  /** An interrupted run began to change the value, and no read shows it, so it is sent. */
  | { readonly code: 'value_unknown'; readonly attribute: string }
  /** Declared entries that existed before are managed from now on. */
  | ({ readonly code: 'entries_taken_over'; readonly attribute: string } & FirstIds)
  /** A declared ban or mute has ended and is ignored. */
  | {
      readonly code: 'entry_ended';
      readonly attribute: string;
      readonly key: string;
      /** As it is declared. */
      readonly until: string;
    }
  /** The object exists and is taken into state. */
  | { readonly code: 'taken_into_state' }
  /** The user gets another access token, and any earlier one stops working. */
  | { readonly code: 'token_ends' }
  /** The object looks like the old one of a rename. */
  | {
      readonly code: 'renamed_to';
      /** The new object. */
      readonly address: Address;
      /** What stays with the old object, for people. */
      readonly effect?: string;
    }
  /** The object looks like the new one of a rename. */
  | {
      readonly code: 'renamed_from';
      /** The old object. */
      readonly address: Address;
      /** What stays with the old object, for people. */
      readonly effect?: string;
    }
  /** A part of the change was pending before the request. */
  | {
      readonly code: 'partly_pending';
      /** The first paths. */
      readonly attributes: readonly string[];
      /** The number of others. */
      readonly more: Count;
    }
  /** --target does not name the object, but another object needs it. */
  | {
      readonly code: 'needed_by';
      /** The other object. */
      readonly address: Address;
    }
  /** The object's kind has a note of its own. */
  | {
      readonly code: 'of_kind';
      /** The note, for people. */
      readonly text: string;
    };

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

/** What an apply does about drift. */
export type DriftNote =
  /** The object is gone and not declared, or gone with others. An apply forgets it. */
  | {
      readonly code: 'gone_forgotten';
      /** The missing objects that it belonged to. */
      readonly parents?: readonly Address[];
    }
  /** The object is gone. An apply creates it again. */
  | { readonly code: 'gone_created_again' }
  /** The object is gone with others. An apply sends it again. */
  | {
      readonly code: 'gone_sent_again';
      /** The missing objects that it belonged to. */
      readonly parents: readonly Address[];
    }
  /** The object was retired. An apply disables it again. */
  | { readonly code: 'retired_disabled_again' }
  /** The object is not declared any more. The changes show what happens to it. */
  | { readonly code: 'undeclared' }
  /** An apply makes the attributes as declared. */
  | {
      readonly code: 'set_back';
      /** Their names. */
      readonly attributes: readonly string[];
    }
  /** The manifest declares the live values. An apply takes them into state. */
  | {
      readonly code: 'declared_alike';
      /** Their names. */
      readonly attributes: readonly string[];
    }
  /** The attributes are not declared any more and stay as they are. */
  | {
      readonly code: 'released';
      /** Their names. */
      readonly attributes: readonly string[];
    }
  /** The platform changes the attributes by itself, and an apply leaves them. */
  | {
      readonly code: 'left_to_platform';
      /** Their names. */
      readonly attributes: readonly string[];
    }
  /** The platform has no call that changes the attributes back. */
  | {
      readonly code: 'not_changeable';
      /** Their names. */
      readonly attributes: readonly string[];
    }
  /** Any member can change the attributes from a client. */
  | {
      readonly code: 'expected';
      /** Their names. */
      readonly attributes: readonly string[];
      /** All attributes of the kind that members can change. */
      readonly ignorable: readonly string[];
    }
  /** Members left and are not invited again. */
  | ({ readonly code: 'left_alone' } & FirstIds)
  /** Members left, and an apply invites them again. */
  | ({ readonly code: 'invited_again' } & FirstIds)
  /** Others deleted the object and made it anew. An apply takes it into state. */
  | { readonly code: 'made_anew'; readonly at: UtcTime }
  /** Members are only invited. An apply does not accept for them. */
  | ({ readonly code: 'only_invited' } & FirstIds)
  /** Members left and are not declared any more. */
  | ({ readonly code: 'left_undeclared' } & FirstIds)
  /** A repair leaves the object as it is. */
  | {
      readonly code: 'not_repaired';
      /**
       * No call sets it back; it was deleted; it was made anew; members left; the change restricts or restores access; it loses
       * something; the object has other changes.
       */
      readonly why: NotRepaired;
    };
