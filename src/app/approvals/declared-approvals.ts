// Reads from manifests whose signatures count.
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { ApprovalsPolicy } from '../../model/policy.ts';
import type { Ports } from '../context/ports.ts';
import { invalidManifests } from '../context/refusals.ts';
import { approvalsRef } from '../git/commit.ts';
import { rulesAt } from '../opening/judging-rules.ts';
import { loadDeclared } from '../opening/load-declared.ts';

export interface ApprovalOptions {
  /** Whether every plan needs a signature. */
  readonly requireSignature?: boolean | undefined;
  /** The manifests whose policy counts. Default: those of the plan, and for a saved plan those in the working folder. */
  readonly approvalsFrom?: string | undefined;
  /** The git reference with the policy that counts. Absent: the files on disk. */
  readonly approvalsRef?: string | undefined;
}

/**
 * `policy.approvals` of the manifests that the options name, or else of `others`. Undefined if there are none, or no `others`. Refused (65)
 * when they are not valid, and when those that are named do not exist: a misspelt name must not mean that nobody has to sign.
 */
export async function approvalsIn(
  { approvalsFrom, approvalsRef: ref }: Pick<ApprovalOptions, 'approvalsFrom' | 'approvalsRef'>,
  others: readonly string[],
  ports: Ports,
): Promise<ApprovalsPolicy | undefined> {
  const paths = approvalsFrom === undefined ? others : [approvalsFrom];
  const loading = { isForSettings: true };
  const { policy, diagnostics } =
    ref === undefined
      ? await loadDeclared(paths, ports, loading)
      : (await rulesAt(ref, approvalsRef, paths, ports, loading)).manifest;
  const absences = new Set(approvalsFrom === undefined ? ['manifest.not-found', 'manifest.no-manifests'] : []);
  const errors = diagnostics.filter(({ severity, code }) => severity === 'error' && !absences.has(code));
  if (errors.length > 0) throw invalidManifests(errors);
  return policy.approvals;
}

/** `need` is the sentence that says what needs a signature. */
export function nobodySigns(need: string, paths: readonly string[], ref: string | undefined): Refusal {
  const place = paths.length === 0 ? 'in the working folder' : `in ${paths.join(', ')}`;
  return new Refusal(
    'signature.no-signers',
    exitCode.refused,
    `${need} No policy.approvals ${place}${ref === undefined ? '' : ` at ${ref}`} says whose.`,
    'Nothing was done. Name the manifests of the plan with --approvals-from, or declare policy.approvals.signers in a change that is merged first.',
  );
}
