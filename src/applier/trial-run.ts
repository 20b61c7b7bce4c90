// How long would a run take in this order? Every call at its lane's pace and with the same latency, nothing goes wrong.
import { Heap } from './heap.ts';

export interface Trial {
  readonly size: number;
  /** By step: how many it waits for, and the place of its lane in `callS`. */
  readonly waits: Int32Array;
  readonly routeOf: Uint16Array;
  /** By lane: the seconds between two of its calls. */
  readonly callS: Float64Array;
  after(index: number, visit: (later: number) => void): void;
}

/** From a call to the start of what waits for it: network and disk. The order hardly depends on it. */
const latencyS = 0.1;

/** In seconds. Of two ready steps of a lane the one with the smaller place goes first. */
export function trialRunS({ size, waits, routeOf, callS, after }: Trial, place: Int32Array): number {
  const placeOf = (index: number) => place[index] as number;
  const before = (left: number, right: number) =>
    placeOf(left) < placeOf(right) || (placeOf(left) === placeOf(right) && left < right);
  const lanes = Array.from(callS, (eachS) => ({ eachS, freeAt: 0, ready: new Heap<number>(before) }));
  const open = waits.slice();
  const enter = (index: number) => lanes[routeOf[index] as number]?.ready.push(index);
  for (const [index, left] of open.entries()) if (left === 0) enter(index);
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
    if (next === Number.POSITIVE_INFINITY) return now;
    now = next;
  }
}
