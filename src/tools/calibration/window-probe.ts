// Finds out how the window of a rate limit moves, and whether the limit for one user is held.

import type { BehaviourResult } from '../../core/model/behaviours.ts';
import { type Burst, hasHeaders, isAdmitted, lostResponses, mostExceeded, sendBurst } from './bursts.ts';
import type { ScratchCall } from './calls.ts';
import type { Laboratory, Shot } from './laboratory.ts';
import { decideAmong, type Hypotheses } from './question.ts';

/** The limits of a route: the plan has one, and one user may have a stricter one. */
export interface RouteLimits {
  readonly plan: number;
  readonly rule: number;
}

export const renamedRoute = '/users/{user_id}';

/** The bursts that must have reached the limit, and those that are sent at most. */
const enoughFull = 3;
const mostTries = 5;
/** Calls that look for the end of a refusal, in tenths of a window. */
const mostParts = 12;

const renaming = (user: string): ScratchCall => [`PUT /users/${user}`, { nickname: '@' }];
/** One call more than the limit, for the users in turn. The limit for one user refuses none of them if there are several users. */
const renamings = (calls: number, ...users: readonly string[]): readonly ScratchCall[] =>
  Array.from({ length: calls + 1 }, (_, place) => renaming(users[place % users.length] ?? ''));
/** The calls of a burst that only shows whether several are admitted at once. */
const fewCalls = 2;

/** A burst of one call more than the limit, and the milliseconds until another call was or would be admitted. */
interface FullBurst extends Burst {
  readonly nextMs: number | undefined;
}

export interface WindowObservation {
  readonly bursts: readonly FullBurst[];
  readonly calls: number;
  readonly windowMs: number;
}

export interface RuleObservation {
  readonly bursts: readonly FullBurst[];
  /** The declared limit for one user. */
  readonly rule: number;
  /** The most calls for several users that were admitted at once. */
  readonly mostForOthers: number;
}

export interface MeasuredWindow {
  readonly window: BehaviourResult;
  readonly bursts: readonly FullBurst[];
  readonly evidence: string;
  /** Undefined if it is not known. */
  readonly admitsBursts: boolean | undefined;
}

/** Tolerances for calls that arrive at slightly different times, as shares of the window. */
const nearlyWhole = 0.85;
const sameBoundary = 0.12;
/** In intervals of a full limit. */
const oneInterval = 1.6;

export const windowHypotheses: Hypotheses<WindowObservation> = {
  /** A call leaves the window a whole window after it came. */
  sliding: (seen) => isReached(seen) && areWhole(seen) && !haveOneBoundary(seen),
  /** All calls leave the window at its end. */
  fixed: (seen) => isReached(seen) && haveOneBoundary(seen) && !areWhole(seen),
  /** There is room for the next call after the interval of one. */
  gcra: (seen) => isReached(seen) && waitsOf(seen).every((ms) => ms <= intervalMs(seen)),
  /** The same, and no two calls at once. */
  gcra_strict: ({ bursts, ...seen }) =>
    bursts.length >= enoughFull &&
    bursts.every(({ admitted, nextMs = Number.POSITIVE_INFINITY }) => admitted === 1 && nextMs <= intervalMs(seen)),
};

export const ruleHypotheses: Hypotheses<RuleObservation> = {
  held: ({ bursts, rule, mostForOthers }) =>
    hasHeaders(bursts)
      ? fullOf(bursts, rule).length + bursts.filter(({ admitted }) => admitted === 1).length >= enoughFull
      : fullOf(bursts, rule).length >= enoughFull && mostForOthers > rule,
  not_held: ({ bursts }) => bursts.length > 0 && bursts.every(({ admitted, sent }) => admitted === sent),
};

/** Changes the nickname of one user more often than the limit for one user allows. */
export async function measureWindow(lab: Laboratory, { plan, rule }: RouteLimits): Promise<MeasuredWindow> {
  const calls = Math.min(plan, rule);
  if (calls > mostExceeded) {
    const few = await sendBurst(lab, renamings(fewCalls - 1, '@ann'), 0);
    const admitsBursts = few !== undefined && few.admitted > 1 ? true : undefined;
    return { window: { undecided: tooMany(calls) }, bursts: [], evidence: '', admitsBursts };
  }
  const bursts: FullBurst[] = [];
  while (bursts.length < mostTries && !isEnough({ bursts, calls, windowMs: lab.windowMs })) {
    const burst = await sendBurst(lab, renamings(calls, '@ann'), 0.3 * bursts.length);
    if (burst === undefined)
      return { window: { undecided: lostResponses }, bursts: [], evidence: '', admitsBursts: undefined };
    // A refusal by another limit says nothing about this one.
    const stated = burst.shots.find((shot) => !isAdmitted(shot))?.answer.rate?.calls ?? calls;
    bursts.push({ ...burst, nextMs: stated === calls ? await untilNext(lab, burst.shots) : undefined });
  }
  const outcomes = bursts.map(({ admitted, nextMs }) =>
    nextMs === undefined ? `${admitted} admitted` : `${admitted} admitted, next after ${Math.round(nextMs)} ms`,
  );
  const evidence = `${calls + 1} × PUT /users/{user_id} at once → ${outcomes.join('; ')}`;
  const window = decideAmong('window', windowHypotheses, { bursts, calls, windowMs: lab.windowMs }, evidence);
  const isStrict = 'value' in window && window.value === 'gcra_strict';
  const admitsBursts = isStrict ? false : bursts.some(({ admitted }) => admitted > 1) ? true : undefined;
  return { window, bursts, evidence, admitsBursts };
}

