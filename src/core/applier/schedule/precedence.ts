// Orders the steps so that the lanes that depend on them get work early.
//
// Channels need users: a small channel needs a few, an invitation to a supergroup a hundred. If users were created in the
// order of the plan, nearly every channel would wait for one of the last users, and its lane would be idle until then. The
// first users should make many channels possible, and the last ones should delay few. So the order is built from its end. Of
// the steps that wait for nothing, the one on which the least depends goes last, with all steps that need it. This repeats
// with the remaining steps. It is the peeling that finds the densest part of a graph, and it serves the beginning and the
// end of a run. A search from the front (start the steps that lack the fewest others) would leave the steps that delay a
// hundred others for the end.
//
// The weight of a step measures how much depends on it. A dependent step adds more the busier its lane is. A step that waits
// for many adds less to each of them, because any of the others may delay it as well.

import { WeightHeap } from '../../../lib/heap.ts';
import { type Sliced, sliceLength } from '../../../lib/slices.ts';

/** The edges of the graph in both directions. Visitors receive a step's index. An edge may occur twice. */
export interface WeightedEdges {
  readonly size: number;
  before(index: number, visit: (earlier: number) => void): void;
  after(index: number, visit: (later: number) => void): void;
  /** All steps, each after the steps that it waits for. */
  readonly sorted: Int32Array;
  /** By step, how much it matters that the step can run early. */
  readonly worth: Float64Array;
}

/**
 * Returns the share of a step's weight for each of the `count` users that it waits for. The share falls slowly, so that a
 * channel of a hundred members counts nearly as much for each of them as a small one. That helps large overlapping channels.
 */
function partOfEach(count: number): number {
  return 1 / (0.3 + Math.log2(count));
}

/**
 * When a step gets its place, the steps that it waits for become lighter. The change propagates this many levels. More
 * levels would walk up a chain of a thousand batches for each of its steps and change little.
 */
const levelsPassed = 3;

/** Returns the place of each step in O(n log n) for n edges. */
export function* stepPlaces(edges: WeightedEdges): Sliced<Int32Array> {
  const peeling = new Peeling(edges);
  yield* peeling.placeAll();
  return peeling.places;
}

class Peeling {
  readonly places: Int32Array;
  readonly #edges: WeightedEdges;
  /** By step, how many of the steps it waits for wait for nothing, and how many wait for others. */
  readonly #firsts: Int32Array;
  readonly #others: Int32Array;
  #weight: Float64Array;
  /** By step, the loss of weight not yet subtracted. */
  readonly #owed: Float64Array;
  #left: number;

  constructor(edges: WeightedEdges) {
    const { size } = edges;
    this.#edges = edges;
    this.places = new Int32Array(size).fill(-1);
    this.#firsts = new Int32Array(size);
    this.#others = new Int32Array(size);
    this.#owed = new Float64Array(size);
    this.#left = size;
    this.#weight = new Float64Array(size);
  }

  *placeAll(): Sliced<void> {
    yield* this.#count();
    this.#weight = yield* this.#weigh();
    const queue = new WeightHeap(this.#weight, this.#placeUnconnected());
    yield;
    let visited = 0;
    for (let index = queue.take(); index !== undefined; index = queue.take()) {
      visited += this.#peel(index, queue);
      if (visited < sliceLength) continue;
      visited = 0;
      yield;
    }
  }

  #isFirst(index: number): boolean {
    return this.#firsts[index] === 0 && this.#others[index] === 0;
  }

  *#count(): Sliced<void> {
    for (const [place, index] of this.#edges.sorted.entries()) {
      if (place % sliceLength === 0) yield;
      this.#edges.before(index, (earlier) => {
        const counts = this.#isFirst(earlier) ? this.#firsts : this.#others;
        counts[index] = (counts[index] as number) + 1;
      });
    }
  }

  *#weigh(): Sliced<Float64Array> {
    const { sorted, worth } = this.#edges;
    const weight = new Float64Array(worth.length);
    for (let place = sorted.length - 1; place >= 0; place--) {
      if (place % sliceLength === 0) yield;
      const index = sorted[place] as number;
      if (this.#isFirst(index)) continue;
      const whole = (weight[index] as number) + (worth[index] as number);
      weight[index] = whole;
      this.#edges.before(index, (earlier) => {
        weight[earlier] = (weight[earlier] as number) + whole * this.#part(index, earlier);
      });
    }
    return weight;
  }

  /** Returns the part of a step's weight that counts for one of the steps it waits for. */
  #part(index: number, earlier: number): number {
    if (!this.#isFirst(earlier)) return 1 / (this.#others[index] as number);
    return partOfEach(this.#firsts[index] as number);
  }

  /** Puts the steps without any edge last, in the order of the plan. Returns the other steps that wait for nothing. */
  #placeUnconnected(): Int32Array {
    const { size, after } = this.#edges;
    const rest = new Int32Array(size);
    let count = 0;
    for (let index = size - 1; index >= 0; index--) {
      if (!this.#isFirst(index)) continue;
      let isNeeded = false;
      after(index, () => {
        isNeeded = true;
      });
      if (isNeeded) rest[count++] = index;
      else this.places[index] = --this.#left;
    }
    return rest.slice(0, count);
  }

  /** Places a step last among the remaining, followed by all that need it. Returns the number of steps visited. */
  #peel(first: number, queue: WeightHeap): number {
    const { after, before } = this.#edges;
    const peeled = [first];
    this.places[first] = 0;
    for (const index of peeled) {
      after(index, (later) => {
        if (this.places[later] !== -1) return;
        this.places[later] = 0;
        peeled.push(later);
      });
    }
    for (const index of peeled.toReversed()) this.places[index] = --this.#left;
    const lighter: number[] = [];
    for (const index of peeled) {
      const lost = this.#weight[index] as number;
      before(index, (earlier) => this.#owe(earlier, lost * this.#part(index, earlier), lighter));
    }
    this.#lighten(lighter, queue);
    return peeled.length + lighter.length;
  }

  #owe(index: number, lost: number, lighter: number[]): void {
    if (this.places[index] !== -1 || lost === 0) return;
    if (this.#owed[index] === 0) lighter.push(index);
    this.#owed[index] = (this.#owed[index] as number) + lost;
  }

  #lighten(lightened: readonly number[], queue: WeightHeap): void {
    let level = lightened;
    for (let depth = 0; depth < levelsPassed; depth++) {
      const above: number[] = [];
      for (const index of level) {
        const lost = this.#owed[index] as number;
        this.#owed[index] = 0;
        this.#weight[index] = (this.#weight[index] as number) - lost;
        if (this.#isFirst(index)) queue.lightened(index);
        else this.#edges.before(index, (earlier) => this.#owe(earlier, lost * this.#part(index, earlier), above));
      }
      level = above;
    }
    for (const index of level) this.#owed[index] = 0;
  }
}
