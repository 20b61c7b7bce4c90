// Refuses to remove protected objects, and to reopen disabled objects if the policy forbids it.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Policy } from '../../model/policy.ts';
import type { OrderedDraft } from '../order/steps.ts';

/** `protect` counts as last applied, so that removing it together with the object is refused (semantics §4.4). */
export function protectedRemoval({ draft }: OrderedDraft): Diagnostic[] {
  if (draft.removal === undefined || draft.record?.lifecycle?.protect !== true) return [];
  return [
    {
      severity: 'error',
      code: 'safety.protected',
      summary: 'A protected object may not be removed',
      detail: `${draft.address} was last applied with lifecycle: {protect: true}, but the plan would remove it. Keep it declared. To remove it, first apply protect: false, then remove it in a second change.`,
      address: draft.address,
    },
  ];
}

/** Refuses work that needs a disabled object reopened if the policy does not allow that (semantics §3). */
export function refusedReopening({ draft, bracket }: OrderedDraft, policy: Policy): Diagnostic[] {
  const attribute = draft.kind.disabledState.attribute;
  const rule = attribute === 'frozen' ? policy.reopen.frozen : policy.reopen.deactivated;
  if (!bracket || rule === 'allow') return [];
  return [
    {
      severity: 'error',
      code: 'safety.reopen',
      summary: 'A disabled object would have to be reopened',
      detail: `${draft.address} is ${attribute}, and the platform refuses the planned calls while it is. Allow chatform to reopen it temporarily with policy: {reopen: {${attribute}: allow}}, or leave out the change.`,
      address: draft.address,
      ...(draft.resource === undefined ? {} : { source: draft.resource.source }),
    },
  ];
}
