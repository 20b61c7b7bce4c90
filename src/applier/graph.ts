// Which steps wait for which, and which of the ready ones goes first?
//
// Two things decide. The longest remaining path: a long chain has to begin early, or the run ends with it alone. And
// precedence (precedence.ts): what makes others ready early keeps their lanes busy. A chain hurries only when it would
// hang out at the end. So every step has its place by precedence, and a latest place, which lies before the end by as
// many places as the run goes through while the chain runs; the earlier of the two counts. In a small plan or for a
// chain of a thousand batches that is the longest path first; in the middle of a large plan it is precedence.
import { InternalError } from '../model/errors.ts';
import type { LimitsOf } from '../model/limits.ts';
import { NameTable } from '../model/name-table.ts';
import type { Series } from '../model/series.ts';
import type { Step } from '../model/step.ts';
import { GrowingList } from './growing-list.ts';
import { LaneLoads } from './lane-loads.ts';
import { precedences } from './precedence.ts';

/**
 * The plan's steps as numbers, so that a million of them cost a few typed arrays and none of them has to be in memory
 * before it is sent. A step's number is its place in the plan.
 */
export interface StepGraph {
  readonly size: number;
  /** How many edges into a step are still open; it is ready at 0. Counted down by the run. */
  readonly waits: Int32Array;
  /** Of two ready steps the one with the smaller figure goes first. */
  readonly place: Int32Array;
  /** By step: its route's place in `routes`. */
  readonly routeOf: Uint16Array;
  /** `POST /users`; '' for steps that only write to state. */
  readonly routes: readonly string[];
  /** Calls `visit` for every step that waits for this one. */
  dependents(index: number, visit: (dependent: number, mustSucceed: boolean) => void): void;
}

/**
 * How many steps a run ends while one step of a chain runs: some 0.6 s at 100 calls a second, all lanes together. The
 * figure need not be exact: too large, and chains hurry somewhat early.
 */
const placesPerStep = 64;

/** Every edge twice over: the step that waits, with 1 added to its double when it needs success; and the step it waits for. */
interface EdgeList {
  readonly from: GrowingList;
  readonly to: GrowingList;
}

/**
 * A step named in `needs` or `after` that is not in the plan counts as over: it was done by an earlier run, or dropped
 * with its whole object. A cycle or a double id is a bug of the planner. Goes through the steps once.
 */
export function buildGraph(steps: Series<Step>, limits?: LimitsOf): StepGraph {
  const size = steps.length;
  const names = new NameTable();
  const routeOf = new Uint16Array(size);
  const loads = new LaneLoads(limits);
  const list: EdgeList = { from: new GrowingList(), to: new GrowingList() };
  /** Ids that are not met yet, as a rule of steps that were done by an earlier run. */
  const later: { readonly id: string; readonly edge: number }[] = [];
  let index = 0;
  for (const step of steps) {
    if (names.add(step.id) !== index) throw new InternalError(`two steps of the plan have the id ${step.id}`);
    routeOf[index] = loads.add(step.request);
    for (const id of step.needs) addEdge(list, names, later, id, index * 2 + 1);
    for (const id of step.after ?? []) addEdge(list, names, later, id, index * 2);
    index++;
  }
  for (const { id, edge } of later) {
    const from = names.find(id);
    if (from === undefined) continue;
    list.from.push(from);
    list.to.push(edge);
  }
  const leaving = sortedBy(list.from.values, list.to.values, size);
  const waits = new Int32Array(size);
  for (const edge of list.to.values) waits[edge >> 1] = at(waits, edge >> 1) + 1;
  const dependents: StepGraph['dependents'] = (of, visit) => {
    for (let place = at(leaving.first, of); place < at(leaving.first, of + 1); place++) {
      const edge = at(leaving.others, place);
      visit(edge >> 1, (edge & 1) === 1);
    }
  };
  const place = places(steps, list, waits, dependents, latenesses(waits, routeOf, loads.seconds()));
  return { size, waits, place, routeOf, routes: loads.routes, dependents };
}

