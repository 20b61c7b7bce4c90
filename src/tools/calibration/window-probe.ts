// Measures the readings of the rate limits by sending many calls at once, only to scratch objects.
import type { ReadingName, ReadingValue } from '../../model/readings.ts';
import type { Method } from '../../model/request.ts';
import type { ScratchCall } from './calls.ts';
import type { Laboratory, Shot } from './laboratory.ts';
import { decidedValue, type Results } from './question.ts';

/** The calls per second that the declared rate plan allows a method. */
export type PlanLimits = (method: Method) => number;

/** The limit of the stricter rules, the same in every plan (base, Limits). */
const ruleCalls = 5;
/** A longer window cannot be tried in two minutes. */
const longestWindowS = 5;
const mostTries = 5;
/**
 * Up to this limit, a burst exceeds what two routes may send if they share a limit. Above it, the remaining calls of the
 * headers are compared, which needs fewer calls.
 */
const mostExceeded = { withHeaders: 10, withoutHeaders: 20 };
const countedCalls = 8;

const renaming: ScratchCall = ['PUT /users/@ann', { nickname: '@' }];
const inviting: ScratchCall = ['POST /group_channels/@room/invite', { user_ids: ['@bob'] }];
/** Two endpoints of one method. */
const updating: readonly ScratchCall[] = [
  ['PUT /group_channels/@side', { name: '@side' }],
  ['PUT /open_channels/@hall', { name: '@hall' }],
];
/** Two endpoints of which one has a stricter limit. No user is updated so often that this limit shows. */
const updatingListed: readonly ScratchCall[] = ['@ann', '@bob', '@cat', '@dan'].flatMap((user): ScratchCall[] => [
  ['PUT /group_channels/@side', { name: '@side' }],
  [`PUT /users/${user}`, { nickname: '@' }],
]);

/** Sends bursts and decides the readings of the limits. */
export async function measureLimits(lab: Laboratory, planLimits: PlanLimits): Promise<Results> {
  const headers = headersOf(lab);
  if (lab.windowMs > longestWindowS * 1000) {
    const undecided = `a window of ${lab.windowMs / 1000} s is too long to try`;
    return { ...headers, ...all(['window', 'userRules', 'planLimits', 'userScope'], undecided) };
  }
  const limitOf: PlanLimits = (method) => lab.limits.get(method) ?? planLimits(method);
  const window = await measureWindow(lab, limitOf('PUT'));
  const admitsBursts = decidedValue(window, 'window') !== 'gcra_strict';
  return {
    ...headers,
    ...window,
    ...(await measurePlanLimits(lab, limitOf('PUT'), admitsBursts)),
    ...(await measureUserScope(lab, limitOf('POST'), admitsBursts)),
  };
}

function headersOf({ headers }: Laboratory): Results {
  if (headers === undefined) {
    const undecided = 'the answers have no rate-limit headers';
    return { rateHeaders: { value: 'absent', evidence: 'no answer had them' }, windowSeconds: { undecided } };
  }
  const { calls, windowS } = headers;
  const evidence = `X-RateLimit-Limit: ${calls};w=${windowS}`;
  const windowSeconds = Number.isInteger(windowS) ? { value: windowS, evidence } : { undecided: evidence };
  return { rateHeaders: { value: 'sent', evidence }, windowSeconds };
}

