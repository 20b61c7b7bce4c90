// Derives the progress of a run from its events: counts, rates and the remaining time.
//
// The remaining time starts from the plan's lower bound, the duration of the whole plan at the allowed rates. The remaining
// part of the bound falls with the remaining calls of the busiest lane. It is divided by the speed relative to the bound
// that the run has achieved so far, so that a slow platform or other clients count. That speed is averaged over the whole
// run, so it changes slowly. The result is never less than the lower bound minus the elapsed time, because the rest may be
// one long chain. If answers show that the other interpretation of the user rules holds, its limits and bound are used.
import { type ApplyEvent, isAnswered, type LaneProgress, type PlannedRoute, type Progress } from '../../model/event.ts';
import type { LimitsOf } from '../../model/limits.ts';
import type { Plan } from '../../model/plan.ts';

/** The part of a plan to apply. The caller leaves out steps that an earlier run has done. */
export interface PlannedWork {
  readonly steps: Plan['steps'];
  readonly duration: Pick<Plan['duration'], 'lower_bound_s' | 'user_rules' | 'plan_limits' | 'chain'>;
}

/** Returns the plan's lower bound in seconds, under the interpretations of the limits that answers have shown (platform §3). */
export function lowerBoundS({ duration }: PlannedWork, limits: LimitsOf | undefined): number {
  const { lower_bound_s, user_rules, plan_limits } = duration;
  return Math.max(
    lower_bound_s,
    (limits?.countsFirstListed?.() === true && user_rules?.other_lower_bound_s) || 0,
    (limits?.countsMethods?.() === true && plan_limits?.other_lower_bound_s) || 0,
  );
}

export interface ProgressMeter {
  /** `nowMs` is the run's clock. */
  see(event: ApplyEvent, nowMs: number): void;
  read(nowMs: number): Progress;
}

/** Before this time the achieved speed says nothing. */
const settlingS = 10;
/** The lowest speed relative to the bound. A slower run has no useful forecast. */
const smallestShare = 0.02;

interface LaneCount {
  readonly planned: PlannedRoute;
  readonly rate: RecentRate;
  remaining: number;
  running: number;
}

/** Returns calls per second, or undefined if no limit is known. */
type AllowedPerS = (planned: PlannedRoute) => number | undefined;

/** Lanes are known from `run.started` on. */
export function createProgress(plan: PlannedWork, limits?: LimitsOf): ProgressMeter {
  const lanes = new Map<string, LaneCount>();
  const ended = { succeeded: 0, failed: 0, unknown: 0, skipped: 0 };
  const rate = new RecentRate();
  let running = 0;
  let startedAt: number | undefined;
  /** Since when every call has been refused. */
  let refusedAt: number | undefined;

  return {
    see(event, nowMs) {
      if (event.type === 'rate.limited') refusedAt = nowMs - event.refused_for_s * 1000;
      if (event.type === 'step.ended' && isAnswered(event)) refusedAt = undefined;
      if (event.type === 'run.started') {
        startedAt = nowMs;
        for (const planned of event.routes)
          lanes.set(planned.route, { planned, rate: new RecentRate(), remaining: planned.calls, running: 0 });
      }
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
      const isOther = limits?.countsFirstListed?.() === true;
      const allowed: AllowedPerS = ({ allowed_per_s, other_allowed_per_s = allowed_per_s }) =>
        isOther ? other_allowed_per_s : allowed_per_s;
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
        refusedS: refusedAt === undefined ? 0 : (nowMs - refusedAt) / 1000,
        leftS: over === plan.steps.length ? 0 : leftS(counts, allowed, lowerBoundS(plan, limits), elapsedS),
        lanes: counts
          .sort((left, right) => restS(right) - restS(left))
          .map((lane) => laneProgress(lane, allowed(lane.planned), nowMs)),
      };
    },
  };
}

function laneProgress(lane: LaneCount, allowedPerS: number | undefined, nowMs: number): LaneProgress {
  const { planned, remaining, running } = lane;
  const ratePerS = lane.rate.perS(nowMs);
  return {
    route: planned.route,
    total: planned.calls,
    remaining,
    running,
    ratePerS,
    ...(allowedPerS === undefined ? {} : { allowedPerS }),
  };
}

function leftS(lanes: readonly LaneCount[], allowed: AllowedPerS, boundS: number, elapsedS: number): number {
  const whole = Math.max(0, ...lanes.map((lane) => laneS(lane, lane.planned.calls, allowed)));
  const rest = Math.max(0, ...lanes.map((lane) => laneS(lane, lane.remaining, allowed)));
  const fraction = whole === 0 ? 0 : rest / whole;
  const keptS = boundS * (1 - fraction);
  const share = elapsedS < settlingS ? 1 : Math.min(1, Math.max(smallestShare, keptS / elapsedS));
  return Math.max((boundS * fraction) / share, boundS - elapsedS, 0);
}

/** Returns the shortest time in seconds for calls of a lane, or one second per call if no limit is known. */
function laneS({ planned }: LaneCount, calls: number, allowed: AllowedPerS): number {
  return calls / (allowed(planned) ?? 1);
}

const recentS = 10;

/** The rate over the last ten seconds, in slots of one second. */
export class RecentRate {
  readonly #counts = new Uint32Array(recentS);
  /** The seconds of the newest and of the first count. */
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
