// Reads from manifests whose signatures count.
import { dirname } from 'node:path';
import type { LoadedManifest } from '../../manifest/passes/loaded-manifest.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { applicationIdentity } from '../../platform/base-url.ts';
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

/** The policy that judges a signed file. */
export type JudgingPolicy = Pick<LoadedManifest, 'policy' | 'planRules'>;

/**
 * The policy of the manifests that the options name, or else of `others`, or else of those in the working folder that are about the
 * application. Undefined if there are no manifests. Refused (65) when they are not valid, and when those that are named do not exist: a
 * misspelt name must not mean that nobody has to sign. Refused (5) when the working folder does not have the application once.
 */
export async function judgingPolicy(
  { approvalsFrom, approvalsRef: ref }: Pick<ApprovalOptions, 'approvalsFrom' | 'approvalsRef'>,
  { paths: others = [], application }: { readonly paths?: readonly string[]; readonly application?: string },
  ports: Ports,
): Promise<JudgingPolicy | undefined> {
  const paths = approvalsFrom === undefined ? others : [approvalsFrom];
  const isOfFolder = paths.length === 0 && application !== undefined;
  const read = async (from: readonly string[]): Promise<LoadedManifest> =>
    ref === undefined
      ? loadDeclared(from, ports, forSettings)
      : (await rulesAt(ref, approvalsRef, from, ports, forSettings)).manifest;
  const whole = await read(paths);
  const manifest =
    isOfFolder && whole.diagnostics.some(isDeclaredTwice) ? await manifestOf(application, whole, read) : whole;
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

function isDeclaredTwice({ code }: Diagnostic): boolean {
  return code === 'manifest.declared-twice';
}

/** The manifests of the only folder that declares the application, among those that declare the same settings. */
async function manifestOf(
  application: string,
  { application: first, policy, diagnostics }: LoadedManifest,
  read: (paths: readonly string[]) => Promise<LoadedManifest>,
): Promise<LoadedManifest> {
  const positions = [first?.source, policy.source, ...diagnostics.filter(isDeclaredTwice).map(({ source }) => source)];
  const folders = new Set(positions.flatMap((position) => (position === undefined ? [] : [dirname(position.file)])));
  const found: LoadedManifest[] = [];
  for (const folder of folders) {
    const manifest = await read([folder]);
    const { base_url: url } = manifest.application ?? {};
    const isOne = !manifest.diagnostics.some(isDeclaredTwice);
    if (isOne && url !== undefined && applicationIdentity(url) === application) found.push(manifest);
  }
  const [only, ...more] = found;
  if (only !== undefined && more.length === 0) return only;
  throw new Refusal(
    'signature.which-policy',
    exitCode.refused,
    `The working folder declares several applications, and ${only === undefined ? 'no folder in it' : 'more than one folder in it'} is about ${application} alone, so its policy is not known.`,
    'Nothing was done. Name the manifests of the plan with --approvals-from.',
  );
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
