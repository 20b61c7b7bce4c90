// When have so many steps failed that the run had better stop? (semantics §4.5, §4.7)
import { kindOf } from '../model/address.ts';
import type { RunOutcome, StepFailure, StepOutcome } from '../model/event.ts';
import type { Step } from '../model/step.ts';

/** Why a run starts no more steps. */
export interface Stop {
  readonly outcome: RunOutcome;
  readonly why: string;
  /** What the run has opened is closed first (semantics §3): the platform still listens. */
  readonly closes?: true;
}

const maxFailures = 50;
const firstAttempts = 20;

/** Told of every step that was attempted and has ended. */
export class StopRules {
  readonly #keepGoing: boolean;
  #attempts = 0;
  #failures = 0;
  /** How every attempt so far has failed; undefined as soon as they are not all alike. */
  #alike: string | undefined = '';
  /** By kind: how many creates have ended, all of them on an object that exists; -1 once one has not. */
  readonly #existing = new Map<string, number>();

  constructor(keepGoing: boolean) {
    this.#keepGoing = keepGoing;
  }

  ended(step: Step, outcome: StepOutcome, failure: StepFailure | undefined, exists: boolean): Stop | undefined {
    return this.#creates(step, exists) ?? this.#failed(outcome, failure);
  }

  #failed(outcome: StepOutcome, failure: StepFailure | undefined): Stop | undefined {
    this.#attempts++;
    const how = failure === undefined ? outcome : `${failure.status} ${failure.code}`;
    if (this.#attempts === 1) this.#alike = how;
    else if (this.#alike !== how) this.#alike = undefined;
    if (outcome === 'succeeded') {
      this.#alike = undefined;
      return undefined;
    }
    this.#failures++;
    if (this.#keepGoing) return undefined;
    if (this.#attempts === firstAttempts && this.#alike !== undefined) {
      const why = `the first ${firstAttempts} steps all failed alike: ${failure?.message}`;
      return { outcome: 'incomplete', why, closes: true };
    }
    if (this.#failures < maxFailures) return undefined;
    return {
      outcome: 'incomplete',
      why: `${maxFailures} steps failed; --keep-going goes on all the same`,
      closes: true,
    };
  }

  /** Not lifted by --keep-going: the state is missing or of something else, and every further create fails as well. */
  #creates(step: Step, exists: boolean): Stop | undefined {
    if (step.action !== 'create' || step.request === undefined) return undefined;
    const kind = kindOf(step.address);
    const before = this.#existing.get(kind) ?? 0;
    const met = exists && before >= 0 ? before + 1 : -1;
    this.#existing.set(kind, met);
    if (met !== firstAttempts) return undefined;
    return {
      outcome: 'conflict',
      why:
        `the first ${firstAttempts} objects of the kind ${kind} exist already and are not in state; ` +
        'when the state was lost, chatform state rebuild makes it again; policy: {existing: adopt_equal} takes those ' +
        'into state that are as declared',
      closes: true,
    };
  }
}
