// Finds the milestones of a plan: the steps of an object that wait for steps of other objects, or for which those wait.
//
// Every object is drafted twice. The first pass finds the milestones and drops the rest of each draft. For most objects the
// only milestone is their creation, and a million creations are kept as hashes. An object that is enabled, disabled or deleted, or
// that has children, keeps the phases of its steps and their waiters. The second pass drafts each object with work again and
// orders its steps (steps.ts), which then depend on no other draft.

import type { DisablePolicy } from '../../kinds/definition/kind.ts';
import { NameTable } from '../../lib/name-table.ts';
import type { Address } from '../../model/address.ts';
import type { Phase } from '../../model/step.ts';
import type { DraftedStep, ObjectDraft } from '../draft/draft.ts';
import { type Bearing, chainOf, inPhases } from './chain.ts';

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
  /** The draft without requests and entries. */
  readonly draft: ObjectDraft;
  readonly hasOwnWork: boolean;
  readonly waiters: KnownWaiter[];
}

interface KnownWaiter extends Waiter {
  /** The step itself, if its id is not known before its own object has its chain. */
  readonly step?: DraftedStep;
}

interface SettledObject extends Turn {
  readonly chain: readonly PlacedStep[];
  readonly opened: PlacedStep | undefined;
}

const plainTurn: Turn = { isWorkedOn: false, isBracket: false, waiters: [] };

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
    const bare = isTurning ? steps.map(withoutContent) : steps;
    if (isTurning) {
      const hasOwnWork = steps.some(({ request, deletes }) => request !== undefined && deletes !== true);
      const skeleton = { ...draft, resource: undefined, record: undefined, attributes: [], steps: bare };
      this.#turning.set(address, { draft: skeleton, hasOwnWork, waiters: [] });
    } else this.#addCreation(address, steps);
    if (this.#turning.size > 0) this.#addWaits(address, steps, bare, isTurning);
  }

  /** Must be called once between the two passes. */
  settle(): void {
    const ids = new Map<DraftedStep, string>();
    for (const [address, { draft, hasOwnWork, waiters }] of this.#turning) {
      const isWorkedOn =
        waiters.some(({ how }) => how === 'active') || (draft.kind.disabledState.ownWorkNeedsEnabled && hasOwnWork);
      const isBracket = draft.staysClosed && isWorkedOn;
      const chain = chainOf(draft, { isWorkedOn, isBracket }, this.#policy);
      for (const [place, step] of chain.entries()) ids.set(step, idAt(address, place));
      const placed = chain.map(({ phase }, place): PlacedStep => ({ id: idAt(address, place), phase }));
      const creation = chain.findIndex(({ creates }) => creates !== undefined);
      if (creation >= 0) {
        this.#created.add(address);
        if (creation > 0) this.#laterCreations.set(address, idAt(address, creation));
      }
      const opened = placed[chain.findLastIndex(({ action }) => action === draft.kind.disabledState.enable)];
      this.#settled.set(address, { isWorkedOn, isBracket, chain: placed, opened, waiters: [] });
    }
    for (const [address, { waiters }] of this.#turning) {
      const settled = this.#settled.get(address);
      if (settled === undefined) continue;
      const known = waiters.map(({ step, ...waiter }) =>
        step === undefined ? waiter : { ...waiter, id: ids.get(step) ?? waiter.id },
      );
      this.#settled.set(address, { ...settled, waiters: known });
    }
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
    return this.#settled.get(address)?.opened;
  }

  /** Returns the steps of an object that is enabled, disabled or deleted, or that has children. */
  stepsOf(address: Address): readonly PlacedStep[] {
    return this.#settled.get(address)?.chain ?? [];
  }

  turnOf(address: Address): Turn {
    return this.#settled.get(address) ?? plainTurn;
  }

  #addCreation(address: Address, steps: readonly DraftedStep[]): void {
    const creation = steps.find(({ creates }) => creates !== undefined);
    if (creation === undefined) return;
    this.#created.add(address);
    const place = steps.length === 1 ? 0 : inPhases(steps).indexOf(creation);
    if (place > 0) this.#laterCreations.set(address, idAt(address, place));
  }

  #addWaits(address: Address, steps: readonly DraftedStep[], bare: readonly DraftedStep[], isTurning: boolean): void {
    let places: ReadonlyMap<DraftedStep, number> | undefined;
    for (const [place, step] of steps.entries()) {
      for (const how of ['active', 'between', 'names'] as const) {
        for (const other of step[how] ?? []) {
          const waiters = other === address ? undefined : this.#turning.get(other)?.waiters;
          if (waiters === undefined) continue;
          places ??= new Map(inPhases(steps).map((sorted, index) => [sorted, index]));
          const waiter = { of: address, how, phase: step.phase, id: idAt(address, places.get(step) ?? -1) };
          const bareStep = isTurning ? bare[place] : undefined;
          waiters.push(bareStep === undefined ? waiter : { ...waiter, step: bareStep });
        }
      }
    }
  }
}

/** Returns the id of the step at this position in the chain of the object, counted as in `Step.id`. */
export function idAt(address: Address, place: number): string {
  return `${address}#${place + 1}`;
}

function withoutContent({ action, phase, creates }: DraftedStep): DraftedStep {
  return { action, phase, edits: [], ...(creates === undefined ? {} : { creates: {} }) };
}
