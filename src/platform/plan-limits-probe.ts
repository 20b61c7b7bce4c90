// Determines whether the plan's limit counts all calls of a method together instead of those of each endpoint (platform §3).
//
// Three kinds of answers show that it does:
// - The headers of an admitted call count the calls on all endpoints of the method, though fewer left on its own.
// - A call is refused while its own endpoint had room and the method as a whole had none.
// - On a platform that admits no burst, a call is refused that left just after one of another endpoint and long after the last
//   one of its own.
// The opposite shows when more calls of a method are admitted than any way of counting them together admits.
import type { Bucket } from '../model/limits.ts';
import type { Answer } from '../model/ports.ts';
import { type ApiRequest, type Method, routeName } from '../model/request.ts';
import type { AdaptiveLimits } from './limits.ts';

/** The number of answers of each kind that decide. Headers may agree by chance, and another client may cause a refusal. */
const enoughCounts = 3;
const enoughRefusals = 2;
const enoughNear = 3;
/** If an endpoint has used less than this share of the limit, its own calls did not cause the refusal of a call. */
const roomShare = 0.7;
/** If a method has used at least this share, its calls may have caused the refusal. */
const fullShare = 0.9;
/** The number, and the share of the limit, from which calls of other endpoints show in a count despite inexact arrivals. */
const fewestOthers = 2;
const leastOthers = 0.1;
/** A count that contains at least the first share of the other endpoints' calls includes them. At most the second share excludes them. */
const containsOthers = 0.75;
const lacksOthers = 0.25;
/** In intervals of the full limit: a call of another endpoint within the first is near, and an own call beyond the second is far. */
const near = 0.5;
const far = 2;
/** A reset of at least this share of the window does not tell where the window began. */
const wholeWindow = 0.98;
/** The number of windows to watch. Any way of counting admits at most one window's calls more than they have. */
const watchedWindows = 4;

interface ProbeCall {
  readonly at: number;
  readonly route: string;
  isAdmitted: boolean;
}

class MethodCalls {
  /** The calls of the watched windows in the order in which they left, without refused calls. */
  readonly calls: ProbeCall[] = [];
  readonly routes = new Set<string>();
  counts = 0;
  refusals = 0;
  lastRefusalAt = Number.NEGATIVE_INFINITY;
  nearRefused = 0;
  nearAdmitted = 0;
}

type Limit = Pick<Bucket, 'calls' | 'windowS'>;

export class MethodRuleProbe {
  readonly #limits: AdaptiveLimits;
  readonly #methods = new Map<Method, MethodCalls>();
  #isOpen = true;

  constructor(limits: AdaptiveLimits) {
    this.#limits = limits;
  }

  /** Records that a call leaves now. */
  take(request: ApiRequest, now: number): void {
    const [bucket] = this.#isOpen ? this.#limits.ofMethod(request) : [];
    if (bucket === undefined) return;
    const known = this.#methods.get(request.method) ?? new MethodCalls();
    this.#methods.set(request.method, known);
    const oldest = now - watchedWindows * bucket.windowS * 1000;
    const first = known.calls.findIndex(({ at }) => at > oldest);
    known.calls.splice(0, first === -1 ? known.calls.length : first);
    const route = routeName(request);
    known.routes.add(route);
    known.calls.push({ at: now, route, isAdmitted: false });
  }

  /** Returns true if this answer has shown that the plan counts all calls of a method together. */
  learn(request: ApiRequest, answer: Answer, sentAt: number, now: number): boolean {
    const [bucket] = this.#isOpen ? this.#limits.ofMethod(request) : [];
    const known = this.#methods.get(request.method);
    const route = routeName(request);
    const place = known?.calls.findLastIndex((call) => call.at === sentAt && call.route === route) ?? -1;
    if (bucket === undefined || known === undefined || place === -1) return false;
    if (answer.type === 'limited') known.calls.splice(place, 1);
    else known.calls[place] = { at: sentAt, route, isAdmitted: true };
    if (known.routes.size < 2) return false;
    const isRefused = answer.type === 'limited';
    const isShown =
      isRefusedAfterOthers(known, route, bucket, sentAt, isRefused) ||
      (isRefused
        ? isRefusedForOthers(known, route, bucket, sentAt, now)
        : isCountedWithOthers(known, route, bucket, answer, sentAt));
    const admitted = known.calls.filter(({ isAdmitted }) => isAdmitted).length;
    this.#isOpen = !isShown && admitted <= (watchedWindows + 1) * bucket.calls + 1;
    return isShown;
  }

  /** Returns the times at which the calls of a method left, oldest first. */
  sentOf(method: Method): readonly number[] {
    return this.#methods.get(method)?.calls.map(({ at }) => at) ?? [];
  }

  get methods(): readonly Method[] {
    return [...this.#methods.keys()];
  }
}

function isRefusedForOthers(known: MethodCalls, route: string, limit: Limit, sentAt: number, now: number): boolean {
  const { ofRoute, all } = counted(known, route, sentAt - limit.windowS * 1000, sentAt);
  // Refusals of calls that left before the last refusal was known count as one observation.
  if (ofRoute > roomShare * limit.calls || all < fullShare * limit.calls || sentAt <= known.lastRefusalAt) return false;
  known.lastRefusalAt = now;
  known.refusals += 1;
  return known.refusals >= enoughRefusals;
}

function isCountedWithOthers(
  known: MethodCalls,
  route: string,
  limit: Limit,
  { rate }: Answer,
  sentAt: number,
): boolean {
  if (rate === undefined || rate.calls !== limit.calls || rate.windowS !== limit.windowS) return false;
  // Platforms that admit no burst say after each call that none is left.
  if (rate.remaining === 0) return false;
  const windowMs = rate.windowS * 1000;
  const resetMs = rate.resetS * 1000;
  const ageMs = resetMs > wholeWindow * windowMs ? windowMs : windowMs - resetMs;
  const { ofRoute, all } = counted(known, route, sentAt - ageMs, sentAt);
  const others = all - ofRoute;
  if (others < Math.max(fewestOthers, leastOthers * limit.calls)) return false;
  const used = rate.calls - rate.remaining;
  if (used >= ofRoute + containsOthers * others) known.counts += 1;
  else if (used <= ofRoute + Math.max(1, lacksOthers * others)) known.counts = 0;
  return known.counts >= enoughCounts;
}

function isRefusedAfterOthers(
  known: MethodCalls,
  route: string,
  { calls, windowS }: Limit,
  sentAt: number,
  isRefused: boolean,
): boolean {
  const intervalMs = (windowS * 1000) / calls;
  const before = known.calls.filter(({ at }) => at <= sentAt && at > sentAt - far * intervalMs);
  if (!before.some((call) => call.route !== route && call.at > sentAt - near * intervalMs)) return false;
  if (!isRefused) known.nearAdmitted += 1;
  else if (!before.some((call) => call.route === route)) known.nearRefused += 1;
  return known.nearRefused >= enoughNear && known.nearRefused > known.nearAdmitted;
}

function counted(
  { calls }: MethodCalls,
  route: string,
  after: number,
  until: number,
): { ofRoute: number; all: number } {
  const inside = calls.filter(({ at }) => at > after && at <= until);
  return { ofRoute: inside.filter((call) => call.route === route).length, all: inside.length };
}
