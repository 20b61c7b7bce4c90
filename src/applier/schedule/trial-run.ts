// How long would a run take in this order, and is there a quicker one? Every call at its lane's pace, nothing goes wrong.
//
// A run that is played backwards, from the steps for which nobody waits, tells how late each step may come without holding
// up the end. In that order lanes stay busy to the end as well as from the beginning, where a run forwards looks alone
// (forward-backward improvement, as it is known from the scheduling of projects).
//
// In truth a lane that stood idle catches up a little (platform/bucket-pace.ts). Orders that are good without are good with it.
import { Heap } from '../../lib/heap.ts';

export interface Trial {
  readonly size: number;
  /** By step: the place of its lane in `callS`. */
  readonly routeOf: Uint16Array;
  /** By lane: the seconds between two of its calls. */
  readonly callS: Float64Array;
  before(index: number, visit: (earlier: number) => void): void;
  after(index: number, visit: (later: number) => void): void;
}

/** From a call to the start of what waits for it: network and disk. The order hardly depends on it. */
const latencyS = 0.1;
const mostRounds = 2;

/** The order that gives the quickest run: of those given, and of those that follow from the best of them. */
export function quickest(trial: Trial, places: readonly Int32Array[]): Int32Array {
  const backwards = { ...trial, before: trial.after, after: trial.before };
  const tried = (place: Int32Array) => ({ place, ...trialRun(trial, place) });
  let best = places.map(tried).reduce((left, right) => (right.runS < left.runS ? right : left));
  for (let round = 0; round < mostRounds; round++) {
    const next = tried(lastFirst(trialRun(backwards, lastFirst(best.started)).started));
    if (next.runS >= best.runS) break;
    best = next;
  }
  return best.place;
}

/** By step: the smaller, the later it started. */
function lastFirst(started: Int32Array): Int32Array {
  const place = new Int32Array(started.length);
  for (const [position, index] of started.entries()) place[index] = started.length - position;
  return place;
}

/** Of two ready steps of a lane the one with the smaller place goes first. `runS`: seconds to the end; `started`: the steps as they began. */
export function trialRun(
  { size, routeOf, callS, before, after }: Trial,
  place: Int32Array,
): { readonly runS: number; readonly started: Int32Array } {
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
  }
  // All take equally long, so that they end in the order in which they started.
  const started = new Int32Array(size);
  const endsAt = new Float64Array(size);
  let ended = 0;
  let count = 0;
  for (let now = 0; ; ) {
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
