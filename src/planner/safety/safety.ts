// The safety rules, which refuse dangerous plans (semantics §3, §4). Each rule has its own file.

import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { compareText } from '../../lib/json.ts';
import type { Collect } from '../../lib/series.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Policy } from '../../model/policy.ts';
import type { StateEntry, StateRecord } from '../../model/record.ts';
import type { OrderedDraft } from '../order/steps.ts';
import { Acknowledgements } from './acknowledgements.ts';
import { overBudget } from './budgets.ts';
import { EffectTally } from './effects.ts';
import { protectedRemoval, refusedReopening } from './protection.ts';

export interface SafetyInput {
  readonly policy: Policy;
  /** `2026-12-01`, in UTC. */
  readonly today: string;
  /** The state record of acknowledgements in use. */
  readonly acknowledged?: StateRecord;
  /** Whether a person confirmed emptying the application. Then no acknowledgement is needed, but protected objects stay. */
  readonly isConfirmed?: boolean;
  /** Whether the plan undoes a run, so that nothing was removed from the manifests. */
  readonly isUndo?: boolean;
}

export interface Safety {
  /** A plan with a refusal is shown but never applied (exit code 5). */
  readonly refusals: readonly Diagnostic[];
  readonly notes: readonly Diagnostic[];
  /** Entries to write to state before the first step. */
  readonly entries: readonly StateEntry[];
}

/** Takes every record of state and every object of the plan, then judges. */
export class SafetyCheck {
  readonly #input: SafetyInput;
  readonly #collect: Collect;
  /** Absent while the plan removes nothing and state is empty. */
  #tally: EffectTally | undefined;
  readonly #refusals: Diagnostic[] = [];

  constructor(input: SafetyInput, collect: Collect) {
    this.#input = input;
    this.#collect = collect;
  }

  addRecord(kind: KindDefinition, record: StateRecord): void {
    this.#tallied().addRecord(kind, record);
  }

  addObject(ordered: OrderedDraft): void {
    const { draft, steps, bracket } = ordered;
    // Completing a creation removes nothing, except for messages that it erases.
    const isCreation = draft.completesCreation && steps.every(({ action }) => action !== 'erase');
    if (!isCreation) this.#tallied().addObject(ordered);
    if (draft.removal !== undefined) this.#refusals.push(...protectedRemoval(ordered));
    if (bracket) this.#refusals.push(...refusedReopening(ordered, this.#input.policy));
  }

  judge(): Safety {
    const { policy, today, acknowledged, isConfirmed = false, isUndo = false } = this.#input;
    const refusals = this.#refusals.sort((left, right) => compareText(left.address ?? '', right.address ?? ''));
    const isUnacknowledged = policy.acknowledge.length === 0 && acknowledged === undefined;
    if (this.#tally === undefined && isUnacknowledged) return { refusals, notes: [], entries: [] };
    const tally = this.#tallied();
    const acknowledgements = new Acknowledgements(policy, acknowledged, today);
    if (!isConfirmed) refusals.push(...overBudget(tally, policy, acknowledgements, isUndo));
    const { counts } = tally;
    const entry = acknowledgements.entry();
    return {
      refusals,
      notes: acknowledgements.spent((effect) => counts.has(effect)),
      entries: entry === undefined ? [] : [entry],
    };
  }

  #tallied(): EffectTally {
    this.#tally ??= new EffectTally(this.#collect);
    return this.#tally;
  }
}
