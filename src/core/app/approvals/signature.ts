// Whether a plan needs the signature of a person, and whether it has one (semantics §4.9).
//
// A saved plan may come from a request, so it says only that it needs a signature. chatform reads who may sign from manifests that the
// request did not write: from the working folder after the merge, or from the commit in --approvals-ref.
import { chatformCommand, pathArgument } from '../../../lib/tools/pasted-words.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Plan } from '../../model/plan.ts';
import type { ApprovalsPolicy } from '../../model/policy.ts';
import type { Signature } from '../../model/signing/signature.ts';
import type { Ports } from '../context/ports.ts';
import type { JudgingOptions } from '../opening/judging-policy.ts';
import type { SavedPlan } from '../opening/plan-source.ts';
import { sameBytes, signedPlan } from '../signing/signed-file.ts';
import { notSaved, tooDangerous } from './dangers.ts';

export interface Approving extends JudgingOptions {
  readonly requireSignature: boolean;
  /** The strictest of all that count. Without signers nobody can sign. */
  readonly approvals: Partial<ApprovalsPolicy>;
  /** The manifests of an unsaved plan. */
  readonly manifests: readonly string[];
}

/** Why a plan needs a signature. Undefined if it needs none. */
export function whyNeeded(plan: Plan, { requireSignature, approvals }: Approving): string | undefined {
  return requireSignature ? '--require-signature is set' : tooDangerous(plan, approvals);
}

/** Refused (5) for a plan with steps that needs a signature but is made from manifests, which nobody can sign. */
export function demandUnsigned(plan: Plan, approving: Approving, undoes: number | undefined): void {
  const why = plan.steps.length === 0 ? undefined : whyNeeded(plan, approving);
  if (why !== undefined) throw notSaved(why, commandOf(undoes, approving.manifests));
}

/** Who signed a saved plan. Refused without a signature (5), and (6) for one that does not count. */
export async function signatureOf(
  { plan, file }: SavedPlan,
  why: string,
  { approvals, approvalsFrom, approvalsRef }: Approving,
  ports: Ports,
): Promise<Signature> {
  if (file === undefined) throw notSaved(why, commandOf(undefined, []));
  const { signers } = approvals;
  if (signers === undefined) {
    const { nobodySigns } = await import('../opening/judging-policy.ts');
    const judged = { path: approvalsFrom, application: plan.application };
    throw nobodySigns(`${file.name} needs a signature: ${why}.`, judged, approvalsRef);
  }
  const { demandSigner } = await import('../signing/signers.ts');
  return demandSigner(signedPlan, file.name, await sameBytes(file, ports), { ...approvals, signers }, ports);
}

/** Refused (5) if the plan has a danger that its signed file does not show. Numbers in it may have changed. */
export function demandSeen({ warnings }: Plan, { plan: { warnings: signedWarnings } }: SavedPlan): void {
  const unseen = warnings.filter(
    ({ code, dangerous }) =>
      dangerous === true && !signedWarnings.some((one) => one.dangerous === true && one.code === code),
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
