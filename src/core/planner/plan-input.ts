// What a plan is made from.

import type { Collect, Series } from '../../lib/series.ts';
import type { KindDefinition } from '../kinds/definition/kind.ts';
import type { Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { CrowdedUser, LimitsOf } from '../model/limits.ts';
import type { Observations } from '../model/live.ts';
import type { PlanSettings, Refreshed } from '../model/plan.ts';
import type { Policy } from '../model/policy.ts';
import type { StateRecord } from '../model/record.ts';
import type { RemovedEntry, Resource } from '../model/resource.ts';
import type { FileCounts } from '../model/run-metadata.ts';
import type { PlanProblem, PlanWords } from '../model/statements/problems.ts';
import type { TargetScope } from './targets.ts';

export interface PlanInput {
  readonly kinds: readonly KindDefinition[];
  /** Sorted by address. */
  readonly resources: Series<Resource>;
  readonly removed: readonly RemovedEntry[];
  /** Sorted by address. */
  readonly records: Series<StateRecord>;
  readonly policy: Policy;
  readonly application: string;
  /** Settings for a later apply of the saved plan. `existing`, `trust_dedup`, `undo`, `approvals` and `history` come from the policy. */
  readonly settings: Omit<PlanSettings, 'existing' | 'trust_dedup' | 'undo' | 'approvals' | 'history'>;
  readonly lineage?: string | undefined;
  readonly limitsOf: LimitsOf;
  /** The time of this machine, by which bans and mutes end without a refresh, such as `2026-12-01T10:00:00.000Z`. A date is its beginning. */
  readonly now: string;
  readonly words: PlanWords;
  /** Whether a migrated message shows a hidden channel again (behaviour `migrationUnhides`). Absent: not known. */
  readonly migrationUnhides?: boolean | undefined;
  /** Whether to plan nothing, and to tell what others changed on the platform. */
  readonly isDriftAlone?: boolean;
  /** The objects to plan. All if absent. */
  readonly scope?: TargetScope;
  /** The current load and the state record of the last one. Absent if state should not record the load. */
  readonly loaded?: { readonly now: readonly FileCounts[]; readonly before: StateRecord | undefined };
  /** The result of a refresh. */
  readonly live?: {
    readonly observations: Observations;
    /** The time on the platform's clock, which decides what has ended. Absent: `now` of the input does. */
    readonly now?: string;
    /** Whether the object was read, if only some were. The others are planned as without a refresh. Absent: all were. */
    reads?(address: Address): boolean;
    readonly refreshed: Refreshed;
    /** By attribute, the number of objects whose read would have cost too much. */
    readonly unread?: Readonly<Record<string, number>>;
    /** By `SECTION` or `SECTION.ATTRIBUTE`, the number of objects whose read the platform does not offer. */
    readonly lacked?: Readonly<Record<string, number>>;
    /** Objects that the platform does not show because they are disabled. */
    readonly hidden?: readonly Address[];
    /** Notes on values of managed objects that nobody declares, and on hidden statuses. */
    readonly undeclared?: readonly PlanProblem[];
    /** Warnings about what else was read. */
    readonly remarks?: readonly Diagnostic[];
    /** Users in many group channels by the platform's count. */
    readonly crowded?: readonly CrowdedUser[];
  };
  /** Stores changes, steps and other long lists. In memory by default. */
  readonly collect?: Collect;
  /** Whether the plan gets the digests by which an apply recognises done steps and changes by others. */
  readonly isToBeSaved?: boolean;
}
