// Finds out where a call counts that names no user: for no user, for the first user that it lists, or with all such calls of the
// application together.
import type { BehaviourResult } from '../../core/model/behaviours.ts';
import {
  allAdmit,
  allWhole,
  type Burst,
  hasHeaders,
  inWords,
  isRefusedBy,
  lostResponses,
  mostExceeded,
  sendBursts,
} from './bursts.ts';
import type { ScratchCall } from './calls.ts';
import type { Laboratory } from './laboratory.ts';
import { decideAmong, type Hypotheses } from './question.ts';
import { type RouteLimits, tooLow, tooMany } from './window-probe.ts';

export const invitedRoute = '/group_channels/{channel_url}/invite';
const path = 'POST /group_channels/@room/invite';
/** One call more than the limit. */
const inviting = (rule: number, ...users: readonly string[]): readonly ScratchCall[] =>
  Array.from({ length: rule + 1 }, (_, place) => [path, { user_ids: [users[place % users.length] ?? ''] }]);
/** Calls that name a user count for that user under each hypothesis. */
const naming = (rule: number): readonly ScratchCall[] =>
  inviting(rule, '@bob').map((_, place) => [
    path,
    { user_ids: ['@bob'], inviter_id: ['@ann', '@bob', '@cat'][place % 3] ?? '' },
  ]);

interface ScopeObservation extends RouteLimits {
  /** All calls list the same user. */
  readonly oneUser: readonly Burst[];
  /** The calls list two users in turn. */
  readonly twoUsers: readonly Burst[];
  readonly namedUsers: readonly Burst[];
  readonly admitsBursts: boolean;
}

export const scopeHypotheses: Hypotheses<ScopeObservation> = {
  // The limit of the plan may hide the stricter one in refusals, if other clients use it, but not in the call that was admitted.
  named: ({ oneUser, plan, admitsBursts }) =>
    !statesStricter(oneUser, plan) &&
    (allWhole(oneUser) || (!admitsBursts && allAdmit(oneUser, 1) && isRefusedBy(oneUser, plan))),
  first_listed: ({ oneUser, twoUsers, rule }) => isHeld(oneUser, rule) && twoUsers.length > 0 && allWhole(twoUsers),
  // Where no burst is admitted, two users with limits of their own have one call each.
  application: ({ oneUser, twoUsers, namedUsers, rule, admitsBursts }) =>
    isHeld(oneUser, rule) &&
    isHeld(twoUsers, rule) &&
    (admitsBursts || allAdmit(twoUsers, 1)) &&
    (hasHeaders(twoUsers) || (namedUsers.length > 0 && allWhole(namedUsers))),
};

/** Whether the stricter limit refused calls in each burst. */
function isHeld(bursts: readonly Burst[], rule: number): boolean {
  if (bursts.length === 0) return false;
  return hasHeaders(bursts) ? bursts.every((burst) => isRefusedBy([burst], rule)) : allAdmit(bursts, rule);
}

/** Whether an answer states a stricter limit than the plan, be it the declared one or another. */
function statesStricter(bursts: readonly Burst[], plan: number): boolean {
  return bursts.some(({ shots }) => shots.some(({ answer }) => (answer.rate?.calls ?? plan) < plan));
}

/** The calls of each burst, at most. */
export function burstsOfUserScope({ plan, rule }: RouteLimits, hasHeaders: boolean): readonly number[] {
  return plan <= rule || rule > mostExceeded ? [] : Array<number>(hasHeaders ? 3 : 8).fill(rule + 1);
}

export async function measureUserScope(
  lab: Laboratory,
  { plan, rule }: RouteLimits,
  admitsBursts: boolean,
): Promise<BehaviourResult> {
  if (plan <= rule) return { undecided: tooLow(plan) };
  if (rule > mostExceeded) return { undecided: tooMany(rule) };
  const isStated = lab.headers !== undefined;
  if (!isStated && !admitsBursts)
    return { undecided: 'no burst is admitted and the answers have no rate-limit headers' };
  const evidences: string[] = [];
  const send = async (what: string, lines: readonly ScratchCall[], times: number): Promise<readonly Burst[]> => {
    const bursts = (await sendBursts(lab, lines, times)) ?? [];
    evidences.push(bursts.length === 0 ? lostResponses : inWords(what, bursts));
    return bursts;
  };
  let oneUser = await send('POST …/invite of one user', inviting(rule, '@bob'), isStated ? 1 : 2);
  // Without headers, chance is excluded by a third burst.
  if (!isStated && !allWhole(oneUser)) oneUser = [...oneUser, ...(await send('the same', inviting(rule, '@bob'), 1))];
  // A burst in which a fixed window ends is admitted as a whole.
  const times = isStated ? 2 : 3;
  const twoUsers = isHeld(oneUser, rule)
    ? await send('POST …/invite of two users in turn', inviting(rule, '@bob', '@cat'), times)
    : [];
  const isToCheck = !isStated && isHeld(twoUsers, rule);
  const namedUsers = isToCheck ? await send('POST …/invite by three inviters', naming(rule), 2) : [];
  const seen = { oneUser, twoUsers, namedUsers, plan, rule, admitsBursts };
  const evidence = evidences.join('; ');
  if (evidences.includes(lostResponses)) return { undecided: evidence };
  return decideAmong('userScope', scopeHypotheses, seen, evidence);
}
