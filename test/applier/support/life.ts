// Support: kills a process at a chosen moment, by a countdown that every effect of a run passes before and after it happens.

export class Life {
  readonly died: Promise<void>;
  #left: number;
  #die: () => void = () => {};

  constructor(moments = Number.POSITIVE_INFINITY) {
    this.#left = moments;
    this.died = new Promise((resolve) => {
      this.#die = resolve;
    });
  }

  get isDead(): boolean {
    return this.#left <= 0;
  }

  /** Returns while the process lives, and never returns in a killed process. */
  async moment(): Promise<void> {
    if (!this.isDead && --this.#left <= 0) this.#die();
    if (this.isDead) await new Promise(() => {});
  }
}
