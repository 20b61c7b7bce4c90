// Orders the drafts of all objects into one graph of steps, each with the steps that it waits for (semantics §3).
//
// Within one object steps follow each other in the order of their phases. Steps of one phase form a chain too, except for
// memberships, which are independent of each other and run side by side (`parallel`). Across objects a step waits for the
// creation of every object that it names, and for the enabling of every object that has to be enabled. In return an object
// is disabled only when all work that needs it enabled is done, and enabled or deleted only when the calls that take rights
// away from it are done. Each of these needs points to an earlier phase, so the graph has no cycle; `connect` checks that.
//
//   revoke → open → leave → user → channel → invite → operators → … → hide → reopen → freeze → deactivate → delete
//
// An object that ends enabled is enabled early (`open`) when a later step needs it so, else late (`reopen`). An object that
// is disabled now and stays so, but has work waiting, gets a temporary reopen (a bracket): it is enabled early, disabled
// again in its place however the work ended, and flagged in state in between, so that no interruption leaves it open.

import { InternalError } from '../../lib/errors.ts';
import { inKeyOrder } from '../../lib/json.ts';
import type { Address } from '../../model/address.ts';
import type { RecordFlags, StateEntry, StateRecord } from '../../model/record.ts';
import { type Phase, phaseRank, type Step } from '../../model/step.ts';
import type { DisablePolicy } from '../../resources/define.ts';
import { disableDraft, enableDraft } from '../diff/disabled-state.ts';
import type { ObjectPlan, PlannedDraft } from '../diff/draft.ts';
import { type CreatedObjects, nothingCreated } from './created-objects.ts';

export interface OrderedObject {
  readonly plan: ObjectPlan;
  readonly steps: readonly Step[];
  /** It is reopened for work and closed again. */
  readonly bracket: boolean;
}

interface OrderedDraft {
  readonly id: string;
  readonly plan: ObjectPlan;
  readonly draft: PlannedDraft;
  readonly needs: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
}

interface Node extends OrderedDraft {
  readonly needs: Set<string>;
  readonly after: Set<string>;
}

/** The steps of an object for which steps of other objects wait, or which wait for them. */
interface Anchors {
  created?: Node;
  opened?: Node;
  closed?: Node;
  deleted?: Node;
}

/**
 * Takes plans without errors, and returns them in the same order, each with its chain of steps. `created` are other
 * objects of the plan, whose creations these steps may wait for.
 */
export function order(
  plans: readonly ObjectPlan[],
  policy: DisablePolicy,
  created: CreatedObjects = nothingCreated,
): OrderedObject[] {
  const working = workingAddresses(plans);
  const nodes = new Map<Address, Node[]>();
  const anchors = new Map<Address, Anchors>();
  const brackets = new Set<Address>();
  for (const plan of plans) {
    const isWorkedOn = working.has(plan.address) || (plan.kind.disabledState.ownWorkNeedsEnabled && hasOwnWork(plan));
    const isBracket = plan.staysClosed && isWorkedOn;
    if (isBracket) brackets.add(plan.address);
    const chain = chainOf(plan, isWorkedOn, isBracket, policy);
    nodes.set(plan.address, chain);
    anchors.set(plan.address, anchorsOf(plan, chain));
  }
  for (const chain of nodes.values()) {
    const stages = stagesOf(chain);
    for (const [node, previous] of stages.flatMap((stage, place) =>
      stage.map((one) => [one, stages[place - 1]] as const),
    )) {
      const isOwnClose = brackets.has(node.plan.address) && node === anchors.get(node.plan.address)?.closed;
      for (const other of previous ?? []) connect(node, other, isOwnClose);
      for (const address of node.draft.exists ?? []) {
        const own = anchors.get(address);
        const step = own === undefined ? created.stepOf(address) : undefined;
        if (step !== undefined) node.needs.add(step);
        else connect(node, own?.created);
      }
      for (const address of node.draft.active ?? []) {
        connect(node, anchors.get(address)?.opened);
        connect(anchors.get(address)?.closed, node, brackets.has(address));
        connect(anchors.get(address)?.deleted, node);
      }
      for (const address of node.draft.between ?? []) {
        const { closed, deleted } = anchors.get(address) ?? {};
        for (const other of nodes.get(address) ?? []) {
          const rank = phaseRank[other.draft.phase] - phaseRank[node.draft.phase];
          // Disabling and deleting wait for the steps that name the object in `active`, handled above.
          if (rank < 0) connect(node, other);
          else if (rank > 0 && other !== closed && other !== deleted) connect(other, node);
        }
      }
      for (const address of node.draft.names ?? []) {
        // Rights are taken away before the object that had them is enabled.
        if (node.draft.phase === 'revoke') connect(anchors.get(address)?.opened, node);
        connect(anchors.get(address)?.deleted, node);
      }
    }
  }
  return plans.map((plan) => ({
    plan,
    steps: (nodes.get(plan.address) ?? []).map((node, position, chain) => stepOf(node, position === chain.length - 1)),
    bracket: brackets.has(plan.address),
  }));
}

