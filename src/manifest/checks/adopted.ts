// Checks that each entry of `policy.adopt` means a declared object.
import { globMatcher } from '../../lib/patterns/glob.ts';
import type { Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Policy } from '../../model/policy.ts';

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
