// Decides whether the live objects are read: as asked, or else as the policy says.
import type { Policy } from '../../model/policy.ts';

/** `asked`: --refresh or --skip-refresh. A plan that is saved is read for as an apply, which will not read again (semantics §6.1). */
export function isToRefresh(
  asked: boolean | undefined,
  { refresh }: Pick<Policy, 'refresh'>,
  purpose: 'look' | 'save' | 'apply',
): boolean {
  return asked ?? (refresh === 'always' || (refresh === 'on_apply' && purpose !== 'look'));
}
