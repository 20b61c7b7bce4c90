// The source of a plan: manifests, a saved plan, or a run that is undone.
import type { Series } from '../../../lib/series.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import type { ApprovalsPolicy, HistoryPolicy, MessagesPolicy, Policy } from '../../model/policy.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { Resource } from '../../model/resource.ts';
import type { DeclaredPlace } from '../../model/stores/declared-place.ts';
import type { Application } from '../context/application.ts';
import type { Live } from '../plans/refresh.ts';
import type { SavedPlanFile } from '../signing/signed-file.ts';

export interface SavedPlan {
  readonly plan: Plan;
  /** Absent for a plan that the library returned. */
  readonly file?: SavedPlanFile;
}

/** What is known before the state is read. */
export interface PlanSource {
  readonly type: 'manifests' | 'saved' | 'undo';
  readonly application: Application;
  readonly existing: Policy['existing'];
  /** `policy.history` of the manifests. Absent for a saved plan. */
  readonly history?: HistoryPolicy | undefined;
  /** `policy.messages` of the manifests, likewise. */
  readonly messages?: MessagesPolicy | undefined;
  /** The whole saved plan, including steps that are done. */
  readonly savedPlan?: SavedPlan;
  /**
   * Which plans need a signature, and whose, by the policy of the manifests. For a saved plan, by the policy that judges it and by what
   * it says itself.
   */
  readonly approvals?: Partial<ApprovalsPolicy> | undefined;
  /** The manifests. Absent for a saved plan. */
  readonly declared?: Series<Resource>;
  /** The place of the state that the manifests or the saved plan name. */
  readonly statePlace?: DeclaredPlace | undefined;
  /** Identifies what is to be applied, whatever part of it is done. Absent for a source whose plan cannot be divided into stages. */
  request?(): string;
  /** Reads what the plan requires from the platform, or nothing if it may not. Nothing is written before. */
  look(state: StateSnapshot, mayRead: boolean): Promise<SeenEstate>;
}

/** What a plan is made from once the state is read. */
export interface SeenEstate {
  /** The live objects that were read. */
  readonly live?: Live | undefined;
  /** For an undo, the number of the undone run. */
  readonly undoes?: number | undefined;
  /**
   * Dangers of the plan as a whole, which may need reads: what `planFor` did not find or, for a saved plan, all of them, because
   * whoever writes a file can leave its warnings out. Absent for a source without such dangers.
   */
  dangers?(state: StateSnapshot, plan: Plan): Promise<Diagnostic[]>;
  /** The plan against this state. For a saved plan, its remaining part. */
  planFor(state: StateSnapshot): Plan;
}
