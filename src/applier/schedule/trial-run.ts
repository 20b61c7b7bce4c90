// Simulates a run in a given order and improves the order by it: every call at its lane's pace, without failures.
//
// The simulation also runs backwards, from the steps for which no other step waits. That tells how late each step may
// start without delaying the end, so that lanes stay busy at the end as well as at the beginning (forward-backward
// improvement, known from project scheduling). Without it test/promise/bound.test.ts fails where strangers share
// channels: "messages to strangers" and "invitations decide".
//
// In a real run a lane that stood idle catches up a little (platform/bucket-pace.ts). The simulation leaves that out.
import { Heap } from '../../lib/heap.ts';
import { type Sliced, sliceLength } from '../../lib/slices.ts';

export interface Trial {
  readonly size: number;
  /** By step: the number of its lane in `callS`. */
  readonly routeOf: Uint16Array;
  /** By lane: the seconds between two of its calls. */
  readonly callS: Float64Array;
  before(index: number, visit: (earlier: number) => void): void;
  after(index: number, visit: (later: number) => void): void;
}

/** From a call to the start of the steps that wait for it: network and disk. The order hardly depends on it. */
const latencyS = 0.1;
const mostRounds = 2;

/** The given order, or a quicker one that the simulation finds from it. */
export function* improveOrder(trial: Trial, given: Int32Array): Sliced<Int32Array> {
  const backwards = { ...trial, before: trial.after, after: trial.before };
  const tried = function* (place: Int32Array) {
    return { place, ...(yield* trialRun(trial, place)) };
  };
  let best = yield* tried(given);
  for (let round = 0; round < mostRounds; round++) {
    const backward = yield* trialRun(backwards, lastFirst(best.started));
    const next = yield* tried(lastFirst(backward.started));
    if (next.runS >= best.runS) break;
    best = next;
  }
  return best.place;
}

/** By step, a place: the later the step started, the smaller its place. */
function lastFirst(started: Int32Array): Int32Array {
  const place = new Int32Array(started.length);
  for (const [position, index] of started.entries()) place[index] = started.length - position;
  return place;
}

/** Of two ready steps of a lane the one with the smaller place starts first. `runS`: seconds to the end; `started`: the steps in the order in which they start. */
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
  // All steps take equally long, so that they end in the order in which they started.
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
