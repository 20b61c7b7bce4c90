// Collects a run's events into its progress: counts, rates and the time left.
//
// The time left starts from the plan's lower bound, which says how long the whole plan takes at the allowed rates. The part
// of it that is left falls with the remaining calls of the busiest lane. This part is divided by the share of the bound
// that the run has really kept so far, so that a slow platform or other clients show. The share is taken over the whole
// run, so that it moves slowly. The result is never less than the lower bound minus the time passed, since the rest may
// be one long chain. When answers show that the other reading of the user rules holds, limits and bound are those of it.
import type { ApplyEvent } from '../../model/event.ts';
import type { LimitsOf } from '../../model/limits.ts';
import type { LaneProgress, Progress } from '../../model/progress.ts';
import { routeName } from '../../model/request.ts';
import type { PlannedWork } from '../options.ts';
import { LaneLoads } from '../schedule/lane-loads.ts';
import { lowerBoundS } from './lower-bound.ts';

export interface ProgressMeter {
  /** `nowMs` is the run's clock. */
  see(event: ApplyEvent, nowMs: number): void;
  read(nowMs: number): Progress;
}

/** Earlier than this the share kept of the bound says nothing. */
const settlingS = 10;
/** The least share kept of the bound: a slower run has no useful forecast. */
const smallestShare = 0.02;

/** By route, the calls a second that a reading of the user rules allows. */
type Allowed = ReadonlyMap<string, number>;

interface LaneCount {
  readonly route: string;
  readonly rate: RecentRate;
  total: number;
  remaining: number;
  running: number;
}

export function createProgress(plan: PlannedWork, limits?: LimitsOf): ProgressMeter {
  const lanes = new Map<string, LaneCount>();
  const loads = new LaneLoads(limits);
  const ifFirstListed = new LaneLoads(
    limits && ((request) => [...limits(request), ...(limits.ofFirstListed?.(request) ?? [])]),
  );
  for (const step of plan.steps) {
    if (step.request === undefined) continue;
    const route = routeName(step.request);
    loads.add(step.request);
    ifFirstListed.add(step.request);
    let lane = lanes.get(route);
    if (lane === undefined) {
      lane = { route, rate: new RecentRate(), total: 0, remaining: 0, running: 0 };
      lanes.set(route, lane);
    }
    lane.total++;
    lane.remaining++;
  }
  const asAssumed = loads.allowedPerS();
  const asOther = ifFirstListed.allowedPerS();
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
      const allowed = limits?.countsFirstListed?.() === true ? asOther : asAssumed;
      const restS = (lane: LaneCount) => laneS(lane, lane.remaining, allowed);
      return {
        total: plan.steps.length,
        done: ended.succeeded,
        failed: ended.failed,
        unknown: ended.unknown,
        skipped: ended.skipped,
        running,
        ratePerS: rate.perS(nowMs),
        elapsedS,
        leftS: over === plan.steps.length ? 0 : leftS(counts, allowed, lowerBoundS(plan, limits), elapsedS),
        lanes: counts
          .sort((left, right) => restS(right) - restS(left))
          .map((lane) => laneProgress(lane, allowed.get(lane.route), nowMs)),
      };
    },
  };
}

function laneProgress(lane: LaneCount, allowedPerS: number | undefined, nowMs: number): LaneProgress {
  const { route, total, remaining, running } = lane;
  const ratePerS = lane.rate.perS(nowMs);
  return { route, total, remaining, running, ratePerS, ...(allowedPerS === undefined ? {} : { allowedPerS }) };
}

function leftS(lanes: readonly LaneCount[], allowed: Allowed, boundS: number, elapsedS: number): number {
  const whole = Math.max(0, ...lanes.map((lane) => laneS(lane, lane.total, allowed)));
  const rest = Math.max(0, ...lanes.map((lane) => laneS(lane, lane.remaining, allowed)));
  const fraction = whole === 0 ? 0 : rest / whole;
  const keptS = boundS * (1 - fraction);
  const share = elapsedS < settlingS ? 1 : Math.min(1, Math.max(smallestShare, keptS / elapsedS));
  return Math.max((boundS * fraction) / share, boundS - elapsedS, 0);
}

/** The least seconds for so many calls of a lane; a second each where no limit is known. */
function laneS({ route }: LaneCount, calls: number, allowed: Allowed): number {
  return calls / (allowed.get(route) ?? 1);
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
