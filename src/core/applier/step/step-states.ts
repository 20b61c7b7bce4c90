// The steps of a plan by their index: read on demand, possibly from disk, and the states of those that need more than one call. All other
// steps have the initial state.

import { InternalError } from '../../../lib/errors.ts';
import type { Series } from '../../../lib/series.ts';
import type { Address } from '../../model/address.ts';
import type { Step } from '../../model/step.ts';
import type { PendingMatch } from '../doubt/begun-calls.ts';
import { restBeforeSearchMs } from '../doubt/search.ts';
import type { ApplyPorts } from './options.ts';
import { initialState, type StepState } from './step-state.ts';

/** Larger than the steps in flight plus the heads of all lanes, so that a step is seldom read twice. */
const kept = 2048;
/** In JSON, of which a step takes about four times as many bytes in memory. */
const keptCharacters = 1 << 22;

/** Caches the steps that were read last. */
export class StepReader {
  readonly #steps: Series<Step>;
  /** Oldest first. */
  readonly #read = new Map<number, { readonly step: Step; readonly characters: number }>();
  #characters = 0;

  constructor(steps: Series<Step>) {
    this.#steps = steps;
  }

  at(index: number): Step {
    const known = this.#read.get(index);
    if (known !== undefined) return known.step;
    const step = this.#steps.at(index);
    if (step === undefined) throw new InternalError(`the plan has no step at ${index}`);
    const characters = JSON.stringify(step).length;
    this.#read.set(index, { step, characters });
    this.#characters += characters;
    for (const oldest of this.#read.keys()) {
      if (this.#read.size <= kept && this.#characters <= keptCharacters) break;
      this.forget(oldest);
    }
    return step;
  }

  /** Drops a step, such as one that has ended. */
  forget(index: number): void {
    this.#characters -= this.#read.get(index)?.characters ?? 0;
    this.#read.delete(index);
  }
}

type Matched = Pick<PendingMatch, 'begun' | 'continuations'>;

export class StepStates {
  readonly #steps: StepReader;
  readonly #states = new Map<number, StepState>();
  readonly #continuations: Matched['continuations'];
  /** By object, calls that were never sent but are searched for first. */
  readonly #fresh = new Map<Address, number[]>();

  /** `begun` are steps that an earlier run may have sent, with the journal ids of their begins. They are read before they are sent. */
  constructor(
    steps: StepReader,
    { state, clock }: Pick<ApplyPorts, 'state' | 'clock'>,
    settleMs: number,
    { begun, continuations }: Matched,
  ) {
    this.#steps = steps;
    this.#continuations = continuations;
    const continued = new Set(Array.from(continuations.values(), ({ index }) => index));
    for (const [index, ids] of begun) {
      const { id, request, search, address } = steps.at(index);
      const isFresh = search?.fresh !== undefined && ids.length === 0 && !continued.has(index);
      if (isFresh) this.#addFresh(address, index);
      const pending = state.pending.filter(({ step }) => ids.includes(step));
      const settledAt = clock.now() + restBeforeSearchMs(pending, settleMs, clock);
      this.#states.set(index, {
        ...initialState,
        begins: ids.filter((begin) => begin !== id),
        mayHaveEffect: request !== undefined && !isFresh,
        ...(request !== undefined && {
          call:
            search === undefined
              ? { type: 'unknown', keyIsTaken: false }
              : { type: 'searching', settledAt, ...(isFresh ? { isFresh } : {}) },
        }),
      });
    }
  }

  of(index: number): StepState {
    return this.#states.get(index) ?? initialState;
  }

  /** Whether the next call of the step is the planned one. */
  isInitial(index: number): boolean {
    return !this.#states.has(index);
  }

  /** Replaces the state by the initial one with these values. */
  reset(index: number, values: Partial<StepState>): void {
    this.#states.set(index, { ...initialState, ...values });
  }

  change(index: number, values: Partial<StepState>): void {
    this.#states.set(index, { ...this.of(index), ...values });
  }

  delete(index: number): void {
    this.#states.delete(index);
  }

  /** Returns the step whose call is next: the planned one, or one that replaces it. */
  step(index: number): Step {
    return this.of(index).parts?.steps[0] ?? this.whole(index);
  }

  /** Returns the step whose entry is written next, which may need several calls. */
  whole(index: number): Step {
    return this.of(index).adoption?.steps[0] ?? this.#steps.at(index);
  }

  /** Returns the step that the doubt about this one extends to. */
  continuationOf(index: number): { readonly step: Step; readonly until: number } | undefined {
    const next = this.#continuations.get(index);
    return next === undefined ? undefined : { step: this.step(next.index), until: next.until };
  }

  /** Returns the steps whose last request in this run may have taken effect. */
  inDoubt(): number[] {
    return [...this.#states]
      .filter(([, { mayHaveEffect, attempts }]) => mayHaveEffect && attempts > 0)
      .map(([index]) => index);
  }

  /** Notes that none of the object's later calls has arrived, so that they need no search. */
  clearFresh(address: Address): void {
    for (const index of this.#fresh.get(address) ?? []) {
      const { call } = this.of(index);
      if (call.type === 'searching' && call.isFresh === true) this.delete(index);
    }
    this.#fresh.delete(address);
  }

  #addFresh(address: Address, index: number): void {
    const known = this.#fresh.get(address);
    if (known === undefined) this.#fresh.set(address, [index]);
    else known.push(index);
  }
}
