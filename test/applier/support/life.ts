// At which moment does the process die? A countdown that every effect of a run passes, before and after it happens.

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

  /** Returns while the process lives; of a dead process nothing ever goes on. */
  async moment(): Promise<void> {
    if (!this.isDead && --this.#left <= 0) this.#die();
    if (this.isDead) await new Promise(() => {});
  }
}
