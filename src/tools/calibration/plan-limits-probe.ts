// Finds out which calls a plan's limit counts together.
import type { BehaviourResult } from '../../core/model/behaviours.ts';
import {
  allAdmit,
  allWhole,
  type Burst,
  inWords,
  isAdmitted,
  lostResponses,
  mostExceeded,
  sendBurst,
  sendBursts,
} from './bursts.ts';
import type { ScratchCall } from './calls.ts';
import type { Laboratory } from './laboratory.ts';
import { decideAmong, type Hypotheses } from './question.ts';

/** How the platform admits bursts, and what its plan allows as far as it is known. */
export interface PlanConditions {
  readonly calls: number;
  readonly admitsBursts: boolean;
  readonly hasHeaders: boolean;
}

/** Two endpoints. Counts are compared in the answers of the first. */
interface EndpointPair {
  readonly name: string;
  readonly first: ScratchCall;
  readonly second: readonly ScratchCall[];
}

const sideUpdate: ScratchCall = ['PUT /group_channels/@side', { name: '@side' }];
const unlisted: EndpointPair = {
  name: 'PUT of two endpoints',
  first: sideUpdate,
  second: [['PUT /open_channels/@hall', { name: '@hall' }]],
};
/** The second endpoint has a stricter limit. No user is updated so often that this limit shows. */
const listed: EndpointPair = {
  name: 'PUT of an endpoint with a stricter limit and one without',
  first: sideUpdate,
  second: ['@ann', '@bob', '@cat', '@dan'].map((user): ScratchCall => [`PUT /users/${user}`, { nickname: '@' }]),
};
const watchedRoute = 'PUT /group_channels/{channel_url}';

/** The calls of each endpoint in a burst whose answers have headers, which needs no refused call. */
const countedCalls = 5;
const pairTries = 6;

interface SharedObservation extends PlanConditions {
  readonly bursts: readonly Burst[];
  /**
   * Bursts of one endpoint alone: one call larger than it admits, if admitted calls have to show what is counted; as large as the mixed
   * ones, if counts that advance by two may be due to other clients.
   */
  readonly alone: readonly Burst[];
}

/**
 * Whether two endpoints share a limit. In a burst of alternating calls, the counts in the answers of one endpoint then advance by
 * two from call to call, and in a burst of its own calls by one. Where others use a large limit at the same time, they advance by more.
 * If calls are refused, too few counts are left to say that they advance by one.
 */
const sharingHypotheses: Hypotheses<SharedObservation> = {
  shared: (seen) => {
    if (!seen.admitsBursts)
      return seen.bursts.every(({ shots }) => shots.every((shot, place) => isAdmitted(shot) === (place === 0)));
    if (seen.hasHeaders)
      return advanceByTwo(seen.bursts, seen.calls) && seen.alone.length > 0 && advanceByOne(seen.alone, seen.calls);
    return seen.bursts.every(({ shots }) => shots.every((shot, place) => isAdmitted(shot) === place < seen.calls));
  },
  apart: (seen) => {
    // Calls that arrive apart are admitted also if they share a limit, as two calls of one endpoint then show.
    if (!seen.admitsBursts) return allWhole(seen.bursts) && seen.alone.length > 0 && allAdmit(seen.alone, 1);
    if (seen.hasHeaders) return allWhole(seen.bursts) && advanceByOne(seen.bursts, seen.calls);
    return allWhole(seen.bursts) && seen.alone.length > 0 && allAdmit(seen.alone, seen.calls);
  },
};

function advanceByOne(bursts: readonly Burst[], calls: number): boolean {
  return stepsIn(bursts, calls).every((step) => step >= 0.95 && step <= 1.1);
}

function advanceByTwo(bursts: readonly Burst[], calls: number): boolean {
  return stepsIn(bursts, calls).every((step) => step >= 1.6);
}

/** What the hypotheses on the limit of a plan say about the two pairs. */
export const planHypotheses: Hypotheses<{ readonly listed: Sharing; readonly unlisted: Sharing }> = {
  method: (seen) => seen.listed === 'shared',
  unlisted: (seen) => seen.listed === 'apart' && seen.unlisted === 'shared',
  endpoint: (seen) => seen.listed === 'apart' && seen.unlisted === 'apart',
};

type Sharing = 'shared' | 'apart' | undefined;

export async function measurePlanLimits(lab: Laboratory, conditions: PlanConditions): Promise<MeasuredPlan> {
  const { calls, hasHeaders, admitsBursts } = conditions;
  if (!hasHeaders && admitsBursts && calls > mostExceeded)
    return undecidedPlan(`the answers have no rate-limit headers, and ${calls} calls are too many to exceed`, 0);
  const ofListed = await measureSharing(lab, listed, conditions);
  const { mostAdmitted } = ofListed;
  if (ofListed.sharing === undefined) return undecidedPlan(`not clear: ${ofListed.evidence}`, mostAdmitted);
  const ofUnlisted = ofListed.sharing === 'shared' ? undefined : await measureSharing(lab, unlisted, conditions);
  const evidence = ofUnlisted === undefined ? ofListed.evidence : `${ofListed.evidence}; ${ofUnlisted.evidence}`;
  const seen = { listed: ofListed.sharing, unlisted: ofUnlisted?.sharing };
  return { planLimits: decideAmong('planLimits', planHypotheses, seen, evidence), mostAdmitted };
}

interface MeasuredPlan {
  readonly planLimits: BehaviourResult;
  /** The most calls for several users that were admitted at once. */
  readonly mostAdmitted: number;
}

