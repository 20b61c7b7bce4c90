// Sorts the steps of each object, and finds the milestones of a plan among them: the steps of an object that wait for steps of other
// objects, or for which those wait.
//
// Every object is drafted twice. The first pass finds the milestones and drops the rest of each draft. For most objects the
// only milestone is their creation, and a million creations are kept as hashes. An object that is enabled, disabled or deleted, or
// that has children, keeps the phases of its steps and their waiters. The second pass drafts each object with work again and
// orders its steps (steps.ts), which then depend on no other draft.

import type { DisablePolicy } from '../../kinds/definition/kind.ts';
import { NameTable } from '../../lib/typed-arrays.ts';
import type { Address } from '../../model/address.ts';
import type { RecordFlags } from '../../model/record.ts';
import { type Phase, phaseRank } from '../../model/step.ts';
import { disableDraft, enableDraft } from '../draft/disabled-state.ts';
import type { DraftedStep, ObjectDraft } from '../draft/draft.ts';

/** How the whole plan affects the enabling of one object. */
export interface Bearing {
  /** Whether a step needs the object enabled. */
  readonly isWorkedOn: boolean;
  /** Whether it is reopened for work and disabled again. */
  readonly isBracket: boolean;
}

/**
 * Returns all steps of an object by phase, with those that enable and disable it.
 *
 * An object that ends enabled is enabled early (`open`) if a later step needs that, otherwise late (`reopen`). An object
 * that is and stays disabled but has work gets a temporary reopen (a bracket). It is enabled early, disabled again however
 * the work ends, and flagged in state in between, so that a later run can disable it after an interruption.
 */
export function chainOf(draft: ObjectDraft, { isWorkedOn, isBracket }: Bearing, policy: DisablePolicy): DraftedStep[] {
  const steps: DraftedStep[] = [...draft.steps];
  if (isBracket) {
    steps.push(enableDraft(draft, 'open', { bracket: true }), disableDraft(draft, { bracket: null }, policy));
  } else if (draft.leftOpen === true && !steps.some(({ action }) => action === 'delete')) {
    steps.push(disableDraft(draft, { bracket: null }, policy));
  }
  if (draft.opens) {
    const flags: RecordFlags = draft.record?.bracket === true ? { bracket: null } : {};
    steps.push(enableDraft(draft, isWorkedOn ? 'open' : 'reopen', flags));
  }
  if (draft.closes) steps.push(disableDraft(draft, draft.closingFlags ?? {}, policy));
  const chain = inPhases(steps);
  const [last, beforeLast] = [chain.at(-1), chain.at(-2)];
  // Several steps run in parallel, and any of them may end last, so a separate step records the end of the creation.
  if (draft.completesCreation && last !== undefined && beforeLast !== undefined && runSideBySide(beforeLast, last)) {
    chain.push({ action: last.action, phase: 'record', edits: [] });
  }
  return chain;
}

/** Sorts steps by phase. The sort is stable. */
function inPhases(steps: readonly DraftedStep[]): DraftedStep[] {
  return [...steps].sort((left, right) => phaseRank[left.phase] - phaseRank[right.phase]);
}

/**
 * Phases in which one object's steps are independent, because they concern different members or reactions and their entries
 * commute. A supergroup's invitations fill their lane instead of waiting for one another.
 */
const parallel: ReadonlySet<Phase> = new Set(['leave', 'invite', 'reactions', 'hide']);

/** Whether the steps of one object need not wait for each other. */
export function runSideBySide(left: DraftedStep, right: DraftedStep): boolean {
  return left.phase === right.phase && parallel.has(left.phase);
}

/** A step with its position in one object's chain. */
export interface PlacedStep {
  readonly id: string;
  readonly phase: Phase;
}

/** A step of another object. `how` says whether it needs the object enabled, runs between its phases, or removes rights from it. */
interface Waiter extends PlacedStep {
  readonly of: Address;
  readonly how: 'active' | 'between' | 'names';
}

/** The results of the first pass for one object. */
export interface Turn extends Bearing {
  readonly waiters: readonly Waiter[];
}

interface TurningObject {
  readonly skeleton: Skeleton;
  readonly hasOwnWork: boolean;
  readonly waiters: KnownWaiter[];
}