/** Changes the nickname of one user more often than the rule for one user allows. */
async function measureWindow(lab: Laboratory, plan: number): Promise<Results> {
  const calls = Math.min(plan, ruleCalls);
  const bursts: FullBurst[] = [];
  for (let tries = 0; tries < mostTries && bursts.filter(({ admitted }) => admitted <= calls).length < 3; tries += 1) {
    const shots = await lab.burst(Array(calls + 1).fill(renaming), 0.3 * tries);
    const admitted = shots.filter(isAdmitted).length;
    bursts.push({ startedAt: shots[0]?.sentAt ?? 0, admitted, nextMs: await untilNext(lab, shots) });
  }
  const outcomes = bursts.map(({ admitted, nextMs }) =>
    nextMs === undefined ? `${admitted} admitted` : `${admitted} admitted, next after ${Math.round(nextMs)} ms`,
  );
  const evidence = `${calls + 1} × PUT /users/{user_id} at once → ${outcomes.join('; ')}`;
  const value = windowFrom(bursts, calls, lab.windowMs);
  const isHeld = 2 * bursts.filter(({ admitted }) => admitted > calls).length < bursts.length;
  return {
    window: value === undefined ? { undecided: `no known algorithm fits: ${evidence}` } : { value, evidence },
    userRules: plan > ruleCalls ? { value: isHeld ? 'held' : 'not_held', evidence } : { undecided: tooLow(plan) },
  };
}

function tooLow(plan: number): string {
  return `the plan allows only ${plan} calls a second, no more than the rule for one user`;
}

/** The refusal states when the next call is admitted. If it does not, calls are tried until one is admitted. */
async function untilNext(lab: Laboratory, shots: readonly Shot[]): Promise<number | undefined> {
  const refused = shots.find((shot) => !isAdmitted(shot));
  if (refused?.answer.type !== 'limited') return undefined;
  if (refused.answer.retryAfterS !== undefined) return refused.answer.retryAfterS * 1000;
  for (let part = 1; part <= 12; part += 1) {
    await lab.rest(refused.sentAt + (part * lab.windowMs) / 10 - lab.clock.now());
    const shot = await lab.shoot(renaming);
    if (isAdmitted(shot)) return shot.sentAt - refused.sentAt;
  }
  return undefined;
}

/** Updates a channel and users, for whom a stricter limit is listed, and if they share no limit, two kinds of channels. */
async function measurePlanLimits(lab: Laboratory, calls: number, admitsBursts: boolean): Promise<Results> {
  const listed = await measureShared(lab, updatingListed, calls, admitsBursts);
  if (listed.isShared === undefined) return { planLimits: { undecided: `not clear: ${listed.evidence}` } };
  if (listed.isShared) return { planLimits: { value: 'method', evidence: listed.evidence } };
  const others = await measureShared(lab, updating, calls, admitsBursts);
  const evidence = `with a listed endpoint, ${listed.evidence}; without, ${others.evidence}`;
  if (others.isShared === undefined) return { planLimits: { undecided: `not clear: ${evidence}` } };
  return { planLimits: { value: others.isShared ? 'unlisted' : 'endpoint', evidence } };
}

interface SharedLimit {
  readonly isShared: boolean | undefined;
  readonly evidence: string;
}

/** Sends calls of two endpoints at once. `calling` alternates between them. */
async function measureShared(
  lab: Laboratory,
  calling: readonly ScratchCall[],
  calls: number,
  admitsBursts: boolean,
): Promise<SharedLimit> {
  const most = lab.headers === undefined ? mostExceeded.withoutHeaders : mostExceeded.withHeaders;
  const count = 2 * (calls <= most ? Math.ceil(0.6 * calls) : countedCalls);
  const lines = Array.from({ length: count }, (_, place) => calling[place % calling.length] ?? renaming);
  const tries: (boolean | undefined)[] = [];
  const admitted: number[] = [];
  while (tries.length < 2 || (tries.length < 3 && tries[0] !== tries[1])) {
    const shots = await lab.burst(lines, 0.35 * tries.length);
    tries.push(sharesLimit(shots, calls, admitsBursts));
    admitted.push(shots.filter(isAdmitted).length);
  }
  const evidence = `${lines.length} × PUT of two endpoints at once, at a limit of ${calls} → ${admitted.join(' and ')} admitted`;
  return { isShared: majority(tries), evidence };
}

