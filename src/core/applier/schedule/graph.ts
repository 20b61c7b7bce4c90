// Builds the graph of a plan's steps: which steps wait for which, and which ready step starts first.
//
// Two criteria decide the order. One is the longest remaining path: a long chain must start early, or the run ends with only
// that chain. The other is precedence (precedence.ts): steps that many others wait for keep lanes busy. A chain is urgent
// only if it would outlast the rest. So every step has a place by precedence and a latest place, which is before the end by
// the number of steps that the run makes while the step's chain runs. The earlier place counts. In a small plan, or for a
// chain of a thousand batches, the longest path decides. In the middle of a large plan, precedence decides.
import { InternalError } from '../../../lib/errors.ts';
import type { Series } from '../../../lib/series.ts';
import { type Sliced, sliceLength } from '../../../lib/slices.ts';
import { IntColumn, NameTable } from '../../../lib/typed-arrays.ts';
import type { Address } from '../../model/address.ts';
import type { PlannedRoute } from '../../model/event.ts';
import type { LimitsOf } from '../../model/limits.ts';
import type { Step } from '../../model/step.ts';
import { LaneLoads } from './lane-loads.ts';
import { stepPlaces, type WeightedEdges } from './precedence.ts';
import { improveOrder } from './trial-run.ts';

/**
 * The plan's steps, identified by their index. A million steps take a few typed arrays, and no step has to be in memory
 * before it is sent.
 */
export interface StepGraph {
  readonly size: number;
  /** By step, the number of steps that it still waits for. The run counts it down. At 0 the step is ready. */
  readonly waits: Int32Array;
  /** Of two ready steps, the one with the smaller place starts first. */
  readonly place: Int32Array;
  /** By step, the index of its route in `routes`. */
  readonly routeOf: Uint16Array;
  /** `POST /users`; '' for steps that only write to state. */
  readonly routes: readonly string[];
  /** The routes that make calls. */
  readonly planned: readonly PlannedRoute[];
  readonly unsure: readonly number[];
  /** By address, the step that disables the object again after it was reopened. Only such a step has an `after`. */
  readonly closers: ReadonlyMap<Address, number>;
  /** Visits every step that waits for this one. */
  dependents(index: number, visit: (dependent: number, mustSucceed: boolean) => void): void;
}

/**
 * The number of steps that a run completes while one step of a chain runs, assuming 0.6 s and 100 calls per second over all
 * lanes. The value need not be exact. If it is too large, chains start somewhat early.
 */
const placesPerStep = 64;

/** The exponent of `laneWorths`, which weights the busiest lane against lanes with less work. */
const sharpness = 20;

/** For each edge, `from` is the step waited for. `to` is twice the waiting step, plus 1 if it needs success. */
interface EdgeList {
  readonly from: IntColumn;
  readonly to: IntColumn;
}

/**
 * Builds the graph in one pass over the steps. A step named in `needs` or `after` that is not in the plan counts as ended,
 * because an earlier run did it or it was dropped with its object. The function can pause. Throws an InternalError for a
 * cycle or a repeated id, which are bugs of the planner.
 */
