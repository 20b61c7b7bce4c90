// How many dangers a plan has, and that it needs a signature for them (semantics §4.9).

import { plural } from '../../../lib/words.ts';
import { isDanger } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { baseWarnings, type Plan } from '../../model/plan.ts';
import type { ApprovalsPolicy } from '../../model/policy.ts';
import { appendingCommand, signedPlan, signingCommand } from '../signing/signed-file.ts';

/** Why a plan needs a signature, as the end of a sentence. Undefined if it needs none. */
export function tooDangerous(
  { changes, warnings }: Pick<Plan, 'changes' | 'warnings'>,
  { dangers: limit }: Pick<ApprovalsPolicy, 'dangers'>,
): string | undefined {
  if (limit === undefined) return undefined;
  // A run uses the old place, and without git nobody who applies a saved plan can tell that its request names another one.
  let count = warnings.filter(({ code, dangerous }) => dangerous === true && code !== baseWarnings.stateMoved).length;
  for (const change of changes) if (isDanger(change)) count += 1;
  return count <= limit
    ? undefined
    : `it has ${plural(count, 'danger')}, and policy.approvals.dangers allows ${limit} without a signature`;
}

/** For a plan that needs a signature: that it does. */
export function signatureWarning(plan: Plan, approvals: Pick<ApprovalsPolicy, 'dangers' | 'signatures'>): Diagnostic[] {
  const why = tooDangerous(plan, approvals);
  if (why === undefined) return [];
  return [
    {
      severity: 'warning',
      code: 'plan.needs-signature',
      summary: 'The plan needs a signature',
      detail: `${whoSigns(approvals)} to sign it, because ${why}. Save it with --out plan.chatform, sign the file with ${commandOf(approvals)}, and apply the file.`,
    },
  ];
}

/** A further signer must not replace the signature of the one before. */
function commandOf({ signatures = 1 }: Pick<ApprovalsPolicy, 'signatures'>): string {
  return signatures === 1 ? signingCommand(signedPlan, 'plan.chatform') : appendingCommand(signedPlan, 'plan.chatform');
}

function whoSigns({ signatures = 1 }: Pick<ApprovalsPolicy, 'signatures'>): string {
  return signatures === 1
    ? 'Somebody in policy.approvals.signers has'
    : `${signatures} different people in policy.approvals.signers have`;
}

/** `save` is the command that makes the plan and takes --out. */
export function notSaved(why: string, save: string): Refusal {
  return new Refusal(
    'signature.not-saved',
    exitCode.refused,
    `The plan needs a signature: ${why}. Only the file of a saved plan can be signed.`,
    `Nothing was changed. Save the plan with ${save} --out plan.chatform, have a signer review and sign it with ${signingCommand(signedPlan, 'plan.chatform')}, and run it with chatform apply plan.chatform`,
  );
}

/** Refused (5) for a plan that needs a signature, because a destruction cannot be saved. */
export function demandNoDangers(plan: Plan, approvals: ApprovalsPolicy): void {
  const why = tooDangerous(plan, approvals);
  if (why === undefined) return;
  throw new Refusal(
    'signature.not-saved',
    exitCode.refused,
    `The plan needs a signature: ${why}. A plan of destroy cannot be saved, so nobody can sign it.`,
    'Nothing was changed. Remove the objects from the manifests and have that plan signed, or remove policy.approvals in a change that is reviewed and merged first.',
  );
}
