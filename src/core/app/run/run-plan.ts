// Executes the steps of a plan, for apply, destroy and rehearse alike, on the real or a simulated platform.

import type { JsonObject } from '../../../lib/json.ts';
import { applyPlan } from '../../applier/apply.ts';
import { defaultSettleMs, type Settling } from '../../applier/doubt/search.ts';
import type { ApplierOptions, ApplyResult } from '../../applier/options.ts';
import type { AnswerReader, ApplyPorts } from '../../applier/step/options.ts';
import { type Address, addressOf, keyOf } from '../../model/address.ts';
import type { Plan } from '../../model/plan.ts';
import { entryAddress, type StateRecord } from '../../model/record.ts';
import type { Step } from '../../model/step.ts';
import { keptUnasked } from '../../planner/live/observation.ts';
import { readOfStored, shownValues } from '../../planner/live/stored-values.ts';
import { takeOverOf } from '../../planner/take-over.ts';
import { findKind } from '../../resources/index.ts';
import { messages } from '../../resources/messages/messages.ts';
import { usersIn, usersRead } from '../../resources/user/users-read.ts';

export interface RunPlanOptions
  extends Omit<ApplierOptions, 'adopt' | 'answers' | 'enter' | 'settling'>,
    Pick<Settling, 'readList'> {
  /** See `Settling`. Default: `defaultSettleMs`. */
  readonly afterMs?: number | undefined;
  /** Called for an object that a create met on the platform, before it enters state. */
  readonly found?: (record: StateRecord) => void;
}

/** Rejects as `applyPlan` does. */
export async function runPlan(plan: Plan, ports: ApplyPorts, options: RunPlanOptions): Promise<ApplyResult> {
  const { readList, afterMs = defaultSettleMs, prepare, found, ...rest } = options;
  // An interrupted run leaves the loaded files and the used acknowledgements to the next.
  const bookkeeping = () => (plan.bookkeeping ?? []).map((entry) => ports.state.done(entryAddress(entry), entry));
  const settling = { kindOf: findKind, readList, afterMs, trustDedup: plan.settings.trust_dedup === true };
  return applyPlan(plan, ports, {
    ...rest,
    settling,
    answers: answerReader,
    prepare: () => Promise.all([prepare?.(), ...bookkeeping()]),
    ...takeOverIn(plan, found),
  });
}

/** How an object that a create found enters state. A channel that does not store the plan's messages is refused. */
function takeOverIn(
  plan: Plan,
  onTakenOver?: RunPlanOptions['found'],
): Required<Pick<ApplierOptions, 'adopt' | 'enter'>> {
  const loses = ({ address }: Step, observed: JsonObject): boolean =>
    observed.is_ephemeral === true && hasStepsOf(plan, addressOf(messages.name, keyOf(address)));
  return {
    adopt: (step, live) => {
      const kind = findKind(step.address);
      const steps = kind === undefined || loses(step, kind.observe(live)) ? undefined : takeOverOf(kind, step, live);
      const entry = steps?.[0]?.entry;
      if (entry?.type === 'put') onTakenOver?.(entry.record);
      return steps;
    },
    enter: (step, live) => {
      const kind = findKind(step.address);
      if (kind === undefined || step.entry.type !== 'put') return step.entry;
      const observed = kind.observe(live);
      if (loses(step, observed))
        return `${step.address} exists and does not store messages, but the plan has messages for it`;
      const { record } = step.entry;
      const entered = { ...record, attributes: { ...keptUnasked(kind, observed), ...record.attributes } };
      onTakenOver?.(entered);
      return { type: 'put', record: entered };
    },
  };
}

function hasStepsOf({ steps }: Plan, address: Address): boolean {
  for (const step of steps) if (step.address === address) return true;
  return false;
}

/** How the registered kinds read the answers of the platform, for the applier. */
export const answerReader: AnswerReader = {
  readOf: (step) => {
    const kind = findKind(step.address);
    return kind === undefined ? undefined : readOfStored(kind, step);
  },
  compare: (step, request, answer) => {
    const kind = findKind(step.address);
    if (kind === undefined) return { entry: step.entry, differing: [], isAsSent: false };
    return shownValues(kind, step, request, answer);
  },
  usersRead,
  usersIn,
};
