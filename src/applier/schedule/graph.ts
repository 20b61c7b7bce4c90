// Which steps wait for which, and which of the ready ones goes first?
//
// Two things decide. The longest remaining path: a long chain has to begin early, or the run ends with it alone. And
// precedence (precedence.ts): what many others wait for keeps their lanes busy. A chain hurries only when it would
// hang out at the end. So every step has its place by precedence, and a latest place, which lies before the end by as
// many places as the run goes through while the chain runs; the earlier of the two counts. In a small plan or for a
// chain of a thousand batches that is the longest path first; in the middle of a large plan it is precedence.

import { InternalError } from '../../lib/errors.ts';
import { NameTable } from '../../lib/name-table.ts';
import { IntColumn } from '../../lib/number-column.ts';
import type { Series } from '../../lib/series.ts';
import type { Address } from '../../model/address.ts';
import type { LimitsOf } from '../../model/limits.ts';
import type { Step } from '../../model/step.ts';
import { LaneLoads } from './lane-loads.ts';
import { type Edges, evenShare, mildShare, precedences } from './precedence.ts';
import { quickest } from './trial-run.ts';

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
  /** Steps that may have been sent by a run of which nothing is known. */
  readonly unsure: readonly number[];
  /** By address: the step that closes what is opened for work on it, however that work ends. Only such a one has an `after`. */
  readonly closers: ReadonlyMap<Address, number>;
  /** Calls `visit` for every step that waits for this one. */
  dependents(index: number, visit: (dependent: number, mustSucceed: boolean) => void): void;
}

/**
 * How many steps a run ends while one step of a chain runs: some 0.6 s at 100 calls a second, all lanes together. The
 * figure need not be exact: too large, and chains hurry somewhat early.
 */
const placesPerStep = 64;

/** `sharpness`: how much more the busiest lane matters than one that has less to do. Which serves best depends on the estate. */
const usualWeighting = { sharpness: 8, share: mildShare };
const weightings = [
  usualWeighting,
  { sharpness: 2, share: mildShare },
  { sharpness: 20, share: mildShare },
  { sharpness: 2, share: evenShare },
];
/** In a larger plan one weighting takes some seconds, while nothing is sent and no lease renewed. */
const mostTried = 200_000;

/** Every edge twice over: the step that waits, with 1 added to its double when it needs success; and the step it waits for. */
interface EdgeList {
  readonly from: IntColumn;
  readonly to: IntColumn;
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
  const list: EdgeList = { from: new IntColumn(), to: new IntColumn() };
  /** Ids that are not met yet, as a rule of steps that were done by an earlier run. */
  const later: { readonly id: string; readonly edge: number }[] = [];
  const unsure: number[] = [];
  const closers = new Map<Address, number>();
  const openers = new Map<Address, number>();
  /** In the lane of what opens an object: what is done while it is open, and what closes it. */
  const urgent: number[] = [];
  let index = 0;
  for (const step of steps) {
    if (step.settle?.unsure === true) unsure.push(index);
    if (step.after !== undefined) closers.set(step.address, index);
    if (names.add(step.id) !== index) throw new InternalError(`two steps of the plan have the id ${step.id}`);
    routeOf[index] = loads.add(step.request);
    if (step.phase === 'open') openers.set(step.address, index);
    else if (routeOf[index] === routeOf[openers.get(step.address) ?? -1]) urgent.push(index);
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
  const sorted = topological(steps, waits, dependents);
  const place = places(list, { size, sorted, routeOf, loads, after: dependents });
  // Who is open goes before who is to be opened: people who are deactivated are active no longer than they must be.
  for (const step of urgent) place[step] = soonest;
  return { size, waits, place, routeOf, routes: loads.routes, unsure, closers, dependents };
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

/**
 * Precedence, hurried where a long chain waits. How much more the busiest lane matters than the others, and small
 * channels than large ones, depends on the estate, so a few answers are tried and the quickest is kept. What it takes
 * besides the result is free again afterwards.
 */
function places({ from, to }: EdgeList, graph: Unordered): Int32Array {
  const { size, sorted, routeOf, loads, after } = graph;
  const entering = sortedBy(
    to.values.map((edge) => edge >> 1),
    from.values,
    size,
  );
  const before: Edges['before'] = (index, visit) => {
    for (let edge = at(entering.first, index); edge < at(entering.first, index + 1); edge++) {
      visit(at(entering.others, edge));
    }
  };
  const longest = heights(sorted, after);
  const placesFor = ({ sharpness, share }: typeof usualWeighting): Int32Array => {
    const worth = worths(routeOf, loads.seconds(), sharpness);
    const place = precedences({ size, sorted, before, after, worth, share });
    return place.map((own, index) => Math.min(own, size - placesPerStep * at(longest, index)));
  };
  if (to.values.length === 0) return placesFor(usualWeighting);
  const trial = { size, routeOf, before, after, callS: loads.callS() };
  return quickest(trial, (size > mostTried ? [usualWeighting] : weightings).map(placesFor));
}

/** Before any place that precedence gives. */
const soonest = -(2 ** 31);

interface Unordered extends Omit<Edges, 'before' | 'worth' | 'share'> {
  readonly routeOf: Uint16Array;
  readonly loads: LaneLoads;
}

/** What a step of each lane is worth: 1 in the busiest one, and the less, the sooner the lane would be through with its work. */
function worths(routeOf: Uint16Array, seconds: Float64Array, sharpness: number): Float64Array {
  const longest = Math.max(...seconds, 1e-9);
  const byRoute = seconds.map((load) => (load / longest) ** sharpness);
  return Float64Array.from(routeOf, (route) => at(byRoute, route));
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

/** All steps, each after those that it waits for. */
function topological(steps: Series<Step>, waits: Int32Array, after: Edges['after']): Int32Array {
  const open = waits.slice();
  const sorted = new Int32Array(waits.length);
  let found = 0;
  for (let index = 0; index < waits.length; index++) if (at(open, index) === 0) sorted[found++] = index;
  for (let done = 0; done < found; done++) {
    after(at(sorted, done), (later) => {
      const left = at(open, later) - 1;
      open[later] = left;
      if (left === 0) sorted[found++] = later;
    });
  }
  if (found === waits.length) return sorted;
  const stuck = steps.at(open.findIndex((left) => left > 0));
  throw new InternalError(`the steps of the plan wait for each other in a circle, among them ${stuck?.id}`);
}

/** The number of steps on the longest chain that waits for each: from the ends of the chains backwards. */
function heights(sorted: Int32Array, after: Edges['after']): Int32Array {
  const height = new Int32Array(sorted.length);
  for (let place = sorted.length - 1; place >= 0; place--) {
    const index = at(sorted, place);
    let longest = 0;
    after(index, (later) => {
      longest = Math.max(longest, at(height, later) + 1);
    });
    height[index] = longest;
  }
  return height;
}

/** An element of a typed array at a place that is known to be inside it. */
function at(array: Int32Array | Uint16Array | Float64Array, place: number): number {
  return array[place] as number;
}
