// Compares a saved plan with state: which steps are done, and whether the rest still applies (semantics §6).

import type { Collect, Series } from '../../../lib/series.ts';
import { firstOf } from '../../../lib/words.ts';
import type { Address } from '../../model/address.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Plan } from '../../model/plan.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import { applyEntry, digestOfRecord, type StateEntry, type StateRecord } from '../../model/record.ts';
import type { Step } from '../../model/step.ts';
import type { LiveConflict } from './live-conditions.ts';
import type { BlockedObject } from './needed-objects.ts';

export interface RemainingWork {
  readonly steps: Series<Step>;
  readonly alreadyDone: number;
  /** Objects whose record matches none of the digests that the plan foresees. */
  readonly conflicts: readonly Address[];
}

/**
 * The plan foresees a digest of an object's record before its first step and after each step. The steps up to the digest that
 * matches the record are done and skipped. If none matches, another run changed the record. A temporary reopen leads back to
 * an earlier record; then the earliest match counts, because reopening once more does no harm but skipping it would. Parallel
 * steps may be done in any order: those are done whose entries the record contains, if the others lead from the record to the
 * digest that is foreseen after all of them.
 */
export function remainingWork(plan: Plan, state: StateSnapshot, collect: Collect): RemainingWork {
  const done = new Map<Address, number>();
  const unclear = new Map<Address, Step[]>();
  const conflicts = new Set<Address>();
  const digestsOf = new Map<Address, readonly string[]>();
  for (const [address, digests] of plan.preconditions) {
    const position = digests.indexOf(digestOfRecord(state.get(address)));
    if (position > 0) done.set(address, position);
    if (position !== -1) continue;
    unclear.set(address, []);
    digestsOf.set(address, digests);
  }
  if (done.size === 0 && unclear.size === 0) return { steps: plan.steps, alreadyDone: 0, conflicts: [] };
  const gone = new Set<string>();
  if (unclear.size > 0) {
    for (const step of plan.steps) unclear.get(step.address)?.push(step);
    for (const [address, chain] of unclear) {
      const doneIds = doneSideBySide(chain, digestsOf.get(address) ?? [], state.get(address));
      if (doneIds === undefined) conflicts.add(address);
      else for (const id of doneIds) gone.add(id);
    }
  }
  for (const { id, address } of plan.steps) {
    const doneCount = done.get(address) ?? 0;
    if (doneCount === 0) continue;
    done.set(address, doneCount - 1);
    gone.add(id);
  }
  return { steps: without(gone, plan.steps, collect), alreadyDone: gone.size, conflicts: [...conflicts] };
}

/** The ids of the done steps of an object within a group of parallel steps. Undefined outside such a group. */
function doneSideBySide(
  chain: readonly Step[],
  digests: readonly string[],
  record: StateRecord | undefined,
): string[] | undefined {
  for (let from = 0; from < chain.length; ) {
    let to = from + 1;
    while (to < chain.length && !chain[to]?.needs.includes(chain[from]?.id ?? '')) to++;
    const group = chain.slice(from, to);
    const done = group.filter(({ entry }) => changesSomething(entry) && isShown(entry, record));
    const undoneSteps = group.filter((step) => !done.includes(step));
    const end = undoneSteps.reduce((current, { entry }) => applyEntry(current, entry), record);
    if (done.length > 0 && digestOfRecord(end) === digests[to]) {
      return [...chain.slice(0, from), ...done].map(({ id }) => id);
    }
    from = to;
  }
  return undefined;
}

function changesSomething(entry: StateEntry): boolean {
  return entry.type === 'patch' && entry.edits.length > 0;
}

function isShown(entry: StateEntry, record: StateRecord | undefined): boolean {
  return digestOfRecord(applyEntry(record, entry)) === digestOfRecord(record);
}

/** Drops the given objects, and every object with a step that waits for a step of a dropped one. */
export function withoutObjects(steps: Series<Step>, addresses: readonly Address[], collect: Collect): Series<Step> {
  if (addresses.length === 0) return steps;
  const dropped = new Set<string>(addresses);
  const isOfDropped = (id: string) => dropped.has(id.slice(0, id.lastIndexOf('#')));
  for (let before = -1; before !== dropped.size; ) {
    before = dropped.size;
    for (const { address, needs, after = [] } of steps) {
      if (needs.some(isOfDropped) || after.some(isOfDropped)) dropped.add(address);
    }
  }
  const remainingSteps = collect<Step>();
  for (const step of steps) if (!dropped.has(step.address)) remainingSteps.push(step);
  return remainingSteps.end();
}

/** The remaining steps. They wait only for remaining steps. */
function without(gone: ReadonlySet<string>, steps: Series<Step>, collect: Collect): Series<Step> {
  if (gone.size === 0) return steps;
  const remainingSteps = collect<Step>();
  const remaining = (ids: readonly string[]) => ids.filter((id) => !gone.has(id));
  for (const step of steps) {
    if (gone.has(step.id)) continue;
    const { needs, after } = step;
    remainingSteps.push({
      ...step,
      needs: remaining(needs),
      ...(after === undefined ? {} : { after: remaining(after) }),
    });
  }
  return remainingSteps.end();
}

/** Checks the plan before anything is read or written for it. */
export function checkPlanFits(plan: Plan, application: string, state: StateSnapshot): void {
  if (plan.application !== application) {
    throw new Refusal(
      'plan.other-application',
      exitCode.conflict,
      `The plan is for ${plan.application}, but this run is for ${application}.`,
      'Pass the --base-url of the application that the plan was made for, or re-plan.',
    );
  }
  const lineage = state.header?.lineage;
  if (plan.lineage !== undefined && plan.lineage !== lineage) {
    throw new Refusal(
      'plan.other-state',
      exitCode.conflict,
      'The plan was made against another state.',
      'Pass the --state that the plan was made with, or re-plan.',
    );
  }
}

/** `blocked` needs objects that were disabled since. `elsewhere` was changed on the platform. */
const maxNamed = 10;

export function planConflict(
  conflicts: readonly Address[],
  blocked: readonly BlockedObject[],
  elsewhere: readonly LiveConflict[],
): Refusal {
  const inWords = ({ address, what }: BlockedObject | LiveConflict) => `${address} (${what})`;
  const changed = [...conflicts, ...blocked.map(inWords)];
  const changedElsewhere = elsewhere.map(inWords);
  const sentences = [
    ...(changed.length === 0
      ? []
      : [`State has changed since the plan was made: ${firstOf(changed, maxNamed, ', and')}.`]),
    ...(changedElsewhere.length === 0
      ? []
      : [`The platform changed since the plan was made: ${firstOf(changedElsewhere, maxNamed, ', and')}.`]),
  ];
  return new Refusal(
    'plan.conflict',
    exitCode.conflict,
    sentences.join(' '),
    'Nothing was written. Re-plan and have the new plan reviewed, or apply the unaffected rest with --skip-conflicts.',
  );
}
