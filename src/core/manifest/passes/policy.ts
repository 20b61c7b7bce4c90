// The passes over the parts of a policy that few manifests have: signers, rules and restrictions.

import type { Address } from '../../model/address.ts';
import type { PlanRules } from '../checks/plan-rules.ts';
import type { RemovalEntry } from '../checks/removals.ts';
import { checkRestrictedEffect, checkRestrictionFiles, PolicyRestrictions } from '../checks/restrictions.ts';
import { type Settings, withPolicy } from '../checks/settings.ts';
import { namesSignersFile, withSignersOfFile } from '../checks/signers.ts';
import type { ManifestDocument } from '../document/document.ts';
import type { LoadTools } from './load-tools.ts';

/** The settings with the signers of the file that the policy names. */
export async function withSigners(
  settings: Settings,
  documents: readonly ManifestDocument[],
  tools: LoadTools,
): Promise<Settings> {
  const { policy } = settings;
  if (policy.approvals === undefined || !documents.some(namesSignersFile)) return settings;
  const context = { ...tools, repository: await tools.repository() };
  const approvals = await withSignersOfFile(policy.approvals, documents, context);
  return withPolicy(settings, { ...policy, approvals });
}

/** Returns undefined if the policy has no rules. */
export async function compileRules(
  { policy }: Settings,
  documents: readonly ManifestDocument[],
  { kinds, problems }: LoadTools,
): Promise<PlanRules | undefined> {
  const document = documents.find(({ outline }) => outline.policy !== undefined);
  if (policy.rules === undefined || document === undefined) return undefined;
  const { readPlanRules } = await import('../checks/plan-rules.ts');
  return readPlanRules(document, kinds, problems);
}

/** What restrictions judge beside the blocks. `files` are all that were read, unless some could not be. */
interface Restricted {
  readonly documents: readonly ManifestDocument[];
  readonly removals: ReadonlyMap<Address, RemovalEntry>;
  readonly files: readonly { readonly name: string }[] | undefined;
}

/** Checks the removals and the patterns of files. Returns undefined if nothing is restricted. */
export function restrict(
  { policy, rules }: Settings,
  { documents, removals, files }: Restricted,
  { kinds, problems }: LoadTools,
): PolicyRestrictions | undefined {
  const { restrictions: list = [] } = rules;
  if (list.length === 0 && (policy.restrictions ?? []).length === 0) return undefined;
  const restrictions = new PolicyRestrictions(list, kinds);
  for (const { entry, spot } of removals.values()) {
    const { address, source } = entry;
    checkRestrictedEffect({ file: source.file, address }, restrictions, problems, spot);
  }
  if (files !== undefined) checkRestrictionFiles(documents, files, problems);
  return restrictions.isEmpty ? undefined : restrictions;
}
