// Turns a deletion, disabling or enabling in doubt into a read that tells whether it had its effect.

import { keyOf } from '../../model/address.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { Step } from '../../model/step.ts';
import type { KindDefinition } from '../../resources/define.ts';

/**
 * The step with a read instead of its call: it succeeds, and writes the entry, when the read shows the effect. Undefined
 * for calls that are safe to repeat.
 */
export function readingOf(kind: KindDefinition, step: Step): Step | undefined {
  if (kind.isChild === true) return undefined;
  const key = keyOf(step.address);
  const { split: _parts, ...own } = step;
  const request = kind.view(key);
  if (step.action === 'delete') {
    // An object that is still there shows its key, so this expectation is never met.
    return { ...own, request, doneOn: [platformCode.notFound], expect: [{ path: [kind.keyName], is: null }] };
  }
  const { disable, enable, field, unreadableOn = [] } = kind.disabledState;
  const wanted = step.request?.body?.[field];
  if ((step.action !== disable && step.action !== enable) || wanted === undefined) return undefined;
  const doneOn = step.action === disable ? unreadableOn : [];
  return { ...own, request, doneOn, expect: [{ path: [field], is: wanted }] };
}
