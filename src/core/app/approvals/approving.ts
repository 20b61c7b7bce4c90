// Which plans of a run need a signature, and whose: what apply knows before it plans (semantics §4.9).
import type { ApprovalsPolicy } from '../../model/policy.ts';
import type { Ports } from '../context/ports.ts';
import type { JudgingOptions } from '../opening/judging-policy.ts';
import type { PlanSource } from '../opening/plan-source.ts';

export interface ApprovalOptions extends JudgingOptions {
  /** Whether every plan needs a signature. */
  readonly requireSignature?: boolean | undefined;
}

export interface Approving extends JudgingOptions {
  readonly requireSignature: boolean;
  /** The strictest of all that count. Without signers nobody can sign. */
  readonly approvals: Partial<ApprovalsPolicy>;
  /** The manifests of an unsaved plan. */
  readonly manifests: readonly string[];
}

export type ChosenApproval = ApprovalOptions & { readonly paths: readonly string[] };

/** Undefined if no plan of the source needs a signature. Refused for a policy that cannot be read (64, 65). */
export async function approvingOf(
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
