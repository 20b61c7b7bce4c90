// How does a run meet a saved plan again: which of its steps are done, and is it still true? (semantics §6)
import type { Address } from '../model/address.ts';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import type { Plan } from '../model/plan.ts';
import type { StateSnapshot } from '../model/ports.ts';
import { digestOfRecord } from '../model/record.ts';
import type { Step } from '../model/step.ts';

export interface RemainingWork {
  readonly steps: readonly Step[];
  readonly alreadyDone: number;
  /** Objects whose record is none of those that the plan passes through. */
  readonly conflicts: readonly Address[];
}

/**
 * An object's record stands at one of the digests that the plan foresees: before its first step, or after its n-th.
 * The steps up to there are done and skipped. Any other record was changed by another run. Where a bracket leads back
 * to the same record, the earliest place counts: opening and closing once more does no harm, leaving it out would.
 */
export function remainingWork(plan: Plan, state: StateSnapshot): RemainingWork {
  const done = new Map<Address, number>();
  const conflicts = new Set<Address>();
  for (const [address, digests] of Object.entries(plan.preconditions) as [Address, readonly string[]][]) {
    const position = digests.indexOf(digestOfRecord(state.get(address)));
    if (position === -1) conflicts.add(address);
    else done.set(address, position);
  }
  const seen = new Map<Address, number>();
  const steps: Step[] = [];
  const gone = new Set<string>();
  for (const step of plan.steps) {
    const position = seen.get(step.address) ?? 0;
    seen.set(step.address, position + 1);
    if (position < (done.get(step.address) ?? 0)) gone.add(step.id);
    else steps.push(step);
  }
  return { steps: withoutNeeds(steps, gone), alreadyDone: gone.size, conflicts: [...conflicts] };
}

/** Drops whole objects: those in conflict, and every object with a step that waits for one of theirs. */
export function withoutObjects(steps: readonly Step[], addresses: readonly Address[]): Step[] {
  const dropped = new Set(addresses);
  const owner = new Map(steps.map(({ id, address }) => [id, address]));
  for (;;) {
    const before = dropped.size;
    for (const step of steps) {
      const waitsForDropped = [...step.needs, ...(step.after ?? [])].some((id) => {
        const address = owner.get(id);
        return address !== undefined && dropped.has(address);
      });
      if (waitsForDropped) dropped.add(step.address);
    }
    if (dropped.size === before) return steps.filter(({ address }) => !dropped.has(address));
  }
}

function withoutNeeds(steps: readonly Step[], gone: ReadonlySet<string>): Step[] {
  if (gone.size === 0) return [...steps];
  const remaining = (ids: readonly string[]) => ids.filter((id) => !gone.has(id));
  return steps.map((step) => ({
    ...step,
    needs: remaining(step.needs),
    ...(step.after === undefined ? {} : { after: remaining(step.after) }),
  }));
}

/** Before anything is read or written for it. */
export function checkPlanFits(plan: Plan, application: string, state: StateSnapshot): void {
  if (plan.application !== application) {
    throw new Refusal(
      'plan.other-application',
      exitCode.conflict,
      `The plan is for ${plan.application}, and this run is for ${application}.`,
      'Give the --base-url of the application that the plan was made for, or make the plan again.',
    );
  }
  const lineage = state.header?.lineage;
  if (plan.lineage !== undefined && plan.lineage !== lineage) {
    throw new Refusal(
      'plan.other-state',
      exitCode.conflict,
      'The plan was made against another state.',
      'Give the --state that the plan was made with, or make the plan again.',
    );
  }
}

export function planConflict(conflicts: readonly Address[]): Refusal {
  const named = conflicts.slice(0, 10).join(', ');
  const more = conflicts.length > 10 ? `, and ${conflicts.length - 10} more` : '';
  return new Refusal(
    'plan.conflict',
    exitCode.conflict,
    `State has changed since the plan was made: ${named}${more}.`,
    'Nothing was written. Make the plan again and have it reviewed; or apply the rest of it with --skip-conflicts.',
  );
}
