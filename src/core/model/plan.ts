// A plan consists of changes for people, steps for the applier, and estimates of their cost.

import type { Amount, Count, FormatVersion, JsonObject, PositiveCount, Sha256 } from '../../lib/json.ts';
import type { Series } from '../../lib/series.ts';
import type { Action } from './action.ts';
import type { Address } from './address.ts';
import type { Change, Drift, RequestCount } from './change.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Observation, Unmanaged } from './live.ts';
import type { ComparedValues } from './people/comparison.ts';
import type { PeopleSection } from './people/effects.ts';
import type { NoticeSection } from './people/notices.ts';
import type { ApprovalsPolicy, HistoryPolicy, Policy, UndoPolicy } from './policy.ts';
import type { StateEntry, StateRecord } from './record.ts';
import type { RemovedEntry, Resource } from './resource.ts';
import type { PlannedStage } from './stages/stages.ts';
import type { Step } from './step.ts';

export const planFormatVersion = '1.0';

/** The code of the note in a plan that issues tokens. */
export const tokensNote = 'plan.issues-tokens';
/**
 * Codes of warnings that a plan was checked by other rules or made against another state than an apply after the merge, or cannot say
 * what the request causes.
 */
export const baseWarnings = {
  rulesEdited: 'plan.rules-edited',
  invalid: 'plan.base-invalid',
  stateMoved: 'plan.state-moved',
} as const;

export interface OwnRules {
  /** What the request edits, for the headline: `policy`, `limits`, `behaviours`, `ignore lists`. */
  readonly inputs: readonly string[];
  /** Further changes by action. */
  readonly summary: Plan['summary'];
  /** Whether more changes than in the plan cannot be undone. */
  readonly isIrreversible: boolean;
  /** Whether those rules refuse the plan, and the rules of the base do not. */
  readonly isRefused: boolean;
  /** The codes of dangers of the plan that those rules take away, one for each danger. */
  readonly spared: readonly string[];
}

/** The shortest possible duration: the busiest bucket at its limit, or the longest chain of calls. */
export interface PlanDuration {
  /** The shortest possible duration. */
  readonly lower_bound_s: Amount;
  /** The slowest rate limit, in words. Absent if there is nothing to send. */
  readonly bottleneck?: string;
  /** How the user rules are read for the bound. Absent when the other reading gives the same one. */
  readonly user_rules?: UserRulesReading;
  /** How the plan's limits are read for the bound. Absent when the other reading gives the same one. */
  readonly plan_limits?: PlanLimitsReading;
  /** The calls that each rate limit has to let through, the slowest limit first. */
  readonly buckets: readonly BucketLoad[];
  /** How many rate limits are left out. Each takes less time than those listed. */
  readonly others?: Count;
  /** The longest chain of calls that wait for one another, and the objects of its first and last call. */
  readonly chain?: CallChain;
}

/** The documents say that each endpoint counts alone; staff of the vendor say that all calls of a method count together. */
export interface PlanLimitsReading {
  /** The calls of each endpoint count alone. */
  readonly assumed: 'endpoint';
  /** All calls of a method count together. */
  readonly other: 'method';
  /** The lower bound by the other reading. */
  readonly other_lower_bound_s: Amount;
}

/** Two interpretations of the user rules. The documents do not say which user a request counts for if it names none. */
export interface UserRulesReading {
  /** A request that names no user counts for the application alone. */
  readonly assumed: 'named';
  /** It counts for the first user that it lists. */
  readonly other: 'first_listed';
  /** The lower bound by the other reading. */
  readonly other_lower_bound_s: Amount;
}

export interface CallChain {
  readonly calls: Count;
  readonly from: Address;
  readonly to: Address;
}

export interface BucketLoad {
  readonly name: string;
  readonly calls: Count;
  /** Calls per second. */
  readonly rate: number;
  /** The shortest time that the calls can take, in seconds. */
  readonly seconds: Amount;
}

