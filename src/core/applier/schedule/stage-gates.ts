// Holds back the steps of later stages until the gate after each earlier stage has passed.
import type { StopCause } from '../../model/report.ts';

/** Why the next stage does not begin. */
export interface ClosedGate {
  readonly why: string;
  readonly cause?: StopCause;
}

export interface Stages {
  /** By step, its stage from 0. No step waits for one of a later stage. */
  readonly stageOf: Uint16Array;
  /**
   * Called when all steps of a stage have ended, unless no later one is left. `incomplete` is how many did not succeed. Resolves soon after
   * an abort. Rejects if state cannot be written.
   */
  passes(stage: number, incomplete: number, signal: AbortSignal): Promise<ClosedGate | undefined>;
}

export class StageGates {
  readonly #stages: Stages;
  /** By stage, the steps that have not ended, and those that ended without success. */
  readonly #left: number[] = [];
  readonly #incomplete: number[] = [];
  /** Ready steps of later stages. */
  #held: number[] = [];
  #current = 0;
  #isAsking = false;
  readonly #stop = new AbortController();

  constructor(stages: Stages) {
    this.#stages = stages;
    for (const stage of stages.stageOf) this.#left[stage] = (this.#left[stage] ?? 0) + 1;
  }

  stageOf(index: number): number {
    return this.#stages.stageOf[index] as number;
  }

  /** Whether the step is of a later stage. It is returned when its stage begins. */
  holds(index: number): boolean {
    if (this.stageOf(index) <= this.#current) return false;
    this.#held.push(index);
    return true;
  }

  ended(index: number, hasSucceeded: boolean): void {
    const stage = this.stageOf(index);
    this.#left[stage] = (this.#left[stage] ?? 0) - 1;
    if (!hasSucceeded) this.#incomplete[stage] = (this.#incomplete[stage] ?? 0) + 1;
  }

  /** Whether the next stage waits only for its gate. */
  get isAtGate(): boolean {
    return (this.#left[this.#current] ?? 0) === 0;
  }

  /** Whether a gate has been asked and has not answered. */
  get isAsking(): boolean {
    return this.#isAsking;
  }

  async passes(): Promise<ClosedGate | undefined> {
    this.#isAsking = true;
    try {
      return await this.#stages.passes(this.#current, this.#incomplete[this.#current] ?? 0, this.#stop.signal);
    } finally {
      this.#isAsking = false;
    }
  }

  /** Returns the held steps of the next stage, which begins. */
  begin(): readonly number[] {
    this.#current += 1;
    const held = this.#held;
    this.#held = [];
    return held.filter((index) => !this.holds(index));
  }

  /** Ends the question to a gate. */
  abort(): void {
    this.#stop.abort();
  }
}
