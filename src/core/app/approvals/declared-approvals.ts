// Reads from manifests whose signatures count.
import type { LoadedManifest } from '../../manifest/passes/loaded-manifest.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Ports } from '../context/ports.ts';
import { invalidManifests } from '../context/refusals.ts';
import { approvalsRef } from '../git/commit.ts';
import { type JudgingRules, rulesAbout, rulesAt } from '../opening/judging-rules.ts';
import { loadDeclared } from '../opening/load-declared.ts';

export interface ApprovalOptions {
  /** Whether every plan needs a signature. */
  readonly requireSignature?: boolean | undefined;
  /** The manifests whose policy counts. Default: those of the plan, and for a saved plan those in the working folder. */
  readonly approvalsFrom?: string | undefined;
  /** The git reference with the policy that counts. Absent: the files on disk. */
  readonly approvalsRef?: string | undefined;
}

/** The policy that judges a signed file. */
export type JudgingPolicy = Pick<LoadedManifest, 'policy' | 'planRules'>;

/**
 * The policy of the manifests that the options name, or else of `others`, or else of those in the working folder that are about the
 * application. Undefined if there are no manifests. Refused (65) when they are not valid, and when those that are named do not exist: a
 * misspelt name must not mean that nobody has to sign. Refused (5) when the policy for the application is unknown (`rulesAbout`).
 */
export async function judgingPolicy(
  { approvalsFrom, approvalsRef: ref }: Pick<ApprovalOptions, 'approvalsFrom' | 'approvalsRef'>,
  { paths: others = [], application }: { readonly paths?: readonly string[]; readonly application?: string },
  ports: Ports,
): Promise<JudgingPolicy | undefined> {
  const paths = approvalsFrom === undefined ? others : [approvalsFrom];
  const isOfFolder = paths.length === 0 && application !== undefined;
  const read = async (from: readonly string[]): Promise<Pick<JudgingRules, 'manifest'>> =>
    ref === undefined
      ? { manifest: await loadDeclared(from, ports, forSettings) }
      : rulesAt(ref, approvalsRef, from, ports, forSettings);
  const { manifest } = isOfFolder ? await rulesAbout(application, read) : await read(paths);
  const { policy, planRules, diagnostics } = manifest;
  const isAbsent = diagnostics.some(({ code }) => absences.has(code));
  const errors = diagnostics.filter(
    ({ severity, code }) => severity === 'error' && !(approvalsFrom === undefined && absences.has(code)),
  );
  if (errors.length > 0) throw invalidManifests(errors);
  return isAbsent ? undefined : { policy, ...(planRules === undefined ? {} : { planRules }) };
}

const forSettings = { isForSettings: true };
const absences = new Set(['manifest.not-found', 'manifest.no-manifests']);

/** `need` is the sentence that says what needs a signature, `path` the manifests whose policy counts, or else the application. */
export function nobodySigns(
  need: string,
  { path, application }: { readonly path?: string | undefined; readonly application?: string },
  ref: string | undefined,
): Refusal {
  const place = path === undefined ? `for ${application} in the working folder` : `in ${path}`;
  return new Refusal(
    'signature.no-signers',
    exitCode.refused,
    `${need} No policy.approvals ${place}${ref === undefined ? '' : ` at ${ref}`} says whose.`,
    'Nothing was done. Name the manifests of the plan with --approvals-from, or declare policy.approvals.signers in a change that is merged first.',
  );
}