/** The refresh behind a plan: what it cost, and what it found. */
export interface Refreshed extends ComparedValues {
  /** Only the objects were read that the plan would change or create by the state alone. Absent: all, or those that were taken over. */
  readonly only?: 'changed';
  readonly objects: Count;
  readonly requests: Count;
  /** The number of declared values that the platform still has in another form than they were sent. Absent: none. */
  readonly stored_otherwise?: PositiveCount;
  /** The number of values in state that an interrupted run began to change and that this refresh does not show. Absent: none. */
  readonly unknown?: PositiveCount;
}

/** Digests of the allowed values of the attribute at `path`. An empty path means the existence of the object. */
export interface LiveCondition {
  readonly path: readonly string[];
  readonly accepts: readonly string[];
}

/** The settings that an apply of the saved plan needs besides its steps. Contains no token. */
export interface PlanSettings {
  readonly base_url: string;
  readonly rate_plan: string;
  readonly limits: Readonly<Record<string, number>>;
  readonly rate_share: number;
  readonly existing: Policy['existing'];
  readonly trust_dedup?: boolean;
  /** Absent: the defaults. */
  readonly undo?: UndoPolicy;
  /** Who signs is not part of a plan, which could then name its own signers. Absent: the plan needs no signature. */
  readonly approvals?: Pick<ApprovalsPolicy, 'dangers'>;
  /** Absent: nothing is decided. */
  readonly history?: HistoryPolicy;
  /** The place that the manifests declare, without secrets, if the plan was made against it. */
  readonly state?: string;
}

/** What all drafts of a plan depend on, besides the settings. */
export interface PlanBasis
  extends Pick<Policy, 'adopt' | 'on_remove' | 'departed' | 'messages' | 'leave_channels_on_deactivation'> {
  /** Whether live objects were read. */
  readonly isRefreshed?: true;
}

/**
 * The status of a child in state. `lost`: its parents do not exist. `leaving`: this plan deletes its parents. `unknown`: a
 * refresh is needed to tell.
 */
export type ChildStatus =
  | { readonly type: 'kept' }
  | { readonly type: 'lost' | 'unknown' | 'leaving'; readonly with: readonly Address[] };

/** What a draft was told about other objects. Lists have what was asked about and is so. */
export interface DraftAnswers {
  readonly status?: ChildStatus;
  readonly parent?: JsonObject;
  readonly mayHaveParent?: true;
  readonly isRefreshed?: true;
  /** Objects that the calls of its children need enabled. null: it has children with calls. */
  readonly sending?: readonly (Address | null)[];
  /** Objects that are declared, in state or external. */
  readonly known?: readonly Address[];
  /** Objects in state that the platform does not have any more. */
  readonly gone?: readonly Address[];
}

/** What the work on one object is drafted from. A reader of the plan drafts it again, and refuses a plan with other work. */
export interface DraftOrigin extends DraftAnswers {
  readonly address: Address;
  /** Without the positions of its attributes. */
  readonly resource?: Resource;
  readonly record?: StateRecord;
  readonly removed?: RemovedEntry;
  /** Whether a refresh read the platform for it. */
  readonly isRead?: true;
  readonly observation?: Observation;
  /** The time by which bans and mutes end, in Unix milliseconds. Absent: it has none. */
  readonly nowMs?: number;
  /** The object is outside the targets. Only what others need of it is done. */
  readonly isStanding?: true;
  /** Whether a child of it is declared or in state. */
  readonly hasChildren?: true;
  /** The objects in state that its calls need. */
  readonly needed?: readonly Address[];
}

/** A state that no run ever wrote, which may be the wrong one. */
interface NewState {
  /** The name of the state. */
  readonly place: string;
  /** How many declared objects are on the platform. Absent: the platform was not read. */
  readonly existing?: PositiveCount;
}

