// The source of the plan for apply and rehearse: the manifests, or a saved plan.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Series } from '../../../lib/series.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { type Refusal, usage } from '../../model/errors.ts';
import type { Plan } from '../../model/plan.ts';
import type { ApprovalsPolicy, HistoryPolicy, MessagesPolicy, Policy } from '../../model/policy.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { Resource } from '../../model/resource.ts';
import type { DeclaredPlace } from '../../model/stores/declared-place.ts';
import type { Application } from '../context/application.ts';
import type { Ports } from '../context/ports.ts';
import type { Live } from '../plans/refresh.ts';
import type { ManifestSourceOptions } from './manifest-source.ts';
import { openSavedPlan, type SavedPlan, type SavedPlanOptions } from './saved-plan.ts';

export interface PlanSource {
  readonly application: Application;
  readonly existing: Policy['existing'];
  /** `policy.history` of the manifests. Absent for a saved plan. */
  readonly history?: HistoryPolicy | undefined;
  /** `policy.messages` of the manifests, likewise. */
  readonly messages?: MessagesPolicy | undefined;
  /** Whether the plan was saved, and thus reviewed before. */
  readonly isSaved: boolean;
  /** The whole saved plan, including steps that are done. */
  readonly savedPlan?: SavedPlan;
  /** Which plans need a signature, by the policy of the manifests or as the saved plan says. */
  readonly approvals?: Pick<ApprovalsPolicy, 'dangers' | 'signatures'> | undefined;
  /** The manifests. Absent for a saved plan. */
  readonly declared?: Series<Resource>;
  /** What `observe` read. Absent: nothing. */
  readonly live?: Live | undefined;
  /** For an undo, the number of the undone run. */
  readonly undoes?: number | undefined;
  /** The place of the state that the manifests or the saved plan name. */
  readonly statePlace?: DeclaredPlace | undefined;
  /** Identifies what is to be applied, whatever part of it is done. Absent for a source whose plan cannot be divided into stages. */
  request?(): string;
  /** Reads the platform if the plan requires it. Call it once, before anything is written. */
  observe(state: StateSnapshot): Promise<void>;
  /**
   * Dangers of the plan as a whole, which may need reads: what `planFor` did not find or, for a saved plan, all of them, because
   * whoever writes a file can leave its warnings out. Absent for a source without such dangers.
   */
  dangers?(state: StateSnapshot, plan: Plan): Promise<Diagnostic[]>;
  /** The plan against this state. For a saved plan, its remaining part. */
  planFor(state: StateSnapshot): Plan;
}

/** The paths are manifests, or one saved plan. */
export interface PlanSourceOptions extends ManifestSourceOptions, SavedPlanOptions {
  /** A plan that the library returned, in place of paths. */
  readonly plan?: Plan | undefined;
}

/** `missingVariables` is the severity of a variable that the environment lacks. */
export async function openPlanSource(
  options: PlanSourceOptions,
  ports: Ports,
  missingVariables: 'warn' | 'error',
): Promise<PlanSource> {
  const saved = options.plan ?? (await savedPlanAmong(options.paths, ports.cwd));
  if (saved === undefined) {
    // A saved plan needs nothing that reads and compares manifests, so that code is loaded on demand.
    const { openManifests } = await import('./manifest-source.ts');
    return openManifests(options, ports, missingVariables);
  }
  if ((options.targets ?? []).length > 0) throw wholePlan();
  return openSavedPlan(saved, options, ports);
}

function wholePlan(): Refusal {
  return usage(
    'A saved plan runs as it is, so --target cannot be combined with it.',
    'Nothing was done. Plan again with --target, and apply that plan.',
  );
}

/** The only path, if it is a file and not YAML. */
async function savedPlanAmong(paths: readonly string[], cwd: string): Promise<string | undefined> {
  const [path, ...more] = paths;
  if (path === undefined || more.length > 0 || /\.ya?ml$/iu.test(path)) return undefined;
  const found = await stat(resolve(cwd, path)).catch(() => undefined);
  return found?.isFile() === true ? path : undefined;
}
