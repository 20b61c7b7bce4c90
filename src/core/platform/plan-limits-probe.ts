// Determines whether the plan's limit counts each endpoint, all calls of a method, or the calls of listed endpoints apart (platform §3).
//
// Three kinds of answers show that calls of several endpoints are counted together:
// - The headers of admitted calls count the calls on the other endpoints (header-counts.ts).
// - A call is refused while its own endpoint had room and all of them together had none.
// - On a platform that admits no burst, a call is refused that left just after one of another endpoint and long after the last
//   one of its own.
// The opposite shows when headers do not count the others, or more calls are admitted than any way of counting them together admits.
import { lastWhere } from '../../lib/series.ts';
import type { Bucket, CountedRequest } from '../model/limits.ts';
import type { Answer } from '../model/ports.ts';
import { type Method, routeName } from '../model/request.ts';
import { SharedCounts } from './header-counts.ts';
import type { AdaptiveLimits } from './limits.ts';

/** The number of answers of each kind that decide, because another client may cause a refusal. */
const enoughRefusals = 2;
const enoughNear = 3;
/** If an endpoint has used less than this share of the limit, its own calls did not cause the refusal of a call. */
const roomShare = 0.7;
/** If a method has used at least this share, its calls may have caused the refusal. */
const fullShare = 0.9;
/** As a share of the limit: the calls that may be admitted for each refusal although the method had used it. A fixed window admits some. */
const mostOverAdmitted = 0.2;
/** In intervals of the full limit: a call of another endpoint within the first is near, and an own call beyond the second is far. */
const near = 0.5;
const far = 2;
/** A reset of at least this share of the window does not tell where the window began. */
const wholeWindow = 0.98;
/** The number of windows to watch. Any way of counting admits at most one window's calls more than they have. */
const watchedWindows = 4;

/** Calls of a route share it, because the bodies of the calls of several seconds may be large. */
interface ProbeRoute {
  readonly route: string;
  /** A call of the route without what differs between calls. */
  readonly request: CountedRequest;
}

interface ProbeCall extends ProbeRoute {
  readonly at: number;
  /** Absent until it is answered. */
  isAdmitted?: boolean;
}

class MethodCalls {
  /** The calls of the watched windows in the order in which they left, without refused calls. */
  readonly calls: ProbeCall[] = [];
  /** The number of calls among them that were admitted. */
  admitted = 0;
  readonly routes = new Map<string, ProbeRoute>();
  readonly counts = new SharedCounts();
  /** Whether every reset so far was the time in which the used calls drain away, as in a token bucket. */
  drains = true;
  refusals = 0;
  /** Calls that were admitted although the method as a whole had used its limit. */
  overAdmitted = 0;
  lastRefusalAt = Number.NEGATIVE_INFINITY;
  nearRefused = 0;
  nearAdmitted = 0;
}

type Limit = Pick<Bucket, 'calls' | 'windowS'>;

/** The calls that a probe counts, and those from whose answers it learns. */
interface Watched {
  readonly counts: (request: CountedRequest) => boolean;
  readonly learns: (request: CountedRequest) => boolean;
}

/** Decides for some endpoints whether the plan counts their calls together with those of others. */
class MethodRuleProbe {
  readonly #limits: AdaptiveLimits;
  readonly #watched: Watched;
  readonly #methods = new Map<Method, MethodCalls>();
  /** Undefined while it is open. */
  areCounted: boolean | undefined;

  constructor(limits: AdaptiveLimits, watched: Watched) {
    this.#limits = limits;
    this.#watched = watched;
  }

  /** Records that a call leaves now. */
  take(request: CountedRequest, now: number): void {
    const bucket = this.#bucketOf(request);
    if (bucket === undefined) return;
    const known = this.#methods.get(request.method) ?? new MethodCalls();
    this.#methods.set(request.method, known);
    const oldest = now - watchedWindows * bucket.windowS * 1000;
    const first = known.calls.findIndex(({ at }) => at > oldest);
    for (const { isAdmitted } of known.calls.splice(0, first === -1 ? known.calls.length : first))
      if (isAdmitted === true) known.admitted -= 1;
    const name = routeName(request);
    const { method, route } = request;
    const ofRoute = known.routes.get(name) ?? { route: name, request: { method, route } };
    known.routes.set(name, ofRoute);
    known.calls.push({ at: now, ...ofRoute });
  }

