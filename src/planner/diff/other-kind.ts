// Refuses an object whose key belongs to one of another kind, such as a bot that is a user in state.
import { addressOf, keyOf } from '../../model/address.ts';
import type { KindDefinition } from '../../resources/define.ts';
import type { ObjectPlan } from './draft.ts';

/** `kind`: of the object that has the key. */
export function refusedFor({ kind, title }: KindDefinition, plan: ObjectPlan): ObjectPlan {
  const rival = addressOf(kind, keyOf(plan.address));
  return {
    ...plan,
    problems: [
      ...plan.problems,
      {
        severity: 'error',
        code: 'plan.other-kind',
        summary: 'The key belongs to an object of another kind',
        detail: `State knows ${rival}, and the platform cannot turn a ${title} into a ${plan.kind.title}: both would have the ${plan.kind.keyName} ${keyOf(plan.address)}. Choose another key. Or let it go first: list {address: ${rival}, on_remove: delete} under removed, without this declaration, and apply; what was kept under the key is lost by that. If it is a ${plan.kind.title} on the platform already, run chatform state forget ${rival}, and adopt ${plan.address}.`,
        path: [],
      },
    ],
  };
}
