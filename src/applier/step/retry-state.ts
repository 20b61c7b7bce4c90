// What is remembered of a step between its calls, when it needs more than one? Most steps need one, and nothing is kept of them.
import type { ApiRequest } from '../../model/request.ts';
import type { Step } from '../../model/step.ts';
import type { NextCall } from './classify.ts';
import type { Look } from './settle.ts';

export interface RetryState {
  /** Answers so far that decided nothing, and when the first of them came. */
  tries: number;
  firstTryAt: number;
  next: NextCall;
  /** See Situation. */
  ours: boolean;
  taken: boolean;
  /** Other ids under which a begin of this step stands in the journal. */
  begins: readonly string[];
  /** What is left of the steps that run in place of the planned one. */
  instead: readonly Step[];
  /** `instead` makes one call in parts: the entry is written when the last of them is done. */
  inParts: boolean;
  /** Of a step that settles: when it may be looked for, the walk under way and its next page, what is left to send. */
  settledAt?: number;
  look?: Look;
  page?: ApiRequest;
  left?: ApiRequest;
}

const none: Readonly<RetryState> = {
  tries: 0,
  firstTryAt: 0,
  next: 'request',
  ours: false,
  taken: false,
  begins: [],
  instead: [],
  inParts: false,
};

/** By the step's index. */
export class RetryStates {
  readonly #troubles = new Map<number, RetryState>();

  has(index: number): boolean {
    return this.#troubles.has(index);
  }

  /** As it is; of a step without trouble, none. */
  of(index: number): Readonly<RetryState> {
    return this.#troubles.get(index) ?? none;
  }

  /** To be added to: from now on the step has some. */
  at(index: number): RetryState {
    return this.#troubles.get(index) ?? this.set(index, {});
  }

  /** This, and nothing of what was before. */
  set(index: number, trouble: Partial<RetryState>): RetryState {
    const whole = { ...none, ...trouble };
    this.#troubles.set(index, whole);
    return whole;
  }

  end(index: number): void {
    this.#troubles.delete(index);
  }

  /** The steps whose last request of this run may have had its effect. */
  inDoubt(): number[] {
    return [...this.#troubles].filter(([, trouble]) => trouble.ours && trouble.tries > 0).map(([index]) => index);
  }
}