  /** `isOther`: the answer is about another limit than that of the plan. */
  learn(request: CountedRequest, answer: Answer, sentAt: number, now: number, isOther: boolean): void {
    const bucket = this.#bucketOf(request);
    const known = this.#methods.get(request.method);
    const route = routeName(request);
    const isOfAnswer = (sent: ProbeCall) => sent.isAdmitted === undefined && sent.at <= sentAt && sent.route === route;
    // A call is sent a little after it was taken.
    const place = known?.calls.findLastIndex(isOfAnswer) ?? -1;
    const call = known?.calls[place];
    if (bucket === undefined || known === undefined || call === undefined) return;
    const isRefused = answer.type === 'limited';
    if (isRefused) known.calls.splice(place, 1);
    else {
      call.isAdmitted = true;
      known.admitted += 1;
    }
    if (isOther || known.routes.size < 2 || !this.#watched.learns(request)) return;
    const { all } = counted(known, route, sentAt - bucket.windowS * 1000, sentAt);
    if (!isRefused && all > bucket.calls + 1) known.overAdmitted += 1;
    const isShown =
      isRefusedAfterOthers(known, route, bucket, sentAt, isRefused) ||
      (isRefused
        ? isRefusedForOthers(known, route, bucket, sentAt, now)
        : isCountedWithOthers(known, route, bucket, answer, sentAt) === true);
    const isTooMuch = known.admitted > (watchedWindows + 1) * bucket.calls + 1;
    if (isShown) this.areCounted = true;
    else if (known.counts.containOthers === false || isTooMuch) this.areCounted = false;
  }

  /** Returns the calls that left last, without refused ones. */
  get calls(): readonly ProbeCall[] {
    return [...this.#methods.values()].flatMap(({ calls }) => calls);
  }

  callsOf(method: Method): readonly ProbeCall[] {
    return this.#methods.get(method)?.calls ?? [];
  }

  #bucketOf(request: CountedRequest): Bucket | undefined {
    return this.areCounted === undefined && this.#watched.counts(request) ? this.#limits.ofShared(request) : undefined;
  }
}

/**
 * Decides what the plan counts. Endpoints with a stricter limit may count apart from all others, so there are two probes. If the
 * others are counted together, the listed ones are at first taken to be counted with them, as the staff of the vendor say.
 */
export class PlanLimitsProbe {
  readonly #others: MethodRuleProbe;
  readonly #listed: MethodRuleProbe;
  readonly #limits: AdaptiveLimits;
  #shown: 'method' | 'unlisted' | undefined;
  /** When the first call left whose answer had headers. */
  #headersSince: number | undefined;

  constructor(limits: AdaptiveLimits) {
    this.#limits = limits;
    const isOther = (request: CountedRequest) => !limits.isListed(request);
    this.#others = new MethodRuleProbe(limits, { counts: isOther, learns: isOther });
    this.#listed = new MethodRuleProbe(limits, { counts: () => true, learns: limits.isListed });
  }

