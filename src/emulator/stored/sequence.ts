// Finds and pages through a million records in constant time: an array in order of creation, with an index by id.

/** Records in order of `seq`. Deleting leaves a hole. The array is compacted when half of it is holes. */
export class Sequence<T extends { readonly seq: number }> {
  #items: (T | undefined)[] = [];
  /** The `seq` of each place, holes included, so that a page position can be found by bisection. */
  #seqs: number[] = [];
  readonly #places = new Map<string, number>();

  get size(): number {
    return this.#places.size;
  }

  get(id: string): T | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#items[place];
  }

  put(id: string, item: T): void {
    const place = this.#places.get(id);
    if (place !== undefined) {
      this.#items[place] = item;
      return;
    }
    this.#places.set(id, this.#items.length);
    this.#items.push(item);
    this.#seqs.push(item.seq);
  }

  delete(id: string): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    this.#places.delete(id);
    this.#items[place] = undefined;
    if (this.#items.length > 64 && this.#items.length > 2 * this.#places.size) this.#closeUp();
  }

  clear(): void {
    this.#items = [];
    this.#seqs = [];
    this.#places.clear();
  }

  /** Records after `seq`, oldest first. */
  *ascending(seq = -1): Generator<T> {
    for (let place = this.#placeAfter(seq); place < this.#items.length; place++) {
      const item = this.#items[place];
      if (item !== undefined) yield item;
    }
  }

  /** Records before `seq`, newest first. */
  *descending(seq = Number.POSITIVE_INFINITY): Generator<T> {
    for (let place = this.#placeAfter(seq - 1) - 1; place >= 0; place--) {
      const item = this.#items[place];
      if (item !== undefined) yield item;
    }
  }

  /** The first place with a greater `seq`. */
  #placeAfter(seq: number): number {
    return countWhile(this.#seqs, (known) => known <= seq);
  }

  #closeUp(): void {
    const ids = [...this.#places].sort((a, b) => a[1] - b[1]);
    const items = this.#items;
    const seqs = this.#seqs;
    this.#items = ids.map(([, place]) => items[place]);
    this.#seqs = ids.map(([, place]) => seqs[place] ?? 0);
    for (const [place, [id]] of ids.entries()) this.#places.set(id, place);
  }
}

/** Counts the leading items of a sorted array that fulfil a condition, by bisection. */
export function countWhile<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