/** A draft without the content of its steps. Most of a million objects share one. */
interface Skeleton {
  readonly draft: ObjectDraft;
  /** By bearing. */
  readonly chains: Map<string, Chain>;
}

interface KnownWaiter extends Waiter {
  /** The step itself, if its id is not known before its own object has its chain. */
  readonly step?: DraftedStep;
}

/** The steps of all objects with the same skeleton and bearing. Only their actions and phases hold for each of them. */
interface Chain extends Bearing {
  readonly steps: readonly DraftedStep[];
  /** The place of the step that enables the object, or -1. */
  readonly opened: number;
}

interface SettledObject {
  readonly chain: Chain;
  readonly waiters: readonly Waiter[];
}

const noWaiters: readonly Waiter[] = [];
const noChain: Pick<Chain, 'steps'> = { steps: [] };
const plainTurn: Turn = { isWorkedOn: false, isBracket: false, waiters: noWaiters };

/** Takes the drafts of all objects with work. An object must come after those that its steps name. */
export class Milestones {
  readonly #policy: DisablePolicy;
  readonly #created = new NameTable();
  /** The ids of creations that are not the first step of their object. */
  readonly #laterCreations = new Map<Address, string>();
  /** The ids of steps that set what channels are created with. */
  readonly #configuring = new Map<Address, readonly string[]>();
  readonly #deleted = new Set<Address>();
  readonly #turning = new Map<Address, TurningObject>();
  readonly #skeletons = new Map<string, Skeleton>();
  readonly #settled = new Map<Address, SettledObject>();

  constructor(policy: DisablePolicy) {
    this.#policy = policy;
  }

  /** The objects that the drafts so far delete. */
  get deleted(): ReadonlySet<Address> {
    return this.#deleted;
  }

  /** `hasChildren`: whether a child of the object is declared or in state. */
  add(draft: ObjectDraft, hasChildren = false): void {
    const { address, steps, opens, closes, staysClosed, leftOpen = false, removal } = draft;
    if (removal === 'delete') this.#deleted.add(address);
    const isTurning = opens || closes || staysClosed || leftOpen || hasChildren || removal === 'delete';
    const configuring = steps.filter(({ configures }) => configures === true);
    if (configuring.length > 0) {
      const sorted = inPhases(steps);
      this.#configuring.set(
        address,
        configuring.map((step) => idAt(address, sorted.indexOf(step))),
      );
    }
    const skeleton = isTurning ? this.#skeletonOf(draft) : undefined;
    if (skeleton === undefined) this.#addCreation(address, steps);
    else {
      const hasOwnWork = steps.some(({ request, deletes }) => request !== undefined && deletes !== true);
      this.#turning.set(address, { skeleton, hasOwnWork, waiters: [] });
    }
    if (this.#turning.size > 0) this.#addWaits(address, steps, skeleton?.draft.steps ?? []);
  }

  /** Must be called once between the two passes. */
  settle(): void {
    for (const [address, { skeleton, hasOwnWork, waiters }] of this.#turning) {
      const { draft } = skeleton;
      const isWorkedOn =
        waiters.some(({ how }) => how === 'active') || (draft.kind.disabledState.ownWorkNeedsEnabled && hasOwnWork);
      const chain = this.#chainOf(skeleton, { isWorkedOn, isBracket: draft.staysClosed && isWorkedOn });
      const creation = chain.steps.findIndex(({ creates }) => creates !== undefined);
      if (creation >= 0) {
        this.#created.add(address);
        if (creation > 0) this.#laterCreations.set(address, idAt(address, creation));
      }
      this.#settled.set(address, { chain, waiters: noWaiters });
    }
    for (const [address, { waiters }] of this.#turning) {
      const settled = this.#settled.get(address);
      if (settled === undefined || waiters.length === 0) continue;
      const known = waiters.map(({ step, ...waiter }) => {
        const place = step === undefined ? undefined : this.#settled.get(waiter.of)?.chain.steps.indexOf(step);
        return place === undefined || place < 0 ? waiter : { ...waiter, id: idAt(waiter.of, place) };
      });
      this.#settled.set(address, { ...settled, waiters: known });
    }
    this.#skeletons.clear();
    this.#turning.clear();
  }