export function* buildGraph(steps: Series<Step>, limits?: LimitsOf): Sliced<StepGraph> {
  const size = steps.length;
  const names = new NameTable();
  const routeOf = new Uint16Array(size);
  const loads = new LaneLoads(limits);
  const ofFirstListed = limits?.ofFirstListed;
  const otherLoads = ofFirstListed && new LaneLoads((request) => [...limits(request), ...ofFirstListed(request)]);
  const list: EdgeList = { from: new IntColumn(), to: new IntColumn() };
  /** Ids not seen so far. Most belong to steps that an earlier run did. */
  const later: { readonly id: string; readonly edge: number }[] = [];
  const unsure: number[] = [];
  const closers = new Map<Address, number>();
  const openers = new Map<Address, number>();
  /** Steps in the lane of the step that reopens their object: the work on the open object, and the step that disables it. */
  const urgent: number[] = [];
  let index = 0;
  for (const step of steps) {
    if (step.search?.unsure === true || step.search?.fresh !== undefined) unsure.push(index);
    if (step.after !== undefined) closers.set(step.address, index);
    if (names.add(step.id) !== index) throw new InternalError(`two steps of the plan have the id ${step.id}`);
    routeOf[index] = loads.add(step.request);
    otherLoads?.add(step.request);
    if (step.phase === 'open') openers.set(step.address, index);
    else if (routeOf[index] === routeOf[openers.get(step.address) ?? -1]) urgent.push(index);
    for (const id of step.needs) addEdge(list, names, later, id, index * 2 + 1);
    for (const id of step.after ?? []) addEdge(list, names, later, id, index * 2);
    index++;
    if (index % sliceLength === 0) yield;
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
  const sorted = yield* topological(steps, waits, dependents);
  const place = yield* places(list, { size, sorted, routeOf, loads, after: dependents });
  // Work on open objects goes before reopening others, so that deactivated users are active no longer than needed.
  for (const step of urgent) place[step] = soonest;
  return {
    size,
    waits,
    place,
    routeOf,
    routes: loads.routes,
    planned: loads.planned(otherLoads),
    unsure,
    closers,
    dependents,
  };
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

/** Returns the place of each step: by precedence, or the latest place if a long chain waits for it, improved by a trial run. */
function* places({ from, to }: EdgeList, graph: Unordered): Sliced<Int32Array> {
  const { size, sorted, routeOf, loads, after } = graph;
  const entering = sortedBy(
    to.values.map((edge) => edge >> 1),
    from.values,
    size,
  );
  const before: WeightedEdges['before'] = (index, visit) => {
    for (let edge = at(entering.first, index); edge < at(entering.first, index + 1); edge++) {
      visit(at(entering.others, edge));
    }
  };
  const longest = yield* heights(sorted, after);
  const worth = laneWorths(routeOf, loads.seconds());
  const byPrecedence = yield* stepPlaces({ size, sorted, before, after, worth });
  const place = byPrecedence.map((early, index) => Math.min(early, size - placesPerStep * at(longest, index)));
  if (to.values.length === 0) return place;
  return yield* improveOrder({ size, routeOf, before, after, callS: loads.secondsPerCall() }, place);
}

/** A place before any other. */
const soonest = -(2 ** 31);

interface Unordered extends Omit<WeightedEdges, 'before' | 'worth'> {
  readonly routeOf: Uint16Array;
  readonly loads: LaneLoads;
}

/** Returns for each step 1 in the busiest lane, and less in a lane that needs less time. */
function laneWorths(routeOf: Uint16Array, seconds: Float64Array): Float64Array {
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

/** Returns all steps, each after the steps that it waits for. */
function* topological(steps: Series<Step>, waits: Int32Array, after: WeightedEdges['after']): Sliced<Int32Array> {
  const open = waits.slice();
  const sorted = new Int32Array(waits.length);
  let found = 0;
  for (let index = 0; index < waits.length; index++) if (at(open, index) === 0) sorted[found++] = index;
  for (let done = 0; done < found; done++) {
    after(at(sorted, done), (later) => {
      const openWaits = at(open, later) - 1;
      open[later] = openWaits;
      if (openWaits === 0) sorted[found++] = later;
    });
    if (done % sliceLength === 0) yield;
  }
  if (found === waits.length) return sorted;
  const stuck = steps.at(open.findIndex((waits) => waits > 0));
  throw new InternalError(`the steps of the plan wait for each other in a circle; ${stuck?.id} is one of them`);
}

/** Returns for each step the length of the longest chain that waits for it. */
function* heights(sorted: Int32Array, after: WeightedEdges['after']): Sliced<Int32Array> {
  const height = new Int32Array(sorted.length);
  for (let place = sorted.length - 1; place >= 0; place--) {
    const index = at(sorted, place);
    let longest = 0;
    after(index, (later) => {
      longest = Math.max(longest, at(height, later) + 1);
    });
    height[index] = longest;
    if (place % sliceLength === 0) yield;
  }
  return height;
}

/** Reads a typed array at an index known to be inside it. */
function at(array: Int32Array | Uint16Array | Float64Array, place: number): number {
  return array[place] as number;
}
