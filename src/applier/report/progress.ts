// How far is the run, and how long will it take? A pure aggregate over its events, for the views to show.
//
// Time left. The plan's lower bound says how long the whole takes at the allowed rates. What is left of it falls with
// the busiest lane's remaining calls. It is divided by the share of the bound that the run has really kept so far, so
// that a slow platform or a budget shared with others shows; this share is taken over the whole run and therefore moves
// slowly. The result is never less than the lower bound minus the time passed: nobody can beat that, whatever the lanes
// look like (the rest may be one long chain).
import type { ApplyEvent } from '../../model/event.ts';
import type { LimitsOf } from '../../model/limits.ts';
import { type ApiRequest, routeName } from '../../model/request.ts';
import type { PlannedWork } from '../options.ts';

interface LaneProgress {
  /** `POST /users` */
  readonly route: string;
  readonly total: number;
  readonly remaining: number;
  /** Started and not over, those that wait for another attempt included. */
  readonly running: number;
  /** Steps a second that ended, over the last seconds. */
  readonly ratePerS: number;
  /** What the limits allow; absent when they are not known. */
  readonly allowedPerS?: number;
}

interface Progress {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly unknown: number;
  readonly skipped: number;
  readonly running: number;
  readonly ratePerS: number;
  readonly elapsedS: number;
  readonly leftS: number;
  /** The busiest first: by the time that the remaining calls take. */
  readonly lanes: readonly LaneProgress[];
}

export interface ProgressMeter {
  /** `nowMs` is the run's clock. */
  see(event: ApplyEvent, nowMs: number): void;
  read(nowMs: number): Progress;
}

/** Before that much time the share kept of the bound says nothing. */
const settlingS = 10;
/** Slower than that, a forecast is not worth the name. */
const smallestShare = 0.02;

interface LaneCount {
  readonly route: string;
  readonly allowedPerS: number | undefined;
  readonly rate: RecentRate;
  total: number;
  remaining: number;
  running: number;
}

export function createProgress(plan: PlannedWork, limits?: LimitsOf): ProgressMeter {
  const lanes = new Map<string, LaneCount>();
  for (const step of plan.steps) {
    if (step.request === undefined) continue;
    const route = routeName(step.request);
    let lane = lanes.get(route);
    if (lane === undefined) {
      lane = {
        route,
        allowedPerS: allowed(step.request, limits),
        rate: new RecentRate(),
        total: 0,
        remaining: 0,
        running: 0,
      };
      lanes.set(route, lane);
    }
    lane.total++;
    lane.remaining++;
  }
  const ended = { succeeded: 0, failed: 0, unknown: 0, skipped: 0 };
  const rate = new RecentRate();
  let running = 0;
  let startedAt: number | undefined;

  return {
    see(event, nowMs) {
      if (event.type === 'run.started') startedAt = nowMs;
      if (event.type === 'step.started') {
        running++;
        const lane = lanes.get(event.route ?? '');
        if (lane !== undefined) lane.running++;
      }
      if (event.type !== 'step.ended') return;
      const lane = lanes.get(event.route ?? '');
      ended[event.outcome]++;
      if (lane !== undefined) lane.remaining--;
      if (event.outcome === 'skipped') return;
      running--;
      rate.add(nowMs);
      if (lane === undefined) return;
      lane.running--;
      lane.rate.add(nowMs);
    },
    read(nowMs) {
      const elapsedS = startedAt === undefined ? 0 : (nowMs - startedAt) / 1000;
      const over = ended.succeeded + ended.failed + ended.unknown + ended.skipped;
      const counts = [...lanes.values()];
      return {
        total: plan.steps.length,
        done: ended.succeeded,
        failed: ended.failed,
        unknown: ended.unknown,
        skipped: ended.skipped,
        running,
        ratePerS: rate.perS(nowMs),
        elapsedS,
        leftS: over === plan.steps.length ? 0 : leftS(counts, plan.duration.lower_bound_s, elapsedS),
        lanes: counts
          .sort((left, right) => laneS(right, right.remaining) - laneS(left, left.remaining))
          .map((lane) => laneProgress(lane, nowMs)),
      };
    },
  };
}

function laneProgress(lane: LaneCount, nowMs: number): LaneProgress {
  const { route, total, remaining, running, allowedPerS } = lane;
  const ratePerS = lane.rate.perS(nowMs);
  return { route, total, remaining, running, ratePerS, ...(allowedPerS === undefined ? {} : { allowedPerS }) };
}

function leftS(lanes: readonly LaneCount[], lowerBoundS: number, elapsedS: number): number {
  const whole = Math.max(0, ...lanes.map((lane) => laneS(lane, lane.total)));
  const rest = Math.max(0, ...lanes.map((lane) => laneS(lane, lane.remaining)));
  const fraction = whole === 0 ? 0 : rest / whole;
  const keptS = lowerBoundS * (1 - fraction);
  const share = elapsedS < settlingS ? 1 : Math.min(1, Math.max(smallestShare, keptS / elapsedS));
  return Math.max((lowerBoundS * fraction) / share, lowerBoundS - elapsedS, 0);
}

/** The seconds that this many calls of a lane take; where no limit is known, lanes compare by their calls. */
function laneS(lane: LaneCount, calls: number): number {
  return calls / (lane.allowedPerS ?? 1);
}

/** The rate of the route as a whole: the most generous of its buckets, since the stricter ones count by user. */
function allowed(request: ApiRequest, limits: LimitsOf | undefined): number | undefined {
  const rates = limits?.(request).map((bucket) => (bucket.calls / bucket.windowS) * bucket.share) ?? [];
  return rates.length === 0 ? undefined : Math.max(...rates);
}

/** The span of a recent rate. */
const recentS = 10;

/** The rate over the last ten seconds, counted by the second. */
export class RecentRate {
  readonly #counts = new Uint32Array(recentS);
  /** The second of the newest count, and that of the first one. */
  #newest = -1;
  #first = -1;

  add(nowMs: number): void {
    this.#moveTo(Math.floor(nowMs / 1000));
    const place = this.#newest % recentS;
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
  }

  perS(nowMs: number): number {
    if (this.#first < 0) return 0;
    this.#moveTo(Math.floor(nowMs / 1000));
    const spanS = Math.min(recentS - 1 + (nowMs % 1000) / 1000, nowMs / 1000 - this.#first);
    return this.#counts.reduce((sum, count) => sum + count, 0) / Math.max(spanS, 1);
  }

  #moveTo(second: number): void {
    if (this.#first < 0) {
      this.#first = second;
      this.#newest = second;
    }
    for (let passed = Math.min(second - this.#newest, recentS); passed > 0; passed--) {
      this.#counts[(second - passed + 1) % recentS] = 0;
    }
    this.#newest = Math.max(this.#newest, second);
  }
}
