// Simulates a run in a given order, with every call at its lane's pace and without failures, and improves the order.
//
// The simulation also runs backwards, from the steps that no other step waits for. That shows how late each step may start
// without delaying the end, so that lanes stay busy at the end too (forward-backward improvement, known from project
// scheduling). Without it, two cases of test/promise/bound.test.ts fail.
//
// In a real run an idle lane catches up a little (core/platform/bucket-pace.ts). The simulation ignores that.
import { Heap } from '../../../lib/heap.ts';
import { type Sliced, sliceLength } from '../../../lib/slices.ts';

export interface Trial {
  readonly size: number;
  /** By step, the index of its lane in `callS`. */
  readonly routeOf: Uint16Array;
  /** By lane, the seconds between two calls. */
  readonly callS: Float64Array;
  before(index: number, visit: (earlier: number) => void): void;
  after(index: number, visit: (later: number) => void): void;
}

/** The time in seconds from a call to the start of the steps that wait for it. The order hardly depends on it. */
const latencyS = 0.1;
const mostRounds = 2;

/** Returns the given order, or a quicker one that the simulation derives from it. */
export function* improveOrder(trial: Trial, initial: Int32Array): Sliced<Int32Array> {
  const backwards = { ...trial, before: trial.after, after: trial.before };
  const tried = function* (place: Int32Array) {
    return { place, ...(yield* trialRun(trial, place)) };
  };
  let best = yield* tried(initial);
  for (let round = 0; round < mostRounds; round++) {
    const backward = yield* trialRun(backwards, lastFirst(best.started));
    const next = yield* tried(lastFirst(backward.started));
    if (next.runS >= best.runS) break;
    best = next;
  }
  return best.place;
}

/** Returns places by step. The later a step started, the smaller its place. */
function lastFirst(started: Int32Array): Int32Array {
  const place = new Int32Array(started.length);
  for (const [position, index] of started.entries()) place[index] = started.length - position;
  return place;
}

/** Runs the simulation. `runS` is the duration in seconds, `started` lists the steps in the order of their starts. */
export function* trialRun(
  { size, routeOf, callS, before, after }: Trial,
  place: Int32Array,
): Sliced<{ readonly runS: number; readonly started: Int32Array }> {
  const placeOf = (index: number) => place[index] as number;
  const isBefore = (left: number, right: number) =>
    placeOf(left) < placeOf(right) || (placeOf(left) === placeOf(right) && left < right);
  const lanes = Array.from(callS, (eachS) => ({ eachS, freeAt: 0, ready: new Heap<number>(isBefore) }));
  const open = new Int32Array(size);
  const enter = (index: number) => lanes[routeOf[index] as number]?.ready.push(index);
  for (let index = 0; index < size; index++) {
    let count = 0;
    before(index, () => {
      count++;
    });
    open[index] = count;
    if (count === 0) enter(index);
    if (index % sliceLength === 0) yield;
  }
  // All steps take equally long, so they end in the order in which they started.
  const started = new Int32Array(size);
  const endsAt = new Float64Array(size);
  let ended = 0;
  let count = 0;
  let paused = 0;
  for (let now = 0; ; ) {
    if (count - paused >= sliceLength) {
      paused = count;
      yield;
    }
    for (; ended < count && (endsAt[ended] as number) <= now; ended++) {
      after(started[ended] as number, (later) => {
        open[later] = (open[later] as number) - 1;
        if (open[later] === 0) enter(later);
      });
    }
    let next = Number.POSITIVE_INFINITY;
    for (const lane of lanes) {
      while (lane.freeAt <= now) {
        const index = lane.ready.pop();
        if (index === undefined) break;
        started[count] = index;
        endsAt[count++] = now + latencyS;
        lane.freeAt = Math.max(lane.freeAt, now) + lane.eachS;
      }
      if (lane.ready.size > 0) next = Math.min(next, lane.freeAt);
    }
    if (ended < count) next = Math.min(next, endsAt[ended] as number);
    if (next === Number.POSITIVE_INFINITY) return { runS: now, started };
    now = next;
  }
}
