// Which of two steps goes first when no chain hurries? The one that sooner makes another step ready.
//
// Channels need users, each channel a handful out of all of them. Were the users made in the order of the plan, nearly
// every channel would wait for one of the last, and the lane of the channels would stand idle until then. So the
// steps that wait for nothing are put into an order in which the others become ready as early as possible: again and
// again the step that lacks the fewest of them is taken, those that it lacks come next, and then the step itself. It is
// greedy, not the best there is, but it takes a run with random members from 1.5 times the lower bound to nearly the bound itself.
// What feeds the busiest lane comes first: a step of a lane with time to spare counts as lacking more than it does.
//
// The steps that may be taken lie in one list for each number of lacking steps: linked by number, so that one moves to
// a shorter list in no time and the whole costs a few typed arrays.

/** The edges of the graph, both ways. `visit` is told a step's number. */
export interface Edges {
  readonly size: number;
  before(index: number, visit: (earlier: number) => void): void;
  after(index: number, visit: (later: number) => void): void;
  /** By how many steps later than others it may be made ready: its lane, and those behind it, are not the busiest. */
  readonly lateness: Int32Array;
}

/** The place of each step in that order. */
export function precedences(edges: Edges): Int32Array {
  const { size, lateness } = edges;
  const listOf = (index: number, lacks: number): number => (lacks === 0 ? 0 : lacks + (lateness[index] as number));
  const rank = new Int32Array(size).fill(-1);
  /** Of the steps before this one that wait for nothing, and of the others: how many have no place yet. */
  const lacking = new Int32Array(size);
  const blocking = new Int32Array(size);
  const isFirst = new Uint8Array(size).fill(1);
  for (let index = 0; index < size; index++) {
    edges.after(index, (later) => {
      isFirst[later] = 0;
    });
  }
  for (let index = 0; index < size; index++) {
    const counts = isFirst[index] === 1 ? lacking : blocking;
    edges.after(index, (later) => {
      counts[later] = (counts[later] as number) + 1;
    });
  }
  const lists = new NumberedLists(size);
  // Each list is filled from its front, so the last go in first.
  for (let index = size - 1; index >= 0; index--) {
    if (isFirst[index] === 0 && blocking[index] === 0) lists.add(index, listOf(index, lacking[index] as number));
  }
  let next = 0;
  const place = (index: number): void => {
    if (rank[index] !== -1) return;
    rank[index] = next++;
    edges.after(index, (later) => {
      if (isFirst[index] === 1) {
        const left = (lacking[later] as number) - 1;
        lacking[later] = left;
        if (blocking[later] === 0 && lists.remove(later, listOf(later, left + 1)))
          lists.add(later, listOf(later, left));
      } else {
        const left = (blocking[later] as number) - 1;
        blocking[later] = left;
        if (left === 0) lists.add(later, listOf(later, lacking[later] as number));
      }
    });
  };
  for (let index = lists.takeFirst(); index !== undefined; index = lists.takeFirst()) {
    edges.before(index, place);
    place(index);
  }
  for (let index = 0; index < size; index++) place(index);
  return rank;
}

/** Lists of step numbers, one for each small number; a step is in one of them at most. */
class NumberedLists {
  /** By list: its front; by step: its neighbours, -1 for none and -2 for a step in no list. */
  readonly #front: number[] = [];
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  /** No list below this one holds a step. */
  #lowest = 0;

  constructor(size: number) {
    this.#next = new Int32Array(size).fill(-1);
    this.#previous = new Int32Array(size).fill(-2);
  }

  add(index: number, list: number): void {
    while (this.#front.length <= list) this.#front.push(-1);
    const old = this.#front[list] as number;
    this.#next[index] = old;
    this.#previous[index] = -1;
    if (old >= 0) this.#previous[old] = index;
    this.#front[list] = index;
    this.#lowest = Math.min(this.#lowest, list);
  }

  /** False when the step is in no list. */
  remove(index: number, list: number): boolean {
    const previous = this.#previous[index] as number;
    if (previous === -2) return false;
    const next = this.#next[index] as number;
    if (previous === -1) this.#front[list] = next;
    else this.#next[previous] = next;
    if (next >= 0) this.#previous[next] = previous;
    this.#previous[index] = -2;
    return true;
  }

  /** A step of the lowest list that holds one. */
  takeFirst(): number | undefined {
    for (; this.#lowest < this.#front.length; this.#lowest++) {
      const index = this.#front[this.#lowest] as number;
      if (index < 0) continue;
      this.remove(index, this.#lowest);
      return index;
    }
    return undefined;
  }
}
