// Reads the manifests whose policy and limits judge plans that their author may have chosen.
import { resolve } from 'node:path';
import type { BehavioursFile } from '../../model/behaviours.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Ports } from '../context/ports.ts';
import { invalidManifests } from '../context/refusals.ts';
import { approvalsRef } from '../git/commit.ts';
import { adviceForFolder, type JudgingRules, rulesAbout, rulesAt } from './judging-rules.ts';
import { mayDeclareRules } from './judging-words.ts';
import { loadDeclared } from './load-declared.ts';

export interface JudgingOptions {
  /** The manifests whose policy applies. Default: the manifests of the plan. For a saved plan: the manifests in the working folder. */
  readonly approvalsFrom?: string | undefined;
  /** The git reference with the policy, limits, behaviours and place of the state that count. Absent: the files on disk. */
  readonly approvalsRef?: string | undefined;
}

/** The settings of manifests. */
export type DeclaredRules = Pick<JudgingRules['manifest'], 'policy' | 'planRules' | 'application' | 'statePlace'>;

export interface ReadRules {
  /** Absent if there are no manifests. */
  readonly declared?: DeclaredRules;
  /** The behaviours at the commit. Absent: those on disk count. */
  readonly behaviours?: readonly BehavioursFile[];
}

/**
 * Reads the rules from the manifests that the options name. Without such options it reads `paths`, and without paths the manifests of
 * the working folder that declare the application. Refused (65) when manifests are invalid, or when named manifests do not exist: a
 * misspelt name must not remove the need for a signature. Refused (5) when the policy for the application is unknown (`rulesAbout`).
 */
export async function judgingRules(
  { approvalsFrom, approvalsRef: ref }: JudgingOptions,
  { paths: others = [], application }: { readonly paths?: readonly string[]; readonly application?: string },
  ports: Ports,
): Promise<ReadRules> {
  const paths = approvalsFrom === undefined ? others : [approvalsFrom];
  const read = async (from: readonly string[]): Promise<Pick<JudgingRules, 'manifest'> & Partial<JudgingRules>> =>
    ref === undefined
      ? { manifest: await loadDeclared(from, ports, forSettings) }
      : rulesAt(ref, approvalsRef, from, ports, forSettings);
  let isFirstRead = true;
  const readFolder = async (from: readonly string[]) => {
    const rules = await read(from);
    const diagnostics: Diagnostic[] = [];
    for (const diagnostic of rules.manifest.diagnostics)
      if (ref !== undefined || (await mayHideRules(diagnostic, ports))) diagnostics.push(diagnostic);
    // The first read is of the whole folder.
    const links = isFirstRead && ref === undefined ? rules.manifest.diagnostics.filter(isUnreadLink) : [];
    if (links.length > 0) ports.notify({ type: 'remarks', diagnostics: links.map(warningOfLink) });
    isFirstRead = false;
    return { ...rules, manifest: { ...rules.manifest, diagnostics } };
  };
  const { manifest, behaviours } =
    paths.length === 0 && application !== undefined ? await rulesAbout(application, readFolder) : await read(paths);
  const { diagnostics } = manifest;
  const isAbsent = diagnostics.some(({ code }) => absences.has(code));
  const errors = diagnostics.filter(
    ({ severity, code }) => severity === 'error' && !(approvalsFrom === undefined && absences.has(code)),
  );
  if (errors.length > 0) throw invalidManifests(errors, paths.length === 0 ? adviceForFolder : undefined);
  return { ...(isAbsent ? {} : { declared: manifest }), ...(behaviours === undefined ? {} : { behaviours }) };
}

const forSettings = { isForSettings: true };
const absences = new Set(['manifest.not-found', 'manifest.no-manifests']);
const linkCodes = new Set(['manifest.leaves-folder', 'manifest.hidden-file']);

/** Whether the problem is a link that manifests are never read through. A path in a file has a place there. */
function isUnreadLink({ code, source }: Diagnostic): boolean {
  return source === undefined && linkCodes.has(code);
}

function warningOfLink(diagnostic: Diagnostic): Diagnostic {
  const detail = `${diagnostic.detail} A policy behind the link does not apply to this plan.`;
  return { ...diagnostic, severity: 'warning', detail };
}

/** Whether a policy may be missing because of the problem. The working folder may have YAML files of other programs. */
async function mayHideRules(diagnostic: Diagnostic, { cwd }: Pick<Ports, 'cwd'>): Promise<boolean> {
  const { source } = diagnostic;
  if (source === undefined) return !isUnreadLink(diagnostic);
  // Other files are parts of a policy, such as a file of signers.
  return !/\.ya?ml$/iu.test(source.file) || mayDeclareRules(resolve(cwd, source.file));
}

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
