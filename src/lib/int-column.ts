/** A growing column of integers of 32 bits, for millions of numbers. */
export class IntColumn {
  #items = new Int32Array(32);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** A view of the numbers so far. It is invalid after the next `push`. */
  get values(): Int32Array {
    return this.#items.subarray(0, this.#length);
  }

  push(value: number): void {
    if (this.#length === this.#items.length) {
      const larger = new Int32Array(2 * this.#length);
      larger.set(this.#items);
      this.#items = larger;
    }
    this.#items[this.#length++] = value;
  }

  /** Returns undefined outside the column. */
  at(index: number): number | undefined {
    return index < this.#length ? this.#items[index] : undefined;
  }

  /** Sets an existing number, or appends one if `index` is the length. */
  set(index: number, value: number): void {
    if (index === this.#length) this.push(value);
    else this.#items[index] = value;
  }
}
