// Which plans are too dangerous to run unasked? (semantics §3, §4) Each rule stands in a file of its own.
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Policy } from '../model/policy.ts';
import type { StateEntry, StateRecord } from '../model/record.ts';
import { Acknowledgements } from './acknowledgements.ts';
import { overBudget } from './budgets.ts';
import { countEffects } from './effects.ts';
import type { OrderedObject } from './order.ts';
import { protectedRemoval, refusedBracket } from './protection.ts';

export interface SafetyInput {
  /** Of all objects in state. */
  readonly records: Iterable<StateRecord>;
  readonly policy: Policy;
  /** `2026-12-01`, in UTC. */
  readonly today: string;
  /** What state keeps of acknowledgements in use. */
  readonly acknowledged?: StateRecord;
  /** A person named the application to be emptied: no number is asked for, but what is protected stays. */
  readonly isConfirmed?: boolean;
}

export interface Safety {
  /** A plan with a refusal is shown, never applied (5). */
  readonly refusals: readonly Diagnostic[];
  readonly notes: readonly Diagnostic[];
  /** What state has to know before the first step. */
  readonly entries: readonly StateEntry[];
}

export function judgeSafety(objects: readonly OrderedObject[], input: SafetyInput): Safety {
  const { policy, records, today, acknowledged, isConfirmed = false } = input;
  const acknowledgements = new Acknowledgements(policy, acknowledged, today);
  const refusals = objects.flatMap((object) => [...protectedRemoval(object), ...refusedBracket(object, policy)]);
  if (!isConfirmed) refusals.push(...overBudget(objects, records, policy, acknowledgements));
  const effects = policy.acknowledge.length === 0 ? undefined : countEffects(objects);
  const entry = acknowledgements.entry();
  return {
    refusals,
    notes: acknowledgements.spent((effect) => effects?.has(effect) === true),
    entries: entry === undefined ? [] : [entry],
  };
}
