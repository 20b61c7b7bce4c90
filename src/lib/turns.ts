// Lets signals and timers in while a long loop computes, so that an interrupted command ends.

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const stepsOfTurn = 4096;

export class Turns {
  readonly #check: () => void;
  #steps = 0;

  /** `check` is called after each turn and may throw, which ends the loop. */
  constructor(check: () => void) {
    this.#check = check;
  }

  /** Counts a step of the loop. Returns whether to take a turn now. */
  isDue(): boolean {
    this.#steps = (this.#steps + 1) % stepsOfTurn;
    return this.#steps === 0;
  }

  async take(): Promise<void> {
    await nextTurn();
    this.#check();
  }
}
