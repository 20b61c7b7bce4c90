// Finds the milestones of objects that are enabled, disabled or deleted, or that have children: the phases of all their steps, and the
// steps of other objects that wait for these, or for which these wait.
import type { DisablePolicy, KindDefinition } from '../../kinds/definition/kind.ts';
import type { Address } from '../../model/address.ts';
import type { DraftedStep, ObjectDraft } from '../draft/draft.ts';
import { type Bearing, chainOf, idAt, inPhases, type PlacedStep } from './chain.ts';
import { firstEdits } from './configuring-steps.ts';

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

export class TurningObjects {
  readonly #policy: DisablePolicy;
  readonly #turning = new Map<Address, TurningObject>();
  readonly #skeletons = new Map<string, Skeleton>();
  readonly #settled = new Map<Address, SettledObject>();

  constructor(policy: DisablePolicy) {
    this.#policy = policy;
  }

  add(draft: ObjectDraft): void {
    const hasOwnWork = draft.steps.some(({ request, deletes }) => request !== undefined && deletes !== true);
    this.#turning.set(draft.address, { skeleton: this.#skeletonOf(draft), hasOwnWork, waiters: [] });
  }

  /** Adds the steps of any object that wait for steps of these objects, or for which those wait. */
  addWaits(address: Address, steps: readonly DraftedStep[]): void {
    // The steps of these objects are only ordered when all objects are known.
    const bare = this.#turning.get(address)?.skeleton.draft.steps ?? [];
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

  /** Yields the chain of each, in which only edits of `firstEdits` are left. Must be read to its end, between the two passes. */
  *settle(): Generator<Pick<ObjectDraft, 'address' | 'kind'> & { readonly chain: readonly DraftedStep[] }> {
    for (const [address, { skeleton, hasOwnWork, waiters }] of this.#turning) {
      const { draft } = skeleton;
      const isWorkedOn =
        waiters.some(({ how }) => how === 'active') || (draft.kind.disabledState.ownWorkNeedsEnabled && hasOwnWork);
      const chain = this.#chainOf(skeleton, { isWorkedOn, isBracket: draft.staysClosed && isWorkedOn });
      this.#settled.set(address, { chain, waiters: noWaiters });
      yield { address, kind: draft.kind, chain: chain.steps };
    }
    for (const [address, { waiters }] of this.#turning) {
      const settled = this.#settled.get(address);
      if (settled === undefined || waiters.length === 0) continue;
      const placedWaiters = waiters.map(({ step, ...waiter }) => {
        const place = step === undefined ? undefined : this.#settled.get(waiter.of)?.chain.steps.indexOf(step);
        return place === undefined || place < 0 ? waiter : { ...waiter, id: idAt(waiter.of, place) };
      });
      this.#settled.set(address, { ...settled, waiters: placedWaiters });
    }
    this.#skeletons.clear();
    this.#turning.clear();
  }

  /** Returns the step that enables the object, if there is one. */
  openingOf(address: Address): PlacedStep | undefined {
    const chain = this.#settled.get(address)?.chain;
    const step = chain?.steps[chain.opened];
    return chain === undefined || step === undefined ? undefined : placedStep(address, step, chain.opened);
  }

  stepsOf(address: Address): readonly PlacedStep[] {
    const { steps } = this.#settled.get(address)?.chain ?? noChain;
    return steps.map((step, place) => placedStep(address, step, place));
  }

  turnOf(address: Address): Turn | undefined {
    const settled = this.#settled.get(address);
    if (settled === undefined) return undefined;
    const { isWorkedOn, isBracket } = settled.chain;
    return { isWorkedOn, isBracket, waiters: settled.waiters };
  }

  #skeletonOf(draft: ObjectDraft): Skeleton {
    const { kind, opens, closes, closingFlags, staysClosed, leftOpen, completesCreation } = draft;
    const steps = draft.steps.map((step) => withoutContent(kind, step));
    const signs = { opens, closes, closingFlags, staysClosed, leftOpen, completesCreation, steps };
    const text = JSON.stringify([kind.name, signs]);
    const cachedSkeleton = this.#skeletons.get(text);
    if (cachedSkeleton !== undefined) return cachedSkeleton;
    const bare = { ...draft, resource: undefined, record: undefined, attributes: [], steps };
    const skeleton = { draft: bare, chains: new Map() };
    this.#skeletons.set(text, skeleton);
    return skeleton;
  }

  #chainOf({ draft, chains }: Skeleton, bearing: Bearing): Chain {
    const text = JSON.stringify(bearing);
    const cachedChain = chains.get(text);
    if (cachedChain !== undefined) return cachedChain;
    const steps = chainOf(draft, bearing, this.#policy);
    const opened = steps.findLastIndex(({ action }) => action === draft.kind.disabledState.enable);
    const chain = { ...bearing, steps, opened };
    chains.set(text, chain);
    return chain;
  }
}

function placedStep(address: Address, { phase }: DraftedStep, place: number): PlacedStep {
  return { id: idAt(address, place), phase };
}

/** Keeps what decides the order, values for which other objects wait included. */
function withoutContent(kind: KindDefinition, step: DraftedStep): DraftedStep {
  const { action, phase, creates } = step;
  return { action, phase, edits: firstEdits(kind, step), ...(creates === undefined ? {} : { creates: {} }) };
}
