// What is proposed: the changes for people, the steps for the applier, and what they cost?

import type { Series } from '../lib/series.ts';
import type { Action } from './action.ts';
import type { Address } from './address.ts';
import type { Change, Drift, RequestCount } from './change.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Policy } from './policy.ts';
import type { StateEntry } from './record.ts';
import type { Step } from './step.ts';

export const planFormatVersion = '1.0';

/** The shortest possible duration: the busiest bucket at its limit, or the longest chain of calls. */
export interface PlanDuration {
  readonly lower_bound_s: number;
  /** What decides, in words for people; absent when there is nothing to send. */
  readonly bottleneck?: string;
  /** What each bucket has to let through, the slowest first; of buckets of single users there may be a million, so that the quick ones are left out. */
  readonly buckets: readonly BucketLoad[];
  /** How many buckets are left out: each of them is done sooner than those listed. Absent: none. */
  readonly others?: number;
  /** The most calls that have to wait for one another. How long they take is known when a run has met the latency. Absent without a call. */
  readonly chain?: CallChain;
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
  /** How long its calls take at least. */
  readonly seconds: number;
}

/** Reading the live objects for a plan: what was asked, and what it cost. */
export interface Refreshed {
  readonly objects: number;
  readonly requests: number;
}

/** Digests of the values that the attribute at `path` may have; an empty path asks whether the object is there. */
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
  /** What the plan is for: host and path of the application, or `emulator:` and its path; never a port or a token. */
  readonly application: string;
  readonly settings: PlanSettings;
  /** Which state it was made against; absent for an empty one. */
  readonly lineage?: string;
  /** Sorted by address. */
  readonly changes: Series<Change>;
  /** In an order in which they can run one after the other. */
  readonly steps: Series<Step>;
  /**
   * By address, digests of the object's record before its first step and after each one: where a record stands among
   * them says which steps are done; a record that is none of them was changed by somebody else (semantics §6). Empty in
   * a plan that is not to be saved.
   */
  readonly preconditions: Series<readonly [Address, readonly string[]]>;
  readonly summary: Readonly<Partial<Record<Action, number>>>;
  readonly requests: readonly RequestCount[];
  readonly duration: PlanDuration;
  /** Absent when the live objects were not read. */
  readonly refreshed?: Refreshed;
  /** By address, what the live object must still show before the first write (semantics §6.1). Absent without a refresh. */
  readonly live?: Series<readonly [Address, readonly LiveCondition[]]>;
  /** What was found to differ from state where nothing was declared anew; sorted by address, absent without a refresh. */
  readonly drift?: Series<Drift>;
  /** What others changed is all that it tells (observations.ts): what waits in the manifests is left out. Never saved. */
  readonly isDriftAlone?: true;
  readonly warnings: readonly Diagnostic[];
  /** Of the sorted steps, the format and the application; not of positions, times or reasons. */
  readonly hash: string;
  /**
   * What state has to know before the first step, about the run and not about an object: what was loaded, which
   * acknowledgements it makes use of (bookkeeping.ts). Absent when state knows it.
   */
  readonly bookkeeping?: readonly StateEntry[];
}
