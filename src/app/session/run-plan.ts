// Carries out the steps of a plan. The same for apply, destroy and rehearse, with the real platform or a simulated one.
import { applyPlan } from '../../applier/apply.ts';
import type { ApplyOptions, ApplyPorts, ApplyResult } from '../../applier/options.ts';
import type { JsonObject } from '../../lib/json.ts';
import { kindOf } from '../../model/address.ts';
import type { Plan } from '../../model/plan.ts';
import { entryAddress } from '../../model/record.ts';
import type { Step } from '../../model/step.ts';
import { takeOverOf } from '../../planner/diff/take-over.ts';
import { registry } from '../../resources/index.ts';
import { type SettlingOptions, settlingOf } from './settling.ts';

export interface RunPlanOptions
  extends Omit<ApplyOptions, 'adopt' | 'settling'>,
    Pick<SettlingOptions, 'lines' | 'afterMs'> {}

/** Rejects as `applyPlan` does, and when the run's metadata cannot be recorded. */
export async function runPlan(plan: Plan, ports: ApplyPorts, options: RunPlanOptions): Promise<ApplyResult> {
  // What was loaded, and which acknowledgements are used: durable before the first step, so that a run that is
  // interrupted at once leaves them to the next.
  for (const entry of plan.bookkeeping ?? []) await ports.state.done(entryAddress(entry), entry);
  const { lines, afterMs, ...rest } = options;
  const settling = settlingOf({ lines, afterMs, trustDedup: plan.settings.trust_dedup === true });
  return applyPlan(plan, ports, { ...rest, settling, adopt: takeOver });
}

/** The steps that take over a live object that a create met. */
function takeOver(step: Step, live: JsonObject): readonly Step[] | undefined {
  const kind = registry.find((one) => one.kind === kindOf(step.address));
  return kind === undefined ? undefined : takeOverOf(kind, step, live);
}
