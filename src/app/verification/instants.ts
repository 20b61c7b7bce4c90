// Reads sorted values that arrive in batches, and waits only between batches.

/** Sorted values in batches of any size. */
export type Batches<T> = AsyncIterable<readonly T[]> | Iterable<readonly T[]>;

/** Groups the values of each time. Keeps one batch in memory, and more only while they have one time. */
export class Instants<T> {
  readonly #timeOf: (value: T) => number;
  readonly #batches: AsyncIterator<readonly T[]> | Iterator<readonly T[]>;
  #values: readonly T[] = [];
  /** The indexes of the first value of the next time, and of the value after its last. */
  #from = 0;
  #to = 0;
  #hasEnded = false;

  constructor(batches: Batches<T>, timeOf: (value: T) => number) {
    this.#timeOf = timeOf;
    this.#batches = Symbol.asyncIterator in batches ? batches[Symbol.asyncIterator]() : batches[Symbol.iterator]();
  }

  /** Whether all values of the next time have arrived, which only a value of another time shows. */
  get isReady(): boolean {
    return this.#to < this.#values.length || this.#hasEnded;
  }

  /** The next time. Infinity at the end. Valid if `isReady`. */
  get time(): number {
    const value = this.#values[this.#from];
    return value === undefined ? Number.POSITIVE_INFINITY : this.#timeOf(value);
  }

  /** Reads until `isReady`. Keeps no value that was taken while it waits. */
  async fill(): Promise<void> {
    while (!this.isReady) {
      this.#values = this.#values.slice(this.#from);
      this.#to -= this.#from;
      this.#from = 0;
      const next = await this.#batches.next();
      if (next.done === true) this.#hasEnded = true;
      else this.#values = this.#values.length === 0 ? next.value : [...this.#values, ...next.value];
      this.#findEnd();
    }
  }

  /** Takes the values of the time. None if the next time is another one. */
  take(time: number): readonly T[] {
    if (this.time !== time) return [];
    const values = this.#values.slice(this.#from, this.#to);
    this.#from = this.#to;
    this.#findEnd();
    return values;
  }

  #findEnd(): void {
    const { time } = this;
    let end = this.#to;
    for (let value = this.#values[end]; value !== undefined && this.#timeOf(value) === time; ) {
      end += 1;
      value = this.#values[end];
    }
    this.#to = end;
  }
}
