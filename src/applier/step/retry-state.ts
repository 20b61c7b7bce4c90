// What the run remembers of a step that needs more than one call. Most steps need one, and nothing is kept of them.
import type { ApiRequest } from '../../model/request.ts';
import type { Step } from '../../model/step.ts';
import type { NextCall } from './classify.ts';
import type { MessageSearch } from './settle.ts';

export interface RetryState {
  /** Answers so far that decided nothing, and when the first of them came. */
  attempts: number;
  firstAttemptAt: number;
  /** How many of them began and did not end in time. */
  unfinished: number;
  next: NextCall;
  /** See `Situation`. */
  mayHaveEffect: boolean;
  keyIsTaken: boolean;
  /** The journal ids of begins that an earlier run wrote for this step under another number. */
  begins: readonly string[];
  /** The steps that still run in place of the planned one. */
  replacements: readonly Step[];
  /** The replacements are one call in parts: its entry is written when the last part is done. */
  inParts: boolean;
  /** For a batch of messages in doubt: when the search may start, the search, its next page, and what is left to send. */
  settledAt?: number;
  search?: MessageSearch;
  page?: ApiRequest;
  left?: ApiRequest;
}

const initial: Readonly<RetryState> = {
  attempts: 0,
  firstAttemptAt: 0,
  unfinished: 0,
  next: 'request',
  mayHaveEffect: false,
  keyIsTaken: false,
  begins: [],
  replacements: [],
  inParts: false,
};

/** Retry states by the step's place in the plan. */
export class RetryStates {
  readonly #states = new Map<number, RetryState>();

  has(index: number): boolean {
    return this.#states.has(index);
  }

  /** The state for reading; the initial one for a step without any. */
  of(index: number): Readonly<RetryState> {
    return this.#states.get(index) ?? initial;
  }

  /** The state for changing, created if there is none. */
  at(index: number): RetryState {
    return this.#states.get(index) ?? this.set(index, {});
  }

  /** Replaces the whole state. */
  set(index: number, state: Partial<RetryState>): RetryState {
    const whole = { ...initial, ...state };
    this.#states.set(index, whole);
    return whole;
  }

  delete(index: number): void {
    this.#states.delete(index);
  }

  /** The steps whose last request in this run may have had its effect. */
  inDoubt(): number[] {
    return [...this.#states]
      .filter(([, { mayHaveEffect, attempts }]) => mayHaveEffect && attempts > 0)
      .map(([index]) => index);
  }
}
