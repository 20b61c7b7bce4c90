// The dependencies of running a step.
import type { JsonObject } from '../../../lib/json.ts';
import type { ShownValues } from '../../model/change.ts';
import type { ApplyEvent } from '../../model/event.ts';
import type { Clock, Pacer, Platform, Random, StateWriter } from '../../model/ports.ts';
import type { StateEntry } from '../../model/record.ts';
import type { ApiRequest } from '../../model/request.ts';
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
  /** Reads what answers show. Without it, answers are not compared with what was sent, and no user is looked up. */
  readonly answers?: AnswerReader;
  /** Resolves calls in doubt that may have taken effect in part. Without it they stay unknown. */
  readonly settling?: Settling;
}

/** How the kinds read the answers of the platform. */
export interface AnswerReader {
  /** Returns the read that shows what an edit stored. Undefined if no read shows all of it. */
  readOf(step: Step): ApiRequest | undefined;
  /** Compares the values that the step records in state with those in the answer to `request`. */
  compare(step: Step, request: ApiRequest, answer: JsonObject): ShownValues;
  /** Returns the reads that list those of these users who exist. */
  usersRead(ids: readonly string[]): readonly ApiRequest[];
  /** Returns the ids in an answer to such a read, or undefined if it is not a list. */
  usersIn(answer: JsonObject): readonly string[] | undefined;
}