/** Invites a member repeatedly, with calls that name no inviter. */
async function measureUserScope(lab: Laboratory, plan: number, admitsBursts: boolean): Promise<Results> {
  if (plan <= ruleCalls) return all(['userScope'], tooLow(plan));
  const counts: number[] = [];
  const evidence = () => `${ruleCalls + 1} × POST …/invite at once → ${counts.join(' and ')} admitted`;
  while (counts.length < 2) {
    const shots = await lab.burst(Array(ruleCalls + 1).fill(inviting), 0.4 * counts.length);
    counts.push(shots.filter(isAdmitted).length);
    const stated = shots.find(isAdmitted)?.answer.rate?.calls;
    if (stated !== undefined) {
      const value = stated === ruleCalls ? 'first_listed' : 'named';
      return { userScope: { value, evidence: `${evidence()}, stated limit ${stated}` } };
    }
    if (!admitsBursts) return all(['userScope'], 'no burst is admitted and the answers have no rate-limit headers');
    if (counts.some((count) => count <= ruleCalls)) break;
  }
  const value = counts.some((count) => count <= ruleCalls) ? 'first_listed' : 'named';
  return { userScope: { value, evidence: evidence() } };
}

function all(names: readonly ReadingName[], undecided: string): Results {
  return Object.fromEntries(names.map((name) => [name, { undecided }]));
}

// Decides how the platform counts calls, from the outcomes of bursts. Pure functions.

/** A burst of one call more than the limit, and the milliseconds until another call was or would be admitted. */
interface FullBurst {
  readonly startedAt: number;
  readonly admitted: number;
  readonly nextMs: number | undefined;
}

/** Tolerances for calls that arrive at slightly different times, as shares of the window. */
const nearlyWhole = 0.85;
const sameBoundary = 0.12;
/** In intervals of a full limit. */
const oneInterval = 1.6;

/** The algorithm that fits all bursts. At least three of them must have reached the limit. */
function windowFrom(bursts: readonly FullBurst[], calls: number, windowMs: number): ReadingValue | undefined {
  if (bursts.filter(({ admitted }) => admitted === 1).length >= 2) return 'gcra_strict';
  const full = bursts.filter(({ admitted, nextMs }) => admitted === calls && nextMs !== undefined);
  const waits = full.map(({ nextMs = 0 }) => nextMs);
  if (full.length < 3) return undefined;
  if (waits.every((ms) => ms >= nearlyWhole * windowMs)) return 'sliding';
  if (waits.every((ms) => ms <= (oneInterval * windowMs) / calls)) return 'gcra';
  const [first = 0, ...others] = full.map(({ startedAt, nextMs = 0 }) => (startedAt + nextMs) / windowMs);
  const isFixed = others.every((boundary) => {
    const apart = Math.abs(boundary - first) % 1;
    return Math.min(apart, 1 - apart) <= sameBoundary;
  });
  return isFixed ? 'fixed' : undefined;
}

const isAdmitted = ({ answer }: Shot): boolean => answer.type !== 'limited';

/**
 * Whether two routes of one method share a limit, from a burst of equally many calls of each. Refused calls, or a count that
 * contains both routes, show that they do.
 */
function sharesLimit(shots: readonly Shot[], calls: number, admitsBursts: boolean): boolean | undefined {
  const admitted = shots.filter(isAdmitted);
  const routes = new Set(admitted.map(({ route }) => route)).size;
  if (!admitsBursts) return admitted.length === 1 ? true : routes === 2 ? false : undefined;
  if (admitted.length < shots.length) return true;
  const remaining = shots.flatMap(({ answer }) => (answer.rate?.calls === calls ? [answer.rate.remaining] : []));
  if (remaining.length > 0) return calls - Math.min(...remaining) >= 0.75 * shots.length;
  return shots.length > calls ? false : undefined;
}

/** The value that most tries show, if more than half agree. */
function majority<T>(tries: readonly (T | undefined)[]): T | undefined {
  return tries.find(
    (tried) => tried !== undefined && 2 * tries.filter((other) => other === tried).length > tries.length,
  );
}
