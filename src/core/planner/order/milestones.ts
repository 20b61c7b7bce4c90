// Finds the milestones of a plan: the steps of an object that wait for steps of other objects, or for which those wait.
//
// Every object is drafted twice. The first pass finds the milestones and drops the rest of each draft. For most objects the
// only milestone is their creation, and a million creations are kept as hashes. An object that is enabled, disabled or deleted, or
// that has children, keeps the phases of its steps and their waiters (turning-objects.ts). The second pass drafts each object with work again and
// orders its steps (steps.ts), which then depend on no other draft.

import { NameTable } from '../../../lib/typed-arrays.ts';
import type { DisablePolicy } from '../../kinds/definition/kind.ts';
import type { Address } from '../../model/address.ts';
import { endsObject } from '../../model/resource.ts';
import type { DraftedStep, ObjectDraft } from '../draft/draft.ts';
import { idAt, inPhases, type PlacedStep } from './chain.ts';
import { ConfiguringSteps, firstEdits } from './configuring-steps.ts';
import { type Turn, TurningObjects } from './turning-objects.ts';

const noSteps: readonly PlacedStep[] = [];
const plainTurn: Turn = { isWorkedOn: false, isBracket: false, waiters: [] };

/** Takes the drafts of all objects with work. An object must come after those that its steps name. */
export class Milestones {
  readonly #policy: DisablePolicy;
  readonly #created = new NameTable();
  /** The ids of creations that are not the first step of their object. */
  readonly #laterCreations = new Map<Address, string>();
  readonly #configuring = new ConfiguringSteps();
  readonly #deleted = new Set<Address>();
  /** Made with the first of them, because most plans have none. */
  #turning: TurningObjects | undefined;

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
    if (endsObject(removal)) this.#deleted.add(address);
    const isTurning = opens || closes || staysClosed || leftOpen || hasChildren || endsObject(removal);
    if (isTurning) {
      this.#turning ??= new TurningObjects(this.#policy);
      this.#turning.add(draft);
    } else {
      const sorted = inPhases(steps);
      this.#configuring.add(
        draft,
        sorted.map((step) => ({ phase: step.phase, edits: firstEdits(draft.kind, step) })),
      );
      const creation = steps.find(({ creates }) => creates !== undefined);
      if (creation !== undefined) this.#addCreation(address, sorted.indexOf(creation));
    }
    this.#turning?.addWaits(address, steps);
  }

  /** Must be called once between the two passes. */
  settle(): void {
    for (const { address, kind, chain } of this.#turning?.settle() ?? []) {
      this.#configuring.add({ address, kind }, chain);
      const creation = chain.findIndex(({ creates }) => creates !== undefined);
      if (creation >= 0) this.#addCreation(address, creation);
    }
  }

  /** Returns the id of the step that creates the object, if there is one. */
  creationOf(address: Address): string | undefined {
    if (this.#created.find(address) === undefined) return undefined;
    return this.#laterCreations.get(address) ?? idAt(address, 0);
  }

  /** Returns the steps of other objects that send what the platform looks at when it carries out this step. */
  configuring(draft: ObjectDraft, step: DraftedStep): readonly PlacedStep[] {
    return this.#configuring.of(draft, step);
  }

  /** Returns the step that enables the object, if there is one. */
  openingOf(address: Address): PlacedStep | undefined {
    return this.#turning?.openingOf(address);
  }

  /** Returns the steps of an object that is enabled, disabled or deleted, or that has children. */
  stepsOf(address: Address): readonly PlacedStep[] {
    return this.#turning?.stepsOf(address) ?? noSteps;
  }

  turnOf(address: Address): Turn {
    return this.#turning?.turnOf(address) ?? plainTurn;
  }

  #addCreation(address: Address, place: number): void {
    this.#created.add(address);
    if (place > 0) this.#laterCreations.set(address, idAt(address, place));
  }
}
