// The stage of a run that checks signatures: between the policy that was read and the plans that it judges.
import type { Plan } from '../../model/plan.ts';
import type { Ports } from '../context/ports.ts';
import type { PlanSource } from '../opening/plan-source.ts';
import { approvingOf, type ChosenApproval } from './approving.ts';

/**
 * The check of signatures, whose code is loaded only if a plan of the source may need one. Undefined otherwise. Refused for a policy that
 * cannot be read (64, 65).
 */
export async function approvalFor(source: PlanSource, options: ChosenApproval, ports: Ports) {
  const approving = await approvingOf(source, options, ports);
  if (approving === undefined) return undefined;
  const { demandSeen, demandUnsigned, signatureOf, whyNeeded } = await import('./signature.ts');
  const { savedPlan } = source;
  return {
    /** See `demandUnsigned`. */
    demandUnsigned: (plan: Plan, undoes: number | undefined) =>
      savedPlan === undefined && demandUnsigned(plan, approving, undoes),
    /** Undefined for a plan that needs none. `plan` may have dangers that were found since it was saved. */
    signatureFor: async (plan: Plan) => {
      const why = savedPlan && whyNeeded(plan, approving);
      return savedPlan && why !== undefined ? signatureOf(savedPlan, why, approving, ports) : undefined;
    },
    /** See `demandSeen`. */
    demandSeen: (plan: Plan) => savedPlan && demandSeen(plan, savedPlan),
  };
}
