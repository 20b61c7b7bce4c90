// Which objects `policy.adopt` names.
import { globMatcher } from '../../../lib/patterns/glob.ts';
import type { Address } from '../../model/address.ts';
import type { Policy } from '../../model/policy.ts';

/** By list of globs, which are compiled once for a plan. */
const matchers = new WeakMap<readonly string[], readonly ((address: string) => boolean)[]>();

export function isAdopted({ adopt = [] }: Pick<Policy, 'adopt'>, address: Address): boolean {
  if (adopt.length === 0) return false;
  const matchersOfList = matchers.get(adopt) ?? adopt.map((glob) => globMatcher(glob, 'text'));
  matchers.set(adopt, matchersOfList);
  return adopt.includes(address) || matchersOfList.some((matches) => matches(address));
}
