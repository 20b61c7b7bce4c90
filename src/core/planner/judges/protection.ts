// Refuses to remove protected objects, and to reopen disabled objects if the policy forbids it.
import type { Policy } from '../../model/policy.ts';
import type { Finding } from '../draft/finding.ts';
import { ignoredOf } from '../live/observed-state.ts';
import type { OrderedDraft } from '../order/steps.ts';

/** `protect` counts as last applied, so that removing it together with the object is refused (semantics §4.4). */
export function protectedRemoval({ draft }: OrderedDraft): Finding[] {
  if (draft.removal === undefined || draft.record?.lifecycle?.protect !== true) return [];
  return [
    {
      severity: 'error',
      problem: { code: 'safety.protected', address: draft.address },
      address: draft.address,
    },
  ];
}

/**
 * Refuses work that needs a disabled object reopened if the policy does not allow that, or if others may have enabled it, so
 * that disabling it again would undo what they did (semantics §1.6, §3).
 */
export function refusedReopening({ draft, bracket }: OrderedDraft, policy: Policy): Finding[] {
  const { kind, record, resource, found } = draft;
  const attribute = kind.disabledState.attribute;
  const rule = attribute === 'frozen' ? policy.reopen.frozen : policy.reopen.deactivated;
  // If chatform left it open, state knows that it has to be disabled.
  const isUnread =
    found === undefined &&
    record !== undefined &&
    record.bracket !== true &&
    ignoredOf(kind, record, resource).includes(attribute);
  if (!bracket || (rule === 'allow' && !isUnread)) return [];
  return [
    {
      severity: 'error',
      problem: { code: 'safety.reopen', address: draft.address, attribute, isUnread },
      address: draft.address,
      ...(draft.resource === undefined ? {} : { source: draft.resource.source }),
    },
  ];
}
