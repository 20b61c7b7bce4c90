// The stage of a run that checks signatures: between the policy that was read and the plans that it judges.
import type { Plan } from '../../model/plan.ts';
import type { Ports } from '../context/ports.ts';
import type { JudgingOptions } from '../opening/judging-policy.ts';
import type { PlanSource } from '../opening/plan-source.ts';
import type { Approving } from './signature.ts';

export interface ApprovalOptions extends JudgingOptions {
  /** Whether every plan needs a signature. */
  readonly requireSignature?: boolean | undefined;
}

type ChosenApproval = ApprovalOptions & { readonly paths: readonly string[] };

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

/** Which plans need a signature, and whose (semantics §4.9). Undefined if no plan of the source does. Refused for a policy that cannot be read (64, 65). */
async function approvingOf(
  { type, approvals = {} }: PlanSource,
  { requireSignature = false, paths, ...named }: ChosenApproval,
  ports: Ports,
): Promise<Approving | undefined> {
  const { approvalsFrom, approvalsRef } = named;
  const judging = { approvalsFrom, approvalsRef };
  const limits = [approvals.dangers];
  if (type !== 'saved' && (approvalsFrom !== undefined || approvalsRef !== undefined)) {
    const { judgingRules } = await import('../opening/judging-policy.ts');
    limits.push((await judgingRules(judging, { paths }, ports)).declared?.policy.approvals?.dangers);
  }
  const declared = limits.filter((limit) => limit !== undefined);
  if (!requireSignature && declared.length === 0) return undefined;
  const dangers = declared.length === 0 ? {} : { dangers: Math.min(...declared) };
  return { ...judging, requireSignature, approvals: { ...approvals, ...dangers }, manifests: paths };
}
