// Which steps wait for which, and which of the ready ones goes first?
//
// Two things decide. The longest remaining path: a long chain has to begin early, or the run ends with it alone. And
// precedence (precedence.ts): what makes others ready early keeps their lanes busy. A chain hurries only when it would
// hang out at the end. So every step has its place by precedence, and a latest place, which lies before the end by as
// many places as the run goes through while the chain runs; the earlier of the two counts. In a small plan or for a
// chain of a thousand batches that is the longest path first; in the middle of a large plan it is precedence.
import { InternalError } from '../model/errors.ts';
import type { Step } from '../model/step.ts';
import { precedences } from './precedence.ts';

/**
 * The plan's steps as numbers, so that a million of them cost a few typed arrays. A step's number is its place in the
 * plan. The edges that leave step i are `edges[first[i]] … edges[first[i + 1] - 1]`; each holds the waiting step and
 * says whether it `needs` this one to have succeeded or only comes `after` it.
 */
export interface StepGraph {
  readonly size: number;
  /** How many edges into a step are still open; it is ready at 0. Counted down by the run. */
  readonly waits: Int32Array;
  /** Of two ready steps the one with the smaller figure goes first. */
  readonly place: Int32Array;
  /** Calls `visit` for every step that waits for this one. */
  dependents(index: number, visit: (dependent: number, mustSucceed: boolean) => void): void;
}

/**
 * How many steps a run ends while one step of a chain runs: some 0.6 s at 100 calls a second, all lanes together. The
 * figure need not be exact: too large, and chains hurry somewhat early.
 */
const placesPerStep = 64;

/**
 * A step named in `needs` or `after` that is not in the plan counts as over: it was done by an earlier run, or dropped
 * with its whole object. A cycle or a double id is a bug of the planner.
 */
export function buildGraph(steps: readonly Step[]): StepGraph {
  const size = steps.length;
  const indexOf = new Map<string, number>();
  for (const [index, step] of steps.entries()) {
    if (indexOf.has(step.id)) throw new InternalError(`two steps of the plan have the id ${step.id}`);
    indexOf.set(step.id, index);
  }
  const waits = new Int32Array(size);
  const first = new Int32Array(size + 1);
  eachEdge(steps, indexOf, (from, to) => {
    first[from + 1] = at(first, from + 1) + 1;
    waits[to] = at(waits, to) + 1;
  });
  for (let index = 0; index < size; index++) first[index + 1] = at(first, index + 1) + at(first, index);
  // The lowest bit of an edge is set when the dependent needs success.
  const edges = new Int32Array(at(first, size));
  const filled = first.slice(0, size);
  eachEdge(steps, indexOf, (from, to, mustSucceed) => {
    const place = at(filled, from);
    edges[place] = to * 2 + (mustSucceed ? 1 : 0);
    filled[from] = place + 1;
  });
  const dependents: StepGraph['dependents'] = (index, visit) => {
    for (let place = at(first, index); place < at(first, index + 1); place++) {
      const edge = at(edges, place);
      visit(edge >> 1, (edge & 1) === 1);
    }
  };
  const earlier = new Int32Array(edges.length);
  const firstEarlier = new Int32Array(size + 1);
  let filledEarlier = 0;
  eachEdge(steps, indexOf, (from, to) => {
    earlier[filledEarlier++] = from;
    firstEarlier[to + 1] = filledEarlier;
  });
  for (let index = 0; index < size; index++) {
    firstEarlier[index + 1] = Math.max(at(firstEarlier, index), at(firstEarlier, index + 1));
  }
  const longest = heights(steps, waits, dependents);
  const place = precedences({
    size,
    before: (index, visit) => {
      for (let edge = at(firstEarlier, index); edge < at(firstEarlier, index + 1); edge++) visit(at(earlier, edge));
    },
    after: dependents,
  });
  for (let index = 0; index < size; index++) {
    place[index] = Math.min(at(place, index), size - placesPerStep * at(longest, index));
  }
  return { size, waits, place, dependents };
}

function eachEdge(
  steps: readonly Step[],
  indexOf: ReadonlyMap<string, number>,
  visit: (from: number, to: number, mustSucceed: boolean) => void,
): void {
  for (const [to, step] of steps.entries()) {
    for (const id of step.needs) {
      const from = indexOf.get(id);
      if (from !== undefined) visit(from, to, true);
    }
    for (const id of step.after ?? []) {
      const from = indexOf.get(id);
      if (from !== undefined) visit(from, to, false);
    }
  }
}

/** The number of steps on the longest chain that waits for each: sorts topologically, then walks back from the ends of the chains. */
function heights(steps: readonly Step[], waits: Int32Array, dependents: StepGraph['dependents']): Int32Array {
  const size = steps.length;
  const open = waits.slice();
  const sorted = new Int32Array(size);
  let found = 0;
  for (let index = 0; index < size; index++) if (at(open, index) === 0) sorted[found++] = index;
  for (let done = 0; done < found; done++) {
    dependents(at(sorted, done), (dependent) => {
      const left = at(open, dependent) - 1;
      open[dependent] = left;
      if (left === 0) sorted[found++] = dependent;
    });
  }
  if (found < size) {
    const stuck = steps[open.findIndex((left) => left > 0)];
    throw new InternalError(`the steps of the plan wait for each other in a circle, among them ${stuck?.id}`);
  }
  const height = new Int32Array(size);
  for (let place = size - 1; place >= 0; place--) {
    const index = at(sorted, place);
    let longest = 0;
    dependents(index, (dependent) => {
      longest = Math.max(longest, at(height, dependent) + 1);
    });
    height[index] = longest;
  }
  return height;
}

/** An element of a typed array at a place that is known to be inside it. */
function at(array: Int32Array, place: number): number {
  return array[place] as number;
}
