// The dependencies of running a step.
import type { JsonObject } from '../../lib/json.ts';
import type { ApplyEvent } from '../../model/event.ts';
import type { Clock, Pacer, Platform, Random, StateWriter } from '../../model/ports.ts';
import type { StateEntry } from '../../model/record.ts';
import type { Step } from '../../model/step.ts';
import type { Settling } from '../doubt/search.ts';
import type { Existing } from '../verdict/classify.ts';

export interface ApplyPorts {
  readonly platform: Platform;
  readonly pacer: Pacer;
  readonly state: StateWriter;
  readonly clock: Clock;
  /** Called synchronously and in order. Must not throw. */
  readonly emit: (event: ApplyEvent) => void;
}

export interface StepOptions {
  /** For the jitter of back-offs. */
  readonly random: Random;
  /** Default: `refuse`. */
  readonly existing?: Existing;
  /**
   * For `adopt`, returns the steps that replace the create. They run one after the other. The first has no request and puts
   * the record into state. The object's later steps follow as planned. Returns undefined if the object cannot be adopted.
   */
  readonly adopt?: (step: Step, live: JsonObject) => readonly Step[] | undefined;
  /** For an object that equals its declaration, returns its state entry, or a sentence that says why it cannot be adopted. */
  readonly enter?: (step: Step, live: JsonObject) => StateEntry | string;
  /** Resolves batches of messages in doubt. Without it such a batch stays unknown. */
  readonly settling?: Settling;
}