/** Decides whether the limit for one user is held. Other bursts may have shown already that it is not the plan that refuses. */
export async function decideRules(
  lab: Laboratory,
  { plan, rule }: RouteLimits,
  { window, bursts, evidence }: MeasuredWindow,
  mostAdmitted: number,
): Promise<BehaviourResult> {
  if (plan <= rule) return { undecided: tooLow(plan) };
  if ('undecided' in window && bursts.length === 0) return window;
  const isToSpread = !hasHeaders(bursts) && mostAdmitted <= rule && fullOf(bursts, rule).length >= enoughFull;
  const spread = isToSpread ? await sendBurst(lab, renamings(rule, '@ann', '@bob', '@cat', '@dan'), 0) : undefined;
  const mostForOthers = Math.max(mostAdmitted, spread?.admitted ?? 0);
  return decideAmong('userRules', ruleHypotheses, { bursts, rule, mostForOthers }, evidence);
}

/** The calls of each burst, at most. */
export function burstsOfWindow({ plan, rule }: RouteLimits, hasHeaders: boolean): readonly number[] {
  if (Math.min(plan, rule) > mostExceeded) return [fewCalls];
  const calls = Math.min(plan, rule) + 1;
  const tried = hasHeaders ? 0 : mostParts;
  return [...Array<number>(mostTries).fill(calls + tried), ...(hasHeaders ? [] : [rule + 1])];
}

export function tooLow(plan: number): string {
  return `the plan allows only ${plan} calls a second, no more than the rule for one user`;
}

export function tooMany(calls: number): string {
  return `${calls} calls are too many to exceed the limit for one user`;
}

/** Bursts that began in the same part of the window wait for a whole one whether it slides or is fixed. */
function isEnough(seen: WindowObservation): boolean {
  const known = seen.bursts.filter(({ admitted, nextMs }) => admitted <= seen.calls && nextMs !== undefined);
  return known.length >= enoughFull && !(isReached(seen) && areWhole(seen) && haveOneBoundary(seen));
}

/** The refusal states when the next call is admitted. If it does not, calls are tried until one is admitted. */
async function untilNext(lab: Laboratory, shots: readonly Shot[]): Promise<number | undefined> {
  const refused = shots.find((shot) => !isAdmitted(shot));
  if (refused?.answer.type !== 'limited') return undefined;
  if (refused.answer.retryAfterS !== undefined) return refused.answer.retryAfterS * 1000;
  for (let part = 1; part <= mostParts; part += 1) {
    await lab.rest(refused.sentAt + (part * lab.windowMs) / 10 - lab.clock.now());
    const shot = await lab.shoot(renaming('@ann'));
    if (shot.answer.type === 'unknown') return undefined;
    if (isAdmitted(shot)) return shot.sentAt - refused.sentAt;
  }
  return undefined;
}

function fullOf(bursts: readonly FullBurst[], calls: number): readonly FullBurst[] {
  return bursts.filter(({ admitted, nextMs }) => admitted === calls && nextMs !== undefined);
}

function isReached({ bursts, calls }: WindowObservation): boolean {
  return fullOf(bursts, calls).length >= enoughFull;
}

function waitsOf({ bursts, calls }: WindowObservation): readonly number[] {
  return fullOf(bursts, calls).map(({ nextMs = 0 }) => nextMs);
}

function areWhole(seen: WindowObservation): boolean {
  return waitsOf(seen).every((ms) => ms >= nearlyWhole * seen.windowMs);
}

function intervalMs({ calls, windowMs }: Pick<WindowObservation, 'calls' | 'windowMs'>): number {
  return (oneInterval * windowMs) / calls;
}

function haveOneBoundary({ bursts, calls, windowMs }: WindowObservation): boolean {
  const [first = 0, ...others] = fullOf(bursts, calls).map(
    ({ startedAt, nextMs = 0 }) => (startedAt + nextMs) / windowMs,
  );
  return others.every((boundary) => {
    const apart = Math.abs(boundary - first) % 1;
    return Math.min(apart, 1 - apart) <= sameBoundary;
  });
}
