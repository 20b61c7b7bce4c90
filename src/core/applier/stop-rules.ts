// Decides when a run stops because of failures (semantics §4.5, §4.7).
import { kindOf } from '../model/address.ts';
import type { RunOutcome, StepFailure, StepOutcome } from '../model/event.ts';
import type { StopCause } from '../model/report.ts';
import type { Step } from '../model/step.ts';

/** Why the run starts no more steps. */
export interface StopReason {
  readonly outcome: RunOutcome;
  readonly why: string;
  /** Set if what to do next depends on more than the outcome. */
  readonly cause?: StopCause;
  /** Whether the run first disables the objects that it has reopened (semantics §3), because the platform still answers. */
  readonly closes?: true;
}

const maxFailures = 50;
const firstAttempts = 20;

export class StopRules {
  readonly #keepGoing: boolean;
  #attempts = 0;
  #failures = 0;
  /** How all attempts so far have failed. Undefined once two differ. */
  #alike: string | undefined = '';
  /** By kind, the number of creates that met an existing object, or -1 once one did not. */
  readonly #existing = new Map<string, number>();

  constructor(keepGoing: boolean) {
    this.#keepGoing = keepGoing;
  }

  /** Must be called for every attempted step that has ended. Returns the reason to stop, if there is one. */
  ended(step: Step, outcome: StepOutcome, failure: StepFailure | undefined, exists: boolean): StopReason | undefined {
    return this.#creates(step, exists) ?? this.#failed(outcome, failure);
  }

  #failed(outcome: StepOutcome, failure: StepFailure | undefined): StopReason | undefined {
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
      const why = `the first ${firstAttempts} steps all failed in the same way: ${failure?.message}`;
      return { outcome: 'incomplete', why, closes: true };
    }
    if (this.#failures < maxFailures) return undefined;
    return {
      outcome: 'incomplete',
      why: `${maxFailures} steps failed; --keep-going continues`,
      closes: true,
    };
  }

  /** Applies even with --keep-going, because state is missing or is the wrong one, so every further create would fail too. */
  #creates(step: Step, exists: boolean): StopReason | undefined {
    if (step.action !== 'create' || step.request === undefined) return undefined;
    const kind = kindOf(step.address);
    const before = this.#existing.get(kind) ?? 0;
    const met = exists && before >= 0 ? before + 1 : -1;
    this.#existing.set(kind, met);
    if (met !== firstAttempts) return undefined;
    return {
      outcome: 'conflict',
      why: `the first ${firstAttempts} objects of kind ${kind} already exist but are not in state`,
      cause: 'not_in_state',
      closes: true,
    };
  }
}