  /**
   * Whether a call must wait for the answers to those before it: they have headers, which will say what the plan counts, and one
   * more call would exceed the limit if it counts a method. Waits no longer than a window, because other clients blur the counts.
   */
  mustWait(request: CountedRequest, now: number): boolean {
    const first = this.#headersSince;
    if (first === undefined || !this.#isOpen) return false;
    const bucket = this.#limits.ofShared(request);
    if (bucket === undefined || now > first + bucket.windowS * 1000) return false;
    const sent = callsAfter(this.#listed.callsOf(request.method), now - bucket.windowS * 1000);
    return sent.length >= bucket.calls && sent.some(({ route }) => route !== routeName(request));
  }

  get #isOpen(): boolean {
    const isKnown = this.#limits.known.planLimits !== undefined;
    return !isKnown && this.#others.areCounted === undefined && this.#listed.areCounted === undefined;
  }

  take(request: CountedRequest, now: number): void {
    this.#others.take(request, now);
    this.#listed.take(request, now);
  }

  /** Returns what the plan counts if this answer has changed what is known. `isOther`: it is about another limit. */
  learn(
    request: CountedRequest,
    answer: Answer,
    sentAt: number,
    now: number,
    isOther = false,
  ): 'method' | 'unlisted' | undefined {
    if (answer.rate !== undefined) this.#headersSince ??= sentAt;
    this.#others.learn(request, answer, sentAt, now, isOther);
    this.#listed.learn(request, answer, sentAt, now, isOther);
    const areOthers = this.#others.areCounted === true;
    const { areCounted: areListed = areOthers && this.#limits.known.planLimits !== 'unlisted' } = this.#listed;
    const shown = areListed ? 'method' : areOthers ? 'unlisted' : undefined;
    if (shown === this.#shown) return undefined;
    this.#shown = shown;
    return shown;
  }

  /** The calls that left last, oldest first. */
  get calls(): readonly ProbeCall[] {
    const listed = this.#listed.calls.filter(({ request }) => this.#limits.isListed(request));
    return [...this.#others.calls, ...listed].sort((left, right) => left.at - right.at);
  }
}

function isRefusedForOthers(known: MethodCalls, route: string, limit: Limit, sentAt: number, now: number): boolean {
  const { ofRoute, all } = counted(known, route, sentAt - limit.windowS * 1000, sentAt);
  // Refusals of calls that left before the last refusal was known count as one observation.
  if (ofRoute > roomShare * limit.calls || all < fullShare * limit.calls || sentAt <= known.lastRefusalAt) return false;
  known.lastRefusalAt = now;
  known.refusals += 1;
  return known.refusals >= Math.max(enoughRefusals, known.overAdmitted / (mostOverAdmitted * limit.calls));
}

function isCountedWithOthers(
  known: MethodCalls,
  route: string,
  limit: Limit,
  { rate }: Answer,
  sentAt: number,
): boolean | undefined {
  if (rate === undefined || rate.calls !== limit.calls || rate.windowS !== limit.windowS) return undefined;
  // Platforms that admit no burst say after each call that none is left.
  if (rate.remaining === 0) return undefined;
  const windowMs = rate.windowS * 1000;
  const resetMs = rate.resetS * 1000;
  const used = rate.calls - rate.remaining;
  const intervalMs = windowMs / rate.calls;
  const isEarly = resetMs > wholeWindow * windowMs;
  known.drains &&= !isEarly && resetMs > (used - 1) * intervalMs && resetMs <= used * intervalMs;
  const ageMs = isEarly ? windowMs : windowMs - resetMs;
  const { ofRoute, all } = known.drains
    ? undrained(known, route, sentAt, intervalMs)
    : counted(known, route, sentAt - ageMs, sentAt);
  known.counts.add(all - ofRoute, used - ofRoute);
  return known.counts.containOthers;
}

function isRefusedAfterOthers(
  known: MethodCalls,
  route: string,
  { calls, windowS }: Limit,
  sentAt: number,
  isRefused: boolean,
): boolean {
  const intervalMs = (windowS * 1000) / calls;
  const before = callsAfter(known.calls, sentAt - far * intervalMs).filter(({ at }) => at <= sentAt);
  if (!before.some((call) => call.route !== route && call.at > sentAt - near * intervalMs)) return false;
  if (!isRefused) known.nearAdmitted += 1;
  else if (!before.some((call) => call.route === route)) known.nearRefused += 1;
  return known.nearRefused >= enoughNear && known.nearRefused > known.nearAdmitted;
}

/** Returns the calls that left after an instant. */
function callsAfter(calls: readonly ProbeCall[], after: number): readonly ProbeCall[] {
  return calls.slice(1 + lastWhere(calls.length, (place) => (calls[place]?.at ?? 0) <= after));
}

function counted(
  { calls }: MethodCalls,
  route: string,
  after: number,
  until: number,
): { ofRoute: number; all: number } {
  const inside = callsAfter(calls, after).filter(({ at }) => at <= until);
  return { ofRoute: inside.filter((call) => call.route === route).length, all: inside.length };
}

/** Returns what a token bucket still counts of the calls, if one drains away in each interval. */
function undrained(
  { calls }: MethodCalls,
  route: string,
  until: number,
  intervalMs: number,
): { ofRoute: number; all: number } {
  const level = (counts: (call: ProbeCall) => boolean): number => {
    let [used, last] = [0, 0];
    for (const call of calls) {
      if (call.at > until || !counts(call)) continue;
      used = Math.max(0, used - (call.at - last) / intervalMs) + 1;
      last = call.at;
    }
    return Math.max(0, used - (until - last) / intervalMs);
  };
  return { ofRoute: level((call) => call.route === route), all: level(() => true) };
}
