/** A binary heap. `before(a, b)` tells whether `a` leaves the heap before `b`. */
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
