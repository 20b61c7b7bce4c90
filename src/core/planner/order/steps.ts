// Orders the drafted steps of one object and determines the steps that each waits for (semantics §3).
//
// Steps of one object run in the order of their phases. Steps of one phase also form a chain, except for memberships, which
// are independent. Between objects, a step waits for the creation of every object that it names, and for the enabling of
// every object that must be enabled. Conversely, an object is disabled only after all work that needs it enabled, and enabled
// or deleted only after the calls that remove rights from it. Each of these needs points to an earlier phase, so the graph
// has no cycle, which is checked here.
//
//   revoke → open → leave → user → channel → invite → operators → … → hide → reopen → freeze → deactivate → delete

import { InternalError } from '../../../lib/errors.ts';
import { inKeyOrder } from '../../../lib/json.ts';
import type { DisablePolicy } from '../../kinds/definition/kind.ts';
import type { RecordFlags, StateEntry, StateRecord } from '../../model/record.ts';
import { phaseRank, type Step } from '../../model/step.ts';
import type { DraftedStep, ObjectDraft } from '../draft/draft.ts';
import { chainOf, idAt, type PlacedStep, runSideBySide } from './chain.ts';
import { Milestones } from './milestones.ts';
import type { Turn } from './turning-objects.ts';

export interface OrderedDraft {
  readonly draft: ObjectDraft;
  readonly steps: readonly Step[];
  /** Whether the object is reopened for work and disabled again. */
  readonly bracket: boolean;
}

/** A future step. It waits for the success of `needs`, but only for the end of `after`. */
interface WaitingStep extends PlacedStep {
  readonly needs: Set<string>;
  readonly after: Set<string>;
}

/** `milestones` must be settled and contain this draft. */
export function orderDraft(draft: ObjectDraft, milestones: Milestones, policy: DisablePolicy): OrderedDraft {
  const turn = milestones.turnOf(draft.address);
  const chain = chainOf(draft, turn, policy);
  const closing = chain.findLast(({ action }) => action === draft.kind.disabledState.disable);
  let group: string[] = [];
  let previous: readonly string[] = [];
  const steps = chain.map((step, place): Step => {
    const { phase } = step;
    const id = idAt(draft.address, place);
    const other = chain[place - 1];
    if (other === undefined || !runSideBySide(other, step)) {
      previous = group;
      group = [];
    }
    group.push(id);
    // A reopened object is disabled again however the work on it ends.
    const isClosing = step === closing;
    const ends = isClosing && turn.isBracket;
    const waiting: WaitingStep = {
      id,
      phase,
      needs: new Set(ends ? [] : previous),
      after: new Set(ends ? previous : []),
    };
    addNeeds(waiting, step, draft, milestones);
    if (turn.waiters.length > 0) addWaiters(waiting, step, draft, turn, isClosing);
    return stepOf(draft, step, waiting, place === chain.length - 1);
  });
  return { draft, steps, bracket: turn.isBracket };
}

/** Orders an object on its own. */
export function orderAlone(draft: ObjectDraft, policy: DisablePolicy): OrderedDraft {
  const milestones = new Milestones(policy);
  milestones.add(draft);
  milestones.settle();
  return orderDraft(draft, milestones, policy);
}

/** Adds the needs that the step itself names. */
function addNeeds(waiting: WaitingStep, step: DraftedStep, draft: ObjectDraft, milestones: Milestones): void {
  const { exists, active, between } = step;
  for (const address of exists ?? []) {
    const creation = milestones.creationOf(address);
    if (creation !== undefined && creation !== waiting.id) waiting.needs.add(creation);
  }
  for (const configuring of milestones.configuring(draft, step)) waiting.needs.add(earlier(configuring, waiting).id);
  for (const address of active ?? []) {
    const opening = milestones.openingOf(address);
    if (opening !== undefined) waiting.needs.add(earlier(opening, waiting).id);
  }
  for (const address of between ?? []) {
    for (const other of milestones.stepsOf(address)) {
      if (phaseRank[other.phase] < phaseRank[waiting.phase]) waiting.needs.add(other.id);
    }
  }
}

/** Adds the needs that come from steps of other objects. */
function addWaiters(
  waiting: WaitingStep,
  { action, deletes, request }: DraftedStep,
  { kind }: ObjectDraft,
  { waiters, isBracket }: Turn,
  isClosing: boolean,
): void {
  const isOpening = action === kind.disabledState.enable;
  const isDeletion = deletes === true && request !== undefined;
  for (const waiter of waiters) {
    const isAwaited =
      waiter.how === 'active'
        ? isClosing || isDeletion
        : waiter.how === 'names'
          ? isDeletion || (isOpening && waiter.phase === 'revoke')
          : !(isClosing || isDeletion) && phaseRank[waiter.phase] < phaseRank[waiting.phase];
    if (isAwaited) (isClosing && isBracket ? waiting.after : waiting.needs).add(earlier(waiter, waiting).id);
  }
}

function earlier(other: PlacedStep, { id, phase }: PlacedStep): PlacedStep {
  if (phaseRank[other.phase] < phaseRank[phase]) return other;
  throw new InternalError(`${id} (${phase}) cannot wait for ${other.id} (${other.phase})`);
}

function stepOf(
  draft: ObjectDraft,
  drafted: DraftedStep,
  { id, phase, needs, after }: WaitingStep,
  isLast: boolean,
): Step {
  const { action, request, begin, doneOn, member, leavesOut, doneAgainOn, resolve, search, expect, sink } = drafted;
  return {
    id,
    address: draft.address,
    action,
    phase,
    ...(request === undefined ? {} : { request }),
    entry: entryOf(draft, drafted, isLast),
    needs: needs.size === 0 ? [] : [...needs].sort(),
    ...(after.size === 0 ? {} : { after: [...after].sort() }),
    begin: begin ?? false,
    doneOn: doneOn ?? [],
    ...(member === undefined ? {} : { member }),
    ...(leavesOut === undefined ? {} : { leavesOut }),
    ...(doneAgainOn === undefined ? {} : { doneAgainOn }),
    ...(resolve === undefined ? {} : { resolve }),
    ...(search === undefined ? {} : { search }),
    ...(expect === undefined ? {} : { expect }),
    ...(sink === undefined ? {} : { sink }),
  };
}

/** Flags a creation of several steps in state until the last one, so that an interrupted creation can be recognised. */
function entryOf({ address, completesCreation }: ObjectDraft, drafted: DraftedStep, isLast: boolean): StateEntry {
  if (drafted.deletes === true) return { type: 'delete', address };
  if (drafted.adopts !== undefined) return { type: 'put', record: inKeyOrder(drafted.adopts) };
  if (drafted.creates !== undefined) {
    const { lifecycle } = drafted.flags ?? {};
    const created: StateRecord = {
      address,
      attributes: drafted.creates,
      ...(lifecycle === undefined || lifecycle === null ? {} : { lifecycle }),
      ...(isLast ? {} : { creating: true }),
    };
    return { type: 'put', record: created };
  }
  const endsCreation = isLast && completesCreation;
  const flags: RecordFlags = { ...drafted.flags, ...(endsCreation ? { creating: null } : {}) };
  return {
    type: 'patch',
    address,
    edits: drafted.edits,
    ...(drafted.seen === undefined ? {} : { seen: drafted.seen }),
    ...(Object.keys(flags).length === 0 ? {} : { marks: flags }),
  };
}
