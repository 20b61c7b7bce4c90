// Whether a plan needs the signature of a person, and whether it has one (semantics §4.9).
//
// A saved plan may come from a request, so it says only that it needs a signature. Who may sign is read from manifests that the
// request did not write: those of the working folder after the merge, or of the commit that --approvals-ref names.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { digestText } from '../../lib/digest.ts';
import { shellWord } from '../../lib/tools/shell-word.ts';
import type { FileAccess } from '../../manifest/files/access.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Plan } from '../../model/plan.ts';
import type { ApprovalsPolicy } from '../../model/policy.ts';
import type { Signature } from '../../model/signing/signature.ts';
import type { Ports } from '../context/ports.ts';
import { atCommit } from '../git/commit.ts';
import { invalidManifests, loadDeclared } from '../plans/load-declared.ts';
import type { PlanSource } from '../plans/plan-source.ts';
import { signedPlan } from '../signing/signed-file.ts';
import { demandSigner } from '../signing/signers.ts';
import { notSaved, tooDangerous } from './dangers.ts';

export interface ApprovalOptions {
  /** Whether every plan needs a signature. */
  readonly requireSignature?: boolean | undefined;
  /** The manifests whose policy counts. Default: those of the plan, and for a saved plan those in the working folder. */
  readonly approvalsFrom?: string | undefined;
  /** The git reference with the policy that counts. Absent: the files on disk. */
  readonly approvalsRef?: string | undefined;
}

export interface SignatureDemand {
  /** Refused (5) for a plan that needs a signature but is made from manifests, which nobody can sign. */
  demandNone(plan: Plan): void;
  /**
   * Who signed the saved plan. Undefined if it needs no signature. `plan` may have dangers that were found since it was saved.
   * Refused without a signature (5), and (6) for one that does not count.
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
  const paths = approvalsFrom === undefined ? (savedPlan === undefined ? manifests : []) : [approvalsFrom];
  const read = () => approvalsIn(paths, approvalsRef, ports);
  const named = approvalsFrom === undefined && approvalsRef === undefined ? undefined : await read();
  const limits = [source.approvals?.dangers, named?.dangers].filter((limit) => limit !== undefined);
  const whyNeeded = (plan: Plan): string | undefined => {
    if (requireSignature) return '--require-signature is set';
    if (limits.length === 0) return undefined;
    return tooDangerous(plan, { dangers: Math.min(...limits) });
  };
  let signature: Signature | undefined;
  const demand: SignatureDemand = {
    demandNone: (plan) => {
      const why = savedPlan === undefined && plan.steps.length > 0 ? whyNeeded(plan) : undefined;
      if (why !== undefined) throw notSaved(why, commandOf(source.undoes, manifests));
    },
    signatureFor: async (plan) => {
      const why = savedPlan === undefined ? undefined : whyNeeded(plan);
      if (savedPlan === undefined || why === undefined || signature !== undefined) return signature;
      const { file } = savedPlan;
      if (file === undefined) throw notSaved(why, commandOf(undefined, []));
      const policy = named ?? (await read());
      if (policy === undefined) throw nobodySigns(file.name, why, paths, approvalsRef);
      signature = await demandSigner(signedPlan, file.name, await sameBytes(file, ports), policy, ports);
      return signature;
    },
  };
  if (savedPlan !== undefined) await demand.signatureFor(savedPlan.plan);
  return demand;
}

/** `policy.approvals` of manifests. Undefined if there are none, or no manifests. Refused (65) when they are not valid. */
async function approvalsIn(
  paths: readonly string[],
  ref: string | undefined,
  ports: Ports,
): Promise<ApprovalsPolicy | undefined> {
  const load = (files?: FileAccess) =>
    loadDeclared(paths, ports, { isForSettings: true, ...(files === undefined ? {} : { files }) });
  // An old branch must not bring back signers who have left since, so the commit itself is read, not a merge base.
  const flag = { flag: '--approvals-ref', without: 'apply without --approvals-ref', isMergeBase: false };
  const { policy, diagnostics } = ref === undefined ? await load() : (await atCommit(ref, flag, ports, load)).value;
  const absences = new Set(['manifest.not-found', 'manifest.no-manifests']);
  const errors = diagnostics.filter(({ severity, code }) => severity === 'error' && !absences.has(code));
  if (errors.length > 0) throw invalidManifests(errors);
  return policy.approvals;
}

/** The bytes of the file. Refused (6) when they are not those that the plan was read from. */
async function sameBytes({ name, sha256 }: { readonly name: string; readonly sha256: string }, { cwd }: Ports) {
  const content = await readFile(resolve(cwd, name)).catch(() => Buffer.alloc(0));
  if (digestText(content) === sha256) return content;
  throw new Refusal(
    signedPlan.badSignature,
    exitCode.conflict,
    `${name} changed while it was read.`,
    'Nothing was done. Apply it again when nothing writes to it.',
  );
}

/** The command that makes such a plan. */
function commandOf(undoes: number | undefined, manifests: readonly string[]): string {
  if (undoes !== undefined) return `chatform undo ${undoes}`;
  return ['chatform plan', ...manifests.map((path) => shellWord(path))].join(' ');
}

function nobodySigns(name: string, why: string, paths: readonly string[], ref: string | undefined): Refusal {
  const place = paths.length === 0 ? 'in the working folder' : `in ${paths.join(', ')}`;
  return new Refusal(
    'signature.no-signers',
    exitCode.refused,
    `${name} needs a signature: ${why}. No policy.approvals ${place}${ref === undefined ? '' : ` at ${ref}`} says whose.`,
    'Nothing was done. Name the manifests of the plan with --approvals-from, or declare policy.approvals.signers in a change that is merged first.',
  );
}
