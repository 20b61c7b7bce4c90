// Whether a plan needs the signature of a person, and whether it has one (semantics §4.9).
//
// A saved plan may come from a request, so it says only that it needs a signature. Who may sign is read from manifests that the
// request did not write: those of the working folder after the merge, or of the commit that --approvals-ref names.
import { chatformCommand, pathArgument } from '../../../lib/tools/pasted-words.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Plan } from '../../model/plan.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { Signature } from '../../model/signing/signature.ts';
import type { Ports } from '../context/ports.ts';
import type { PlanSource } from '../opening/plan-source.ts';
import { signedPlan } from '../signing/signed-file.ts';
import { notSaved, tooDangerous } from './dangers.ts';
import type { ApprovalOptions, JudgingPolicy } from './declared-approvals.ts';
import type { demandAllowed } from './saved-refusals.ts';

export interface SignatureDemand {
  /** Refused (5) for a plan that needs a signature but is made from manifests, which nobody can sign. */
  demandNone(plan: Plan): void;
  /** Refused (5) for a saved plan that the policy forbids, if the policy was read. */
  demandAllowed(plan: Plan, state: StateSnapshot): void;
  /**
   * Who signed the saved plan. Undefined if it needs no signature. `plan` may have dangers that were found since it was saved.
   * Refused without a signature, or if it has a danger that the file does not show (5), and (6) for a signature that does not count.
   */
  signatureFor(plan: Plan): Promise<Signature | undefined>;
}

/** Refused as `signatureFor` for a saved plan, and for a policy that cannot be read (64, 65). */
export async function openSignatureDemand(
  source: PlanSource,
  { requireSignature = false, approvalsFrom, approvalsRef }: ApprovalOptions,
  manifests: readonly string[],
  ports: Ports,
): Promise<SignatureDemand> {
  const { savedPlan } = source;
  const planned = savedPlan === undefined ? { paths: manifests } : { application: source.application.identity };
  let rules: JudgingPolicy | undefined;
  let allow: typeof demandAllowed | undefined;
  /** Reads manifests, which the saved plan of a run without dangers does not need. */
  const read = async () => {
    const { judgingPolicy } = await import('./declared-approvals.ts');
    rules = await judgingPolicy({ approvalsFrom, approvalsRef }, planned, ports);
    if (savedPlan !== undefined) allow = (await import('./saved-refusals.ts')).demandAllowed;
  };
  if (approvalsFrom !== undefined || approvalsRef !== undefined) await read();
  const whyNeeded = (plan: Plan): string | undefined => {
    if (requireSignature) return '--require-signature is set';
    const limits = [source.approvals?.dangers, rules?.policy.approvals?.dangers].filter((limit) => limit !== undefined);
    if (limits.length === 0) return undefined;
    return tooDangerous(plan, { dangers: Math.min(...limits) });
  };
  /** A plan without dangers is within any limit, so the policy of the folder need not be read. */
  const mayNeed = (plan: Plan) => requireSignature || tooDangerous(plan, { dangers: 0 }) !== undefined;
  let signature: Signature | undefined;
  const demand: SignatureDemand = {
    demandNone: (plan) => {
      const why = savedPlan === undefined && plan.steps.length > 0 ? whyNeeded(plan) : undefined;
      if (why !== undefined) throw notSaved(why, commandOf(source.undoes, manifests));
    },
    demandAllowed: (plan, state) => {
      if (rules !== undefined && plan.steps.length > 0)
        allow?.(plan, state, rules, ports.clock.date().toISOString().slice(0, 10));
    },
    signatureFor: async (plan) => {
      if (savedPlan === undefined || !mayNeed(plan)) return signature;
      if (signature !== undefined) {
        demandSeen(plan, savedPlan.plan);
        return signature;
      }
      if (rules === undefined) await read();
      const why = whyNeeded(plan);
      if (why === undefined) return undefined;
      const { file } = savedPlan;
      if (file === undefined) throw notSaved(why, commandOf(undefined, []));
      const approvals = rules?.policy.approvals;
      if (approvals === undefined) {
        const { nobodySigns } = await import('./declared-approvals.ts');
        const judged = { path: approvalsFrom, application: source.application.identity };
        throw nobodySigns(`${file.name} needs a signature: ${why}.`, judged, approvalsRef);
      }
      const [{ demandSigner }, { sameBytes }] = await Promise.all([
        import('../signing/signers.ts'),
        import('./same-bytes.ts'),
      ]);
      signature = await demandSigner(signedPlan, file.name, await sameBytes(file, ports), approvals, ports);
      demandSeen(plan, savedPlan.plan);
      return signature;
    },
  };
  if (savedPlan !== undefined) await demand.signatureFor(savedPlan.plan);
  return demand;
}

/** Refused (5) if the plan has a danger that its signed file does not show. Numbers in it may have changed. */
function demandSeen({ warnings }: Plan, { warnings: shown }: Plan): void {
  const unseen = warnings.filter(
    ({ code, dangerous }) => dangerous === true && !shown.some((one) => one.dangerous === true && one.code === code),
  );
  const [first] = unseen;
  if (first === undefined) return;
  throw new Refusal(
    'signature.unseen-danger',
    exitCode.refused,
    `The plan has a danger that its file does not show, so nobody signed for it: ${first.detail}`,
    `Nothing was done. Plan again with --refresh, and have that plan signed.`,
  );
}

/** The command that makes such a plan. */
function commandOf(undoes: number | undefined, manifests: readonly string[]): string {
  if (undoes !== undefined) return chatformCommand('undo', String(undoes));
  return chatformCommand('plan', ...manifests.map(pathArgument));
}