/**
 * Orders an object that waits only for objects created before, while others wait at most for its creation. Most objects
 * of a large plan are such, and most of these take a single call.
 */
export function orderAlone(plan: ObjectPlan, policy: DisablePolicy, created: CreatedObjects): OrderedObject {
  const [draft, ...others] = plan.drafts;
  if (draft !== undefined && others.length === 0 && draft.exists === undefined) {
    const node = { id: `${plan.address}#1`, plan, draft, needs: none, after: none };
    return { plan, steps: [stepOf(node, true)], bracket: false };
  }
  const [ordered] = order([plan], policy, created);
  return ordered ?? { plan, steps: [], bracket: false };
}

const none: ReadonlySet<string> = new Set();

function workingAddresses(plans: readonly ObjectPlan[]): Set<Address> {
  const addresses = new Set<Address>();
  for (const { drafts } of plans) {
    for (const { active } of drafts) for (const address of active ?? []) addresses.add(address);
  }
  return addresses;
}

function hasOwnWork({ drafts }: ObjectPlan): boolean {
  return drafts.some(({ request, deletes }) => request !== undefined && deletes !== true);
}

function chainOf(plan: ObjectPlan, isWorkedOn: boolean, isBracket: boolean, policy: DisablePolicy): Node[] {
  const drafts: PlannedDraft[] = [...plan.drafts];
  if (isBracket)
    drafts.push(enableDraft(plan, 'open', { bracket: true }), disableDraft(plan, { bracket: null }, policy));
  else if (plan.leftOpen === true && !isDeleted(plan)) drafts.push(disableDraft(plan, { bracket: null }, policy));
  if (plan.opens) {
    const flags: RecordFlags = plan.record?.bracket === true ? { bracket: null } : {};
    drafts.push(enableDraft(plan, isWorkedOn ? 'open' : 'reopen', flags));
  }
  if (plan.closes) drafts.push(disableDraft(plan, plan.closingFlags ?? {}, policy));
  const sorted = inPhases(drafts);
  const [last, beforeLast] = [sorted.at(-1), sorted.at(-2)];
  // Which of several parallel steps ends last is not known, so the end of the creation is recorded by a step of its own.
  if (plan.completesCreation && last !== undefined && beforeLast !== undefined && runSideBySide(beforeLast, last)) {
    sorted.push({ action: last.action, phase: 'record', edits: [] });
  }
  let position = 0;
  return sorted.map((draft) => {
    position += draft.runLength ?? 1;
    return { id: `${plan.address}#${position}`, plan, draft, needs: new Set<string>(), after: new Set<string>() };
  });
}

/** In the order of a run; the sort is stable. */
export function inPhases(drafts: readonly PlannedDraft[]): PlannedDraft[] {
  return [...drafts].sort((left, right) => phaseRank[left.phase] - phaseRank[right.phase]);
}

/** Replaces a summary by all of its steps. A draft that stands for several has the id of the last one. */
export function inFull(object: OrderedObject): OrderedObject {
  const summary = object.plan;
  const plan = summary.whole?.();
  if (plan === undefined) return object;
  const drafts = inPhases(plan.drafts);
  const steps: Step[] = [];
  for (const [place, { runLength = 1 }] of inPhases(summary.drafts).entries()) {
    const { needs = [], after = [] } = object.steps[place] ?? {};
    for (let own = 0; own < runLength; own++) {
      const draft = drafts[steps.length];
      if (draft === undefined) throw new InternalError(`${plan.address} is planned otherwise than it was ordered`);
      const waits =
        own === 0
          ? { needs: new Set(needs), after: new Set(after) }
          : { needs: new Set([steps.at(-1)?.id ?? '']), after: none };
      const id = `${plan.address}#${steps.length + 1}`;
      steps.push(stepOf({ id, plan, draft, ...waits }, steps.length === drafts.length - 1));
    }
  }
  return { ...object, plan, steps };
}

