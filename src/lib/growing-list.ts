// How are whole numbers gathered whose count nobody knows before? In one typed array that doubles.

export class GrowingList {
  #items = new Int32Array(1024);
  #length = 0;

  /** What was gathered so far: a view, to be taken when all is in. */
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
}
