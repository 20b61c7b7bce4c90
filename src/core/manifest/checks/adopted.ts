// Reads `policy.adopt`, and checks that each entry means a declared object.
import { globMatcher } from '../../../lib/patterns/glob.ts';
import type { Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Policy } from '../../model/policy.ts';
import { type ManifestDocument, spotIn } from '../document/document.ts';
import type { Problems } from '../problems/problems.ts';

/** Returns the valid globs of `policy.adopt`. */
export function readAdopted(document: ManifestDocument, globs: readonly string[], problems: Problems): string[] {
  return globs.filter((glob, at) => {
    const fault = faultOfGlob(glob);
    if (fault === undefined) return true;
    problems.add('manifest.bad-pattern', fault, spotIn(document, ['policy', 'adopt', String(at)]));
    return false;
  });
}

function faultOfGlob(glob: string): string | undefined {
  if (!/^[a-z_*?{},[\]]+\../su.test(glob))
    return `${JSON.stringify(glob)} is not an address. Write it as kind.key, or as a glob such as group_channel.support-*.`;
  try {
    globMatcher(glob, 'text');
    return undefined;
  } catch (error) {
    return `${error instanceof Error ? error.message : `${JSON.stringify(glob)} is not a glob`}.`;
  }
}

/** Warns of entries that match nothing, which are often misspelt. */
export function adoptWarnings(
  { adopt = [], source }: Pick<Policy, 'adopt' | 'source'>,
  resources: Iterable<{ readonly address: Address }>,
): Diagnostic[] {
  const unmatched = new Map(adopt.map((glob) => [glob, globMatcher(glob, 'text')]));
  for (const { address } of resources) {
    for (const [glob, matches] of unmatched) if (glob === address || matches(address)) unmatched.delete(glob);
    if (unmatched.size === 0) return [];
  }
  return Array.from(unmatched.keys(), (glob) => ({
    severity: 'warning',
    code: 'policy.adopt-nothing',
    summary: 'An entry of policy.adopt matches no declared object',
    detail: `${JSON.stringify(glob)} matches no address of a declared object, so it takes nothing into state. Declare the objects, or correct or remove the entry.`,
    ...(source === undefined ? {} : { source }),
  }));
}