function undecidedPlan(undecided: string, mostAdmitted: number): MeasuredPlan {
  return { planLimits: { undecided }, mostAdmitted };
}

interface MeasuredSharing {
  readonly sharing: Sharing;
  readonly evidence: string;
  readonly mostAdmitted: number;
}

/** The calls of each burst, at most. */
export function burstsOfPlanLimits(calls: number, hasHeaders: boolean): readonly number[] {
  if (!hasHeaders && calls > mostExceeded) return Array<number>(4 * pairTries).fill(2);
  const mixed = Array<number>(triesAt(calls, hasHeaders)).fill(2 * ofEach(calls, hasHeaders));
  const alone = Array<number>(triesAt(calls, hasHeaders)).fill(hasHeaders ? ofEach(calls, hasHeaders) : calls + 1);
  // Of two pairs, the second is sent if the first has limits of its own, and with headers only a shared limit is checked.
  return hasHeaders ? [...mixed, ...mixed, ...alone] : [...mixed, ...alone, ...mixed, ...alone];
}

async function measureSharing(
  lab: Laboratory,
  pair: EndpointPair,
  conditions: PlanConditions,
): Promise<MeasuredSharing> {
  const { calls, admitsBursts, hasHeaders } = conditions;
  const bursts = admitsBursts ? await sendMixed(lab, pair, conditions) : await sendPairs(lab, pair);
  if (bursts === undefined) return { sharing: undefined, evidence: lostResponses, mostAdmitted: 0 };
  const mostAdmitted = Math.max(...bursts.map(({ admitted }) => admitted));
  const showsCounts = admitsBursts && hasHeaders;
  const isToCheck = showsCounts ? advanceByTwo(bursts, calls) : allWhole(bursts);
  const callsAlone = showsCounts ? ofEach(calls, hasHeaders) : admitsBursts ? calls + 1 : 2;
  const ofOneEndpoint = Array<ScratchCall>(callsAlone).fill(pair.first);
  const times = admitsBursts ? triesAt(calls, hasHeaders) : pairTries;
  const alone = isToCheck ? await sendBursts(lab, ofOneEndpoint, times) : [];
  if (alone === undefined) return { sharing: undefined, evidence: lostResponses, mostAdmitted };
  const seen = { ...conditions, bursts, alone };
  const [sharing, other] = Object.keys(sharingHypotheses).filter((name) => sharingHypotheses[name]?.(seen) === true);
  const countsOf = (sent: readonly Burst[]): string => (showsCounts ? `, ${countsInWords(sent, calls)}` : '');
  const ofOne = alone.length === 0 ? '' : `, ${inWords('one endpoint', alone)}${countsOf(alone)}`;
  const evidence = `${inWords(pair.name, bursts)}, at a limit of ${calls}${countsOf(bursts)}${ofOne}`;
  const isClear = other === undefined && (sharing === 'shared' || sharing === 'apart');
  return { sharing: isClear ? sharing : undefined, evidence, mostAdmitted };
}

/**
 * Small limits are exceeded by few calls, and of ten calls that arrive in any order, the five of one endpoint may be next to each
 * other, so chance needs more tries there.
 */
function triesAt(calls: number, hasHeaders: boolean): number {
  return calls > 5 && !hasHeaders ? 2 : 3;
}

function sendMixed(
  lab: Laboratory,
  { first, second }: EndpointPair,
  { calls, hasHeaders }: PlanConditions,
): Promise<readonly Burst[] | undefined> {
  const lines = Array.from({ length: 2 * ofEach(calls, hasHeaders) }, (_, place) =>
    place % 2 === 0 ? first : (second[((place - 1) / 2) % second.length] ?? first),
  );
  // If refusals decide, the endpoints have unequal numbers of calls, so that two limits of half the size do not look like a shared one.
  if (!hasHeaders) lines[1] = first;
  return sendBursts(lab, lines, triesAt(calls, hasHeaders));
}

/** The calls of each of the two endpoints. */
function ofEach(calls: number, hasHeaders: boolean): number {
  const enough = Math.floor(calls / 2) + 1;
  return hasHeaders ? Math.min(countedCalls, enough) : enough;
}

/** Sends one call of each at once, first in one order, then in the other. */
async function sendPairs(
  lab: Laboratory,
  { first, second: [second = first] }: EndpointPair,
): Promise<readonly Burst[] | undefined> {
  const bursts: Burst[] = [];
  while (bursts.length < pairTries) {
    const burst = await sendBurst(
      lab,
      bursts.length % 2 === 0 ? [first, second] : [second, first],
      0.1 * bursts.length,
    );
    if (burst === undefined) return undefined;
    bursts.push(burst);
  }
  return bursts;
}

function countsInWords(bursts: readonly Burst[], calls: number): string {
  const steps = stepsIn(bursts, calls).map((step) => step.toFixed(1));
  return `counts advance by ${steps.join(' and ')}`;
}

/** By how much the count of the watched endpoint advances from one of its calls to the next, in each burst. */
function stepsIn(bursts: readonly Burst[], calls: number): readonly number[] {
  return bursts.map(({ shots }) => {
    const counts = shots.flatMap((shot) =>
      shot.route === watchedRoute && isAdmitted(shot) && shot.answer.rate?.calls === calls
        ? [shot.answer.rate.remaining]
        : [],
    );
    return counts.length < 2 ? Number.NaN : (Math.max(...counts) - Math.min(...counts)) / (counts.length - 1);
  });
}
