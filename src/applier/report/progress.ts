// Collects a run's events into its progress: counts, rates and the time left.
//
// The time left starts from the plan's lower bound, which says how long the whole plan takes at the allowed rates. The part
// of it that is left falls with the remaining calls of the busiest lane. This part is divided by the share of the bound
// that the run has really kept so far, so that a slow platform or other clients show. The share is taken over the whole
// run, so that it moves slowly. The result is never less than the lower bound minus the time passed, since the rest may
// be one long chain. When answers show that the other reading of the user rules holds, limits and bound are those of it.
import type { ApplyEvent, LaneProgress, PlannedRoute, Progress } from '../../model/event.ts';
import type { LimitsOf } from '../../model/limits.ts';
import type { Plan } from '../../model/plan.ts';

/** The part of a plan that is applied. The caller leaves out the steps that an earlier run has done. */
export interface PlannedWork {
  readonly steps: Plan['steps'];
  readonly duration: Pick<Plan['duration'], 'lower_bound_s' | 'user_rules' | 'plan_limits' | 'chain'>;
}

/** The plan's lower bound in seconds, by the readings of the limits that answers have shown (platform §3). */
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

/** Earlier than this the share kept of the bound says nothing. */
const settlingS = 10;
/** The least share kept of the bound: a slower run has no useful forecast. */
const smallestShare = 0.02;

interface LaneCount {
  readonly planned: PlannedRoute;
  readonly rate: RecentRate;
  remaining: number;
  running: number;
}

/** Calls a second; undefined if no limit is known. */
type AllowedPerS = (planned: PlannedRoute) => number | undefined;

/** Knows the lanes from `run.started` on. */
export function createProgress(plan: PlannedWork, limits?: LimitsOf): ProgressMeter {
  const lanes = new Map<string, LaneCount>();
  const ended = { succeeded: 0, failed: 0, unknown: 0, skipped: 0 };
  const rate = new RecentRate();
  let running = 0;
  let startedAt: number | undefined;

  return {
    see(event, nowMs) {
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

/** The least seconds for so many calls of a lane; a second each where no limit is known. */
function laneS({ planned }: LaneCount, calls: number, allowed: AllowedPerS): number {
  return calls / (allowed(planned) ?? 1);
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