/**
 * Phases in which one object's steps are independent: each names other members, and their entries commute. So a
 * supergroup's invitations fill their lane instead of waiting for one another.
 */
const parallel: ReadonlySet<Phase> = new Set(['leave', 'invite', 'hide']);

function runSideBySide(left: PlannedDraft, right: PlannedDraft): boolean {
  return left.phase === right.phase && parallel.has(left.phase);
}

/** One object's steps in the order in which they run; the steps of a stage run side by side. */
function stagesOf(chain: readonly Node[]): Node[][] {
  const stages: Node[][] = [];
  for (const node of chain) {
    const stage = stages.at(-1);
    const other = stage?.[0];
    if (stage !== undefined && other !== undefined && runSideBySide(other.draft, node.draft)) stage.push(node);
    else stages.push([node]);
  }
  return stages;
}

function isDeleted({ drafts }: ObjectPlan): boolean {
  return drafts.some(({ action }) => action === 'delete');
}

function anchorsOf(plan: ObjectPlan, chain: readonly Node[]): Anchors {
  const { enable, disable } = plan.kind.disabledState;
  const anchors: Anchors = {};
  for (const node of chain) {
    if (node.draft.creates !== undefined) anchors.created = node;
    else if (node.draft.action === enable) anchors.opened = node;
    else if (node.draft.action === disable) anchors.closed = node;
    else if (node.draft.action === 'delete') anchors.deleted = node;
  }
  return anchors;
}

/** `node` waits for `other`: for its success, or, with `anyEnd`, only for its end. */
function connect(node: Node | undefined, other: Node | undefined, anyEnd = false): void {
  if (node === undefined || other === undefined || node === other) return;
  const isSameObject = node.plan === other.plan;
  const rank = phaseRank[node.draft.phase] - phaseRank[other.draft.phase];
  if (rank < 0 || (rank === 0 && !isSameObject)) {
    throw new InternalError(`${node.id} (${node.draft.phase}) cannot wait for ${other.id} (${other.draft.phase})`);
  }
  (anyEnd ? node.after : node.needs).add(other.id);
}

function stepOf({ id, plan, draft, needs, after }: OrderedDraft, isLast: boolean): Step {
  const { action, phase, request, begin, doneOn, doneAgainOn, resolve, settle, split, expect, sink } = draft;
  return {
    id,
    address: plan.address,
    action,
    phase,
    ...(request === undefined ? {} : { request }),
    entry: entryOf(plan, draft, isLast),
    needs: needs.size === 0 ? [] : [...needs].sort(),
    ...(after.size === 0 ? {} : { after: [...after].sort() }),
    begin: begin ?? false,
    doneOn: doneOn ?? [],
    ...(doneAgainOn === undefined ? {} : { doneAgainOn }),
    ...(resolve === undefined ? {} : { resolve }),
    ...(settle === undefined ? {} : { settle }),
    ...(split === undefined ? {} : { split }),
    ...(expect === undefined ? {} : { expect }),
    ...(sink === undefined ? {} : { sink }),
  };
}

/** State flags a creation of several steps until the last one, so that an interrupted one can be recognised. */
function entryOf({ address, completesCreation }: ObjectPlan, draft: PlannedDraft, isLast: boolean): StateEntry {
  if (draft.deletes === true) return { type: 'delete', address };
  if (draft.adopts !== undefined) return { type: 'put', record: inKeyOrder(draft.adopts) };
  if (draft.creates !== undefined) {
    const { lifecycle } = draft.flags ?? {};
    const created: StateRecord = {
      address,
      attributes: draft.creates,
      ...(lifecycle === undefined || lifecycle === null ? {} : { lifecycle }),
      ...(isLast ? {} : { creating: true }),
    };
    return { type: 'put', record: created };
  }
  const endsCreation = isLast && completesCreation;
  const flags: RecordFlags = { ...draft.flags, ...(endsCreation ? { creating: null } : {}) };
  return {
    type: 'patch',
    address,
    edits: draft.edits,
    ...(Object.keys(flags).length === 0 ? {} : { marks: flags }),
  };
}
