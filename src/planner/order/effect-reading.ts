// How is it read whether a deletion, a closing or an opening had its effect, when it must not simply be sent again?

import { keyOf } from '../../model/address.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { Step } from '../../model/step.ts';
import type { KindDefinition } from '../../resources/define.ts';

/**
 * The step with a read in place of its call: it succeeds, and writes the entry, when the effect is seen. Undefined for
 * calls that are safe to repeat.
 */
export function readingOf(kind: KindDefinition, step: Step): Step | undefined {
  if (kind.isChild === true) return undefined;
  const key = keyOf(step.address);
  const { split: _parts, ...own } = step;
  const request = kind.view(key);
  if (step.action === 'delete') {
    // An object that is there has its key, so this is never met.
    return { ...own, request, doneOn: [platformCode.notFound], expect: [{ path: [kind.keyName], is: null }] };
  }
  const { disable, enable, field, unreadableOn = [] } = kind.disabledState;
  const wanted = step.request?.body?.[field];
  if ((step.action !== disable && step.action !== enable) || wanted === undefined) return undefined;
  const doneOn = step.action === disable ? unreadableOn : [];
  return { ...own, request, doneOn, expect: [{ path: [field], is: wanted }] };
}