export interface Plan {
  readonly format_version: FormatVersion;
  /** The application of the plan: host and path, or emulator: and its path. */
  readonly application: string;
  readonly settings: PlanSettings;
  /** The name of the state that the plan was made against. Absent unless manifests declare its place. */
  readonly state?: string;
  /** Present if the state is new and objects are declared, unless none of them was found on the platform. */
  readonly new_state?: NewState;
  /** Present if the variable of the base URL is not set. An apply needs it. */
  readonly unknown_application?: {
    /** CHATFORM_VAR_APP_ID */
    readonly variable: string;
    /** The state has one application alone, and the plan assumes it. */
    readonly from_state?: true;
  };
  /** What an apply by the rules of the request under review would do beyond this plan, which the rules of its base judge. */
  readonly own_rules?: OwnRules;
  /** The lineage of the state that the plan was made against. Absent if the state is empty. */
  readonly lineage?: string;
  /** The commit of the manifests, in a plan that will be saved. Absent outside of a CI job if no apply named its commit. */
  readonly commit?: string;
  /** Sorted by address. */
  readonly changes: Series<Change>;
  /** Sorted so that they could run one after the other. */
  readonly steps: Series<Step>;
  /**
   * By address, digests of the object's record before its first step and after each step. The current digest of a record
   * shows which steps are done. A record with any other digest was changed by another run (semantics §6). Empty in a plan
   * that will not be saved.
   */
  readonly preconditions: Series<readonly [Address, readonly string[]]>;
  /**
   * By address, the objects in state that the calls of an object need: members, operators, the channel and the senders of
   * a history file. Absent if there are none, or if the plan will not be saved.
   */
  readonly needed?: Series<readonly [Address, readonly Address[]]>;
  /** Absent in a plan that will not be saved, as are the origins. */
  readonly basis?: PlanBasis;
  /** Sorted by address, one for each change. */
  readonly origins?: Series<DraftOrigin>;
  /** Objects by action. An object that is created and frozen counts for both. */
  readonly summary: Readonly<Partial<Record<Action, Count>>>;
  /** Calls by method and route. */
  readonly requests: readonly RequestCount[];
  readonly duration: PlanDuration;
  /** What reading the platform cost, and what it found. */
  readonly refreshed?: Refreshed;
  /** By address, conditions on the live object before the first write (semantics §6.1). Absent without a refresh. */
  readonly live?: Series<readonly [Address, readonly LiveCondition[]]>;
  /** Differences between state and the platform, by address. Absent without a refresh. */
  readonly drift?: Series<Drift>;
  /** What the application has and nobody declares. Only with drift --unmanaged; absent if it was not looked at. */
  readonly unmanaged?: Unmanaged;
  /** The plan contains only drift (core/app/drift.ts), not the pending changes of the manifests. It is never saved. */
  readonly isDriftAlone?: true;
  /** What people can newly do, or can no longer. Absent: nothing changes for people. */
  readonly people?: PeopleSection;
  /** What people notice besides, by documents, by declared settings and by behaviours. Absent: nothing. */
  readonly notices?: NoticeSection;
  /** How --stage divides the plan, in order. Absent without --stage. */
  readonly stages?: readonly PlannedStage[];
  /** How many people have to sign the plan before an apply. Absent: nobody. */
  readonly signatures?: PositiveCount;
  /** The number of declared objects that the plan leaves as they are. Absent where the manifests were not loaded. */
  readonly unchanged?: Count;
  readonly warnings: readonly Diagnostic[];
  /** For apply --approved-hash. */
  readonly hash: Sha256;
  /**
   * Covers the whole plan, so that an apply of this object can tell whether it was edited. Absent in a plan file, which has one
   * of its own, and in a plan that cannot be applied.
   */
  readonly checksum?: string;
  /**
   * Run metadata to write to state before the first step: what was loaded, and which acknowledgements the plan uses
   * (run-metadata.ts). Absent if state already contains it.
   */
  readonly bookkeeping?: readonly StateEntry[];
}

/** The parts of a plan that its file does not have, because its reader makes them again from the origins. */
export const partsFromOrigins = [
  'steps',
  'summary',
  'requests',
  'preconditions',
  'needed',
  'live',
] as const satisfies readonly (keyof Plan)[];

/** A plan as its file has it. */
export type PlanAsRead = Omit<Plan, (typeof partsFromOrigins)[number]>;
