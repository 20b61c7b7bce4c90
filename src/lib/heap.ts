// Binary heaps: of any items, and of numbered items whose weights may decrease.

/** `before(a, b)` tells whether `a` leaves the heap before `b`. */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #before: (left: T, right: T) => boolean;

  constructor(before: (left: T, right: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  clear(): void {
    this.#items.length = 0;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let hole = items.length;
    items.push(item);
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      const above = items[parent] as T;
      if (!this.#before(item, above)) break;
      items[hole] = above;
      hole = parent;
    }
    items[hole] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return top;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.#before(items[child + 1] as T, items[child] as T)) child++;
      if (!this.#before(items[child] as T, last)) break;
      items[hole] = items[child] as T;
      hole = child;
    }
    items[hole] = last;
    return top;
  }
}

/** A heap of numbered items whose weights may decrease. Typed arrays keep the position of each item. */
export class WeightHeap {
  readonly #weight: Float64Array;
  readonly #heap: Int32Array;
  /** The position of each item in the heap, or -1 after it has left. */
  readonly #placeOf: Int32Array;
  #size: number;

  /** `weight` is indexed by item, `items` are the items in the heap. Both arrays are kept, not copied. */
  constructor(weight: Float64Array, items: Int32Array) {
    this.#weight = weight;
    this.#heap = items;
    this.#size = items.length;
    this.#placeOf = new Int32Array(weight.length).fill(-1);
    for (const [place, index] of items.entries()) this.#placeOf[index] = place;
    for (let place = (this.#size >> 1) - 1; place >= 0; place--) this.#sink(place, this.#at(place));
  }

  /** Removes and returns the lightest item. Among equal ones it is the item with the greatest number. */
  take(): number | undefined {
    if (this.#size === 0) return undefined;
    const lightest = this.#at(0);
    this.#placeOf[lightest] = -1;
    this.#size--;
    if (this.#size > 0) this.#sink(0, this.#at(this.#size));
    return lightest;
  }

  /** Must be called after the weight of an item has decreased. */
  lightened(index: number): void {
    const place = this.#placeOf[index] as number;
    if (place >= 0) this.#rise(place, index);
  }

  #rise(from: number, index: number): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const other = this.#at(parent);
      if (!this.#isBefore(index, other)) break;
      this.#put(place, other);
      place = parent;
    }
    this.#put(place, index);
  }

  #sink(from: number, index: number): void {
    let place = from;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && this.#isBefore(this.#at(child + 1), this.#at(child))) child++;
      const other = this.#at(child);
      if (!this.#isBefore(other, index)) break;
      this.#put(place, other);
      place = child;
    }
    this.#put(place, index);
  }

  #isBefore(left: number, right: number): boolean {
    const difference = (this.#weight[left] as number) - (this.#weight[right] as number);
    return difference < 0 || (difference === 0 && left > right);
  }

  #put(place: number, index: number): void {
    this.#heap[place] = index;
    this.#placeOf[index] = place;
  }

  #at(place: number): number {
    return this.#heap[place] as number;
  }
}
