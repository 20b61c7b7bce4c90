// Measures the behaviours of the rate limits by sending many calls at once, only to scratch objects.
import type { BehaviourName, BehaviourResult } from '../../core/model/behaviours.ts';
import type { Method } from '../../core/model/request.ts';
import type { AdaptiveLimits } from '../../core/platform/limits.ts';
import type { Laboratory } from './laboratory.ts';
import { measurePlanLimits } from './plan-limits-probe.ts';
import type { Results } from './question.ts';
import { invitedRoute, measureUserScope } from './user-scope-probe.ts';
import { decideRules, measureWindow, renamedRoute } from './window-probe.ts';

/** The calls per second that the declared plan allows a method, or that the stricter limit of a route allows. */
export type DeclaredCalls = (method: Method, route?: string) => number;

export function declaredLimitsOf(limits: AdaptiveLimits): DeclaredCalls {
  return (method, route = '') => limits.listedCalls({ method, route }) ?? limits({ method, route })[0]?.calls ?? 1;
}

/** A longer window cannot be tried in two minutes. */
export const longestWindowS = 5;

/** Sends bursts and decides the behaviours of the limits. */
export async function measureLimits(lab: Laboratory, declaredLimits: DeclaredCalls): Promise<Results> {
  const headers = headersOf(lab);
  if (lab.windowMs > longestWindowS * 1000) {
    const undecided = `a window of ${lab.windowMs / 1000} s is too long to try`;
    return { ...headers, ...all(['window', 'userRules', 'planLimits', 'userScope'], { undecided }) };
  }
  const limitOf = (method: Method): number => lab.limits.get(method) ?? declaredLimits(method);
  const renaming = { plan: limitOf('PUT'), rule: declaredLimits('PUT', renamedRoute) };
  const inviting = { plan: limitOf('POST'), rule: declaredLimits('POST', invitedRoute) };
  const measured = await measureWindow(lab, renaming);
  const { window, admitsBursts } = measured;
  // The outcome of a burst means something only if it is known whether bursts are admitted.
  if (admitsBursts === undefined) {
    const undecided = 'it is not clear whether bursts are admitted';
    const userRules = await decideRules(lab, renaming, measured, 0);
    return { ...headers, window, userRules, ...all(['planLimits', 'userScope'], { undecided }) };
  }
  const conditions = { calls: limitOf('PUT'), admitsBursts, hasHeaders: lab.headers !== undefined };
  const { planLimits: counted, mostAdmitted } = await measurePlanLimits(lab, conditions);
  return {
    ...headers,
    window,
    userRules: await decideRules(lab, renaming, measured, mostAdmitted),
    planLimits: counted,
    userScope: await measureUserScope(lab, inviting, admitsBursts),
  };
}

const fromHeaders: readonly BehaviourName[] = ['windowSeconds', 'readsPerWindow', 'changesPerWindow'];

function headersOf({ headers, limits }: Laboratory): Results {
  if (headers === undefined) {
    const undecided = 'the answers have no rate-limit headers';
    return { rateHeaders: { value: 'absent', evidence: 'no answer had them' }, ...all(fromHeaders, { undecided }) };
  }
  const { calls, windowS } = headers;
  const evidence = `X-RateLimit-Limit: ${calls};w=${windowS}`;
  const rateHeaders = { value: 'sent', evidence };
  if (!Number.isInteger(windowS)) return { rateHeaders, ...all(fromHeaders, { undecided: evidence }) };
  const [reads, posts, puts] = (['GET', 'POST', 'PUT'] as const).map((method) => limits.get(method));
  return {
    rateHeaders,
    windowSeconds: { value: windowS, evidence },
    readsPerWindow: stated('GET', reads),
    changesPerWindow: posts === puts ? stated('POST and PUT', posts) : { undecided: `POST ${posts}, PUT ${puts}` },
  };
}

function stated(what: string, calls: number | undefined): BehaviourResult {
  if (calls === undefined || !Number.isInteger(calls) || calls < 1)
    return { undecided: `no answer to ${what} states a limit` };
  return { value: calls, evidence: `the largest X-RateLimit-Limit of ${what}` };
}

function all(names: readonly BehaviourName[], result: BehaviourResult): Results {
  return Object.fromEntries(names.map((name) => [name, result]));
}
