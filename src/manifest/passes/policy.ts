// The passes over the parts of a policy that few manifests have: signers, rules, restrictions, and what an apply may adopt.

import { adoptWarnings } from '../checks/adopted.ts';
import { checkRestrictedEffect, checkRestrictionFiles, PolicyRestrictions } from '../checks/restrictions.ts';
import { withPolicy } from '../checks/settings.ts';
import { withSignersOfFile } from '../checks/signers.ts';
import type { ManifestLoad } from './manifest-load.ts';

export async function readSignersFile(load: ManifestLoad): Promise<void> {
  const { documents, settings, cwd, files, problems } = load;
  const { policy } = settings;
  if (policy.approvals === undefined) return;
  const context = { cwd, files, problems, repository: await load.repository };
  const approvals = await withSignersOfFile(policy.approvals, documents, context);
  load.settings = withPolicy(settings, { ...policy, approvals });
}

export async function compileRules(load: ManifestLoad): Promise<void> {
  const document = load.documents.find(({ outline }) => outline.policy !== undefined);
  const { readPlanRules } = await import('../checks/plan-rules.ts');
  if (document !== undefined) load.planRules = readPlanRules(document, load.kinds, load.problems);
}

export function restrict(load: ManifestLoad): void {
  const { settings, kinds, parsed, sources, problems } = load;
  const restrictions = new PolicyRestrictions(settings.rules.restrictions ?? [], kinds);
  for (const { entry, spot } of load.removals.values()) {
    const { address, source } = entry;
    checkRestrictedEffect({ file: source.file, address }, restrictions, problems, spot);
  }
  const files = [...parsed, ...sources].map(({ file }) => file);
  if (!load.isPartial) checkRestrictionFiles(load.documents, files, problems);
  if (!restrictions.isEmpty) load.restrictions = restrictions;
}

export function checkAdopted({ settings, resources, warnings }: ManifestLoad): void {
  warnings.push(...adoptWarnings(settings.policy, resources));
}