function addEdge(
  { from, to }: EdgeList,
  names: NameTable,
  later: { readonly id: string; readonly edge: number }[],
  id: string,
  edge: number,
): void {
  const found = names.find(id);
  if (found === undefined) {
    later.push({ id, edge });
    return;
  }
  from.push(found);
  to.push(edge);
}

/** Precedence, hurried where a long chain waits. What it takes besides the result is free again afterwards. */
function places(
  steps: Series<Step>,
  { from, to }: EdgeList,
  waits: Int32Array,
  dependents: StepGraph['dependents'],
  lateness: Int32Array,
): Int32Array {
  const size = steps.length;
  const longest = heights(steps, waits, dependents, lateness);
  const entering = sortedBy(
    to.values.map((edge) => edge >> 1),
    from.values,
    size,
  );
  const place = precedences({
    size,
    before: (index, visit) => {
      for (let edge = at(entering.first, index); edge < at(entering.first, index + 1); edge++) {
        visit(at(entering.others, edge));
      }
    },
    after: dependents,
    lateness,
  });
  for (let index = 0; index < size; index++) {
    place[index] = Math.min(at(place, index), size - placesPerStep * at(longest, index));
  }
  return place;
}

/**
 * By how much later than the busiest lane a step's own lane may start without holding up the run, counted in steps that
 * wait for nothing and are over by then.
 */
function latenesses(waits: Int32Array, routeOf: Uint16Array, seconds: Float64Array): Int32Array {
  const longest = Math.max(...seconds, 0);
  const firsts = new Float64Array(seconds.length);
  for (const [index, open] of waits.entries())
    if (open === 0) firsts[at(routeOf, index)] = at(firsts, at(routeOf, index)) + 1;
  const [lane, count] = firsts.reduce(
    ([best, most], calls, one) => (calls > most ? [one, calls] : [best, most]),
    [0, 0],
  );
  const perS = count === 0 ? 0 : count / Math.max(at(seconds, lane), 1e-3);
  const byRoute = seconds.map((load) => Math.floor((longest - load) * perS));
  return Int32Array.from(routeOf, (route) => Math.min(at(byRoute, route), waits.length));
}

/** The edges of step i are `others[first[i]] … others[first[i + 1] - 1]`. */
function sortedBy(keys: Int32Array, values: Int32Array, size: number): { first: Int32Array; others: Int32Array } {
  const first = new Int32Array(size + 1);
  for (const key of keys) first[key + 1] = at(first, key + 1) + 1;
  for (let index = 0; index < size; index++) first[index + 1] = at(first, index + 1) + at(first, index);
  const others = new Int32Array(keys.length);
  const filled = first.slice(0, size);
  for (const [edge, key] of keys.entries()) {
    const place = at(filled, key);
    others[place] = at(values, edge);
    filled[key] = place + 1;
  }
  return { first, others };
}

/**
 * The number of steps on the longest chain that waits for each: sorts topologically, then walks back from the ends of the
 * chains. On the way no step keeps a `lateness` beyond that of what waits for it.
 */
function heights(
  steps: Series<Step>,
  waits: Int32Array,
  dependents: StepGraph['dependents'],
  lateness: Int32Array,
): Int32Array {
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
    const stuck = steps.at(open.findIndex((left) => left > 0));
    throw new InternalError(`the steps of the plan wait for each other in a circle, among them ${stuck?.id}`);
  }
  const height = new Int32Array(size);
  for (let place = size - 1; place >= 0; place--) {
    const index = at(sorted, place);
    let longest = 0;
    dependents(index, (dependent) => {
      longest = Math.max(longest, at(height, dependent) + 1);
      lateness[index] = Math.min(at(lateness, index), at(lateness, dependent));
    });
    height[index] = longest;
  }
  return height;
}

/** An element of a typed array at a place that is known to be inside it. */
function at(array: Int32Array | Uint16Array | Float64Array, place: number): number {
  return array[place] as number;
}