  /** Returns the id of the step that creates the object, if there is one. */
  creationOf(address: Address): string | undefined {
    if (this.#created.find(address) === undefined) return undefined;
    return this.#laterCreations.get(address) ?? idAt(address, 0);
  }

  /** Returns the ids of the steps that set what channels are created with. */
  configurationOf(address: Address): readonly string[] {
    return this.#configuring.get(address) ?? [];
  }

  /** Returns the step that enables the object, if there is one. */
  openingOf(address: Address): PlacedStep | undefined {
    const chain = this.#settled.get(address)?.chain;
    const step = chain?.steps[chain.opened];
    return chain === undefined || step === undefined ? undefined : placedStep(address, step, chain.opened);
  }

  /** Returns the steps of an object that is enabled, disabled or deleted, or that has children. */
  stepsOf(address: Address): readonly PlacedStep[] {
    const { steps } = this.#settled.get(address)?.chain ?? noChain;
    return steps.map((step, place) => placedStep(address, step, place));
  }

  turnOf(address: Address): Turn {
    const settled = this.#settled.get(address);
    if (settled === undefined) return plainTurn;
    const { isWorkedOn, isBracket } = settled.chain;
    return { isWorkedOn, isBracket, waiters: settled.waiters };
  }

  #addCreation(address: Address, steps: readonly DraftedStep[]): void {
    const creation = steps.find(({ creates }) => creates !== undefined);
    if (creation === undefined) return;
    this.#created.add(address);
    const place = steps.length === 1 ? 0 : inPhases(steps).indexOf(creation);
    if (place > 0) this.#laterCreations.set(address, idAt(address, place));
  }

  #skeletonOf(draft: ObjectDraft): Skeleton {
    const { kind, opens, closes, closingFlags, staysClosed, leftOpen, completesCreation } = draft;
    const steps = draft.steps.map(withoutContent);
    const signs = { opens, closes, closingFlags, staysClosed, leftOpen, completesCreation, steps };
    const text = JSON.stringify([kind.name, signs]);
    const known = this.#skeletons.get(text);
    if (known !== undefined) return known;
    const bare = { ...draft, resource: undefined, record: undefined, attributes: [], steps };
    const skeleton = { draft: bare, chains: new Map() };
    this.#skeletons.set(text, skeleton);
    return skeleton;
  }

  #chainOf({ draft, chains }: Skeleton, bearing: Bearing): Chain {
    const text = JSON.stringify(bearing);
    const known = chains.get(text);
    if (known !== undefined) return known;
    const steps = chainOf(draft, bearing, this.#policy);
    const opened = steps.findLastIndex(({ action }) => action === draft.kind.disabledState.enable);
    const chain = { ...bearing, steps, opened };
    chains.set(text, chain);
    return chain;
  }

  /** `bare` are the steps without their content, if they are only ordered when all objects are known. */
  #addWaits(address: Address, steps: readonly DraftedStep[], bare: readonly DraftedStep[]): void {
    let places: ReadonlyMap<DraftedStep, number> | undefined;
    for (const [place, step] of steps.entries()) {
      for (const how of ['active', 'between', 'names'] as const) {
        for (const other of step[how] ?? []) {
          const waiters = other === address ? undefined : this.#turning.get(other)?.waiters;
          if (waiters === undefined) continue;
          places ??= new Map(inPhases(steps).map((sorted, index) => [sorted, index]));
          const waiter = { of: address, how, phase: step.phase, id: idAt(address, places.get(step) ?? -1) };
          const bareStep = bare[place];
          waiters.push(bareStep === undefined ? waiter : { ...waiter, step: bareStep });
        }
      }
    }
  }
}

function placedStep(address: Address, { phase }: DraftedStep, place: number): PlacedStep {
  return { id: idAt(address, place), phase };
}

/** Returns the id of the step at this position in the chain of the object, counted as in `Step.id`. */
export function idAt(address: Address, place: number): string {
  return `${address}#${place + 1}`;
}

function withoutContent({ action, phase, creates }: DraftedStep): DraftedStep {
  return { action, phase, edits: [], ...(creates === undefined ? {} : { creates: {} }) };
}
