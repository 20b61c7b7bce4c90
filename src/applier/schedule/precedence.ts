// Which of two steps goes first when no chain hurries? The one whose work is wanted sooner by the lanes behind it.
//
// Channels need users, each channel a handful out of all of them, an invitation to a supergroup a hundred. Were the users
// made in the order of the plan, nearly every channel would wait for one of the last, and its lane would stand idle until
// then. So that the first users make many channels possible, and the last ones hold up few, the order is made from its
// end: of the steps that wait for nothing, the one on which the least depends goes last, together with all that needs it;
// of those that are left again the one on which the least depends goes before it; and so on. That is how the densest
// part of a graph is found, and it serves the beginning and the end of a run at once. A search from the front (take what
// lacks the fewest steps) leaves the steps that hold up a hundred others for the end: 1.37 times the bound of the
// busiest bucket for overlapping supergroups, against 1.08 of this order and the 1.07 that no order can beat.
//
// How much depends on a step is a weight: each step behind it is worth the more, the busier its lane is. A step that waits
// for many counts less for each of them, since any of the others may hold it up as well.
import { LightestFirst } from '../../lib/lightest-first.ts';

/** The edges of the graph, both ways. The visitors are told a step's number; an edge may be there twice. */
export interface Edges {
  readonly size: number;
  before(index: number, visit: (earlier: number) => void): void;
  after(index: number, visit: (later: number) => void): void;
  /** All steps, each after those that it waits for. */
  readonly sorted: Int32Array;
  /** By step: how much it matters that it can run early. */
  readonly worth: Float64Array;
  /** Which part of a step's weight counts for each of so many that it waits for and that wait for nothing. */
  readonly share: (count: number) => number;
}

/** Channels of a hundred members count nearly as much for each of them as small ones: where large ones overlap. */
export const mildShare = (count: number): number => 1 / (0.3 + Math.log2(count));
/** Small channels first, since a few users make many of them possible. */
export const evenShare = (count: number): number => 1 / count;

/**
 * When a step has got its place, those above it weigh less: so many levels of them are told. More would walk up a chain of
 * a thousand batches for each of them, and changes little.
 */
const levelsTold = 3;

/** The place of each step in that order. Takes some n log n of its edges, and a few numbers for each step. */
export function precedences(edges: Edges): Int32Array {
  return new Peeling(edges).places;
}

class Peeling {
  readonly places: Int32Array;
  readonly #edges: Edges;
  /** By step, how many of those that it waits for wait for nothing themselves, and how many others there are. */
  readonly #firsts: Int32Array;
  readonly #others: Int32Array;
  readonly #weight: Float64Array;
  /** By how much a step is lighter, and does not know it yet. */
  readonly #owed: Float64Array;
  readonly #queue: LightestFirst;
  #left: number;

  constructor(edges: Edges) {
    const { size } = edges;
    this.#edges = edges;
    this.places = new Int32Array(size).fill(-1);
    this.#firsts = new Int32Array(size);
    this.#others = new Int32Array(size);
    this.#owed = new Float64Array(size);
    this.#left = size;
    this.#count();
    this.#weight = this.#weigh();
    this.#queue = new LightestFirst(this.#weight, this.#takeLonely());
    for (let index = this.#queue.take(); index !== undefined; index = this.#queue.take()) this.#peel(index);
  }

  #isFirst(index: number): boolean {
    return this.#firsts[index] === 0 && this.#others[index] === 0;
  }

  #count(): void {
    for (const index of this.#edges.sorted) {
      this.#edges.before(index, (earlier) => {
        const counts = this.#isFirst(earlier) ? this.#firsts : this.#others;
        counts[index] = (counts[index] as number) + 1;
      });
    }
  }

  #weigh(): Float64Array {
    const { sorted, worth } = this.#edges;
    const weight = new Float64Array(worth.length);
    for (let place = sorted.length - 1; place >= 0; place--) {
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

  /** Which part of a step's weight counts for one that it waits for. */
  #part(index: number, earlier: number): number {
    if (!this.#isFirst(earlier)) return 1 / (this.#others[index] as number);
    return this.#edges.share(this.#firsts[index] as number);
  }

  /** Those for which nothing waits and that wait for nothing go last, in the order of the plan. The rest is given back. */
  #takeLonely(): Int32Array {
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

  /** The step goes last of those left, and behind it all that needs it. */
  #peel(first: number): void {
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
    this.#lighten(lighter);
  }

  #owe(index: number, lost: number, lighter: number[]): void {
    if (this.places[index] !== -1 || lost === 0) return;
    if (this.#owed[index] === 0) lighter.push(index);
    this.#owed[index] = (this.#owed[index] as number) + lost;
  }

  #lighten(told: readonly number[]): void {
    let level = told;
    for (let depth = 0; depth < levelsTold; depth++) {
      const above: number[] = [];
      for (const index of level) {
        const lost = this.#owed[index] as number;
        this.#owed[index] = 0;
        this.#weight[index] = (this.#weight[index] as number) - lost;
        if (this.#isFirst(index)) this.#queue.lightened(index);
        else this.#edges.before(index, (earlier) => this.#owe(earlier, lost * this.#part(index, earlier), above));
      }
      level = above;
    }
    for (const index of level) this.#owed[index] = 0;
  }
}
