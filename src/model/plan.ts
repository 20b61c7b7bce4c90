// A plan: the changes for people, the steps for the applier, and what they cost.

import type { Series } from '../lib/series.ts';
import type { Action } from './action.ts';
import type { Address } from './address.ts';
import type { Change, Drift, RequestCount } from './change.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Policy } from './policy.ts';
import type { StateEntry } from './record.ts';
import type { Step } from './step.ts';

export const planFormatVersion = '1.0';

/** The code of the note in a plan that issues tokens. */
export const tokensNote = 'plan.issues-tokens';

/** The shortest possible duration: the busiest bucket at its limit, or the longest chain of calls. */
export interface PlanDuration {
  readonly lower_bound_s: number;
  /** The bucket that decides, for people; absent when there is nothing to send. */
  readonly bottleneck?: string;
  /** How the user rules are read for the bound; absent when the other reading gives the same one (platform §3). */
  readonly user_rules?: UserRulesReading;
  /** The load of each bucket, the slowest first. Quick ones are left out, since a million users may have one each. */
  readonly buckets: readonly BucketLoad[];
  /** How many buckets are left out; each is done sooner than those listed. Absent: none. */
  readonly others?: number;
  /** The longest chain of calls that wait for one another, absent without a call. Its duration depends on the latency. */
  readonly chain?: CallChain;
}

/** The documents do not say for whom a request counts that names no user. */
export interface UserRulesReading {
  /** It counts for the application alone. */
  readonly assumed: 'named';
  /** It counts for the first user that it lists. */
  readonly other: 'first_listed';
  /** The lower bound by the other reading, in seconds. */
  readonly other_lower_bound_s: number;
}

export interface CallChain {
  readonly calls: number;
  /** The objects of its first and its last call. */
  readonly from: Address;
  readonly to: Address;
}

export interface BucketLoad {
  readonly name: string;
  readonly calls: number;
  /** Calls a second that may be used of it. */
  readonly rate: number;
  /** The least time that its calls take. */
  readonly seconds: number;
}

/** The refresh of a plan: how many objects it read, with how many requests. */
export interface Refreshed {
  readonly objects: number;
  readonly requests: number;
}

/** Digests of the values that the attribute at `path` may have; an empty path stands for the object's existence. */
export interface LiveCondition {
  readonly path: readonly string[];
  readonly accepts: readonly string[];
}

/** What an apply of the saved plan needs to know besides its steps. Holds no token. */
export interface PlanSettings {
  readonly base_url: string;
  readonly rate_plan: string;
  readonly limits: Readonly<Record<string, number>>;
  readonly rate_share: number;
  readonly existing: Policy['existing'];
  readonly trust_dedup?: boolean;
}

export interface Plan {
  readonly format_version: typeof planFormatVersion;
  /** Host and path of the application, or `emulator:` and its path; never a port or a token. */
  readonly application: string;
  readonly settings: PlanSettings;
  /** The state against which it was made; absent for an empty one. */
  readonly lineage?: string;
  /** Sorted by address. */
  readonly changes: Series<Change>;
  /** In an order in which they can run one after the other. */
  readonly steps: Series<Step>;
  /**
   * By address, digests of the object's record before its first step and after each one. The digest that a record has now
   * tells which steps are done; a record with any other digest was changed by somebody else (semantics §6). Empty in a
   * plan that is not to be saved.
   */
  readonly preconditions: Series<readonly [Address, readonly string[]]>;
  /**
   * By address, the objects that the calls of an object need and that state knew when the plan was made: members, operators,
   * the channel and the senders of an archive. Absent: none, or the plan is not to be saved.
   */
  readonly needed?: Series<readonly [Address, readonly Address[]]>;
  readonly summary: Readonly<Partial<Record<Action, number>>>;
  readonly requests: readonly RequestCount[];
  readonly duration: PlanDuration;
  /** Absent when the live objects were not read. */
  readonly refreshed?: Refreshed;
  /** By address, what the live object must still show before the first write (semantics §6.1). Absent without a refresh. */
  readonly live?: Series<readonly [Address, readonly LiveCondition[]]>;
  /** What others changed on the platform; sorted by address, absent without a refresh. */
  readonly drift?: Series<Drift>;
  /** It holds only drift (planner/drift-plan.ts): changes that wait in the manifests are left out. Never saved. */
  readonly isDriftAlone?: true;
  readonly warnings: readonly Diagnostic[];
  /** Of the sorted steps, the format and the application; not of positions, times or reasons. */
  readonly hash: string;
  /**
   * Run metadata, which state has to know before the first step: what was loaded, and which acknowledgements the plan uses
   * (run-metadata.ts). Absent when state knows it.
   */
  readonly bookkeeping?: readonly StateEntry[];
}
