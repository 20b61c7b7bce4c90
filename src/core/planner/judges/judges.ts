// The judges of a plan: every rule that may refuse to apply it, in the order in which the refusals are shown (semantics §4).
//
// A plan is judged once, when it is final, between planning and showing. A judge is a pure function from the plan and what it
// was made from to a verdict. To add a judge, add it to the list.

import type { ReplyTime } from '../../model/behaviours.ts';
import type { Change } from '../../model/change.ts';
import { adjusted, type Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import type { StateEntry } from '../../model/record.ts';
import { dataRequestsRoute } from '../../model/request.ts';
import { diagnosticOf, type Finding } from '../draft/finding.ts';
import { judgeBudgets } from './budgets.ts';
import { overChannelLimit } from './channel-limit.ts';
import type { Judge, JudgedPlan, JudgedProblem, JudgeInput, Judgement, UnjudgedPlan } from './judge.ts';
import { refuseShrunkInput } from './shrink-guard.ts';

type AskedFor = NonNullable<Diagnostic['acknowledge']>;

export const judges: readonly Judge[] = [
  {
    // Compares the objects that each file declares with the last apply.
    name: 'shrink guard',
    applies: ({ loads }) => loads !== undefined,
    judge: ({ loads, policy, today }) => ({
      refusals: loads === undefined ? [] : refuseShrunkInput({ ...loads, policy, today }),
    }),
  },
  {
    // Compares each object that the plan removes or reopens with lifecycle.protect and policy.reopen.
    name: 'protection',
    judge: (_input, { evidence }) => ({ refusals: evidence.protectedObjects }),
  },
  {
    // Compares the number of each effect with policy.removals, policy.notify and policy.acknowledge.
    name: 'budgets',
    applies: ({ policy, acknowledged }, { evidence }) =>
      !evidence.hasNoEffects ||
      policy.acknowledge.length > 0 ||
      acknowledged !== undefined ||
      evidence.notified.length > 0,
    judge: judgeBudgets,
  },
  {
    // Compares the number of each user's group channels with the platform's limit.
    name: 'channel limit',
    applies: ({ crowded }) => crowded !== undefined,
    judge: ({ crowded: { users, isRefused } = { users: [], isRefused: false } }, { plan }) =>
      judgementOf(overChannelLimit(plan, users, isRefused), isRefused),
  },
  {
    // Compares each change with what the application is known to ignore.
    name: 'ignored ai',
    applies: ({ ignoresAi = false }) => ignoresAi,
    judge: (_input, { plan }) => ({ refusals: ignoredAi(plan.changes) }),
  },
  {
    // Compares replies in threads with what the application is known to do with their times.
    name: 'reply times',
    applies: ({ replyTime }) => replyTime !== 'honoured',
    judge: ({ replyTime }, { plan }) => judgeReplyTimes(plan, replyTime),
  },
  {
    // Compares erasures with whether the application has data requests.
    name: 'data requests',
    applies: ({ hasDataRequests }) => hasDataRequests !== true,
    judge: ({ hasDataRequests }, { plan }) => judgeDataRequests(plan, hasDataRequests),
  },
  {
    // Compares each change and the file that causes it with policy.restrictions.
    name: 'restrictions',
    applies: ({ restrictions }) => restrictions !== undefined,
    judge: ({ restrictions }, { plan }) => ({ refusals: [...(restrictions?.refusals(plan.changes) ?? [])] }),
  },
  {
    // Compares the plan and each change with the expressions of policy.rules.
    name: 'rules',
    applies: ({ rules }) => rules !== undefined,
    judge: ({ rules, today }, { plan }) => rules?.judge(plan, today) ?? { refusals: [] },
  },
];

/** Adds the refusals of all judges to a plan, and to the plan their notes, remarks and entries. */
export function judge(unjudged: UnjudgedPlan, input: JudgeInput): JudgedPlan {
  const inWords = (problem: JudgedProblem) => ('detail' in problem ? problem : diagnosticOf(problem, input.words));
  let refusals: readonly Diagnostic[] = [];
  let notes: readonly Diagnostic[] = [];
  let remarks: readonly Diagnostic[] = [];
  let entries: readonly StateEntry[] = [];
  for (const { applies, judge: judgeBy } of judges) {
    if (applies?.(input, unjudged) === false) continue;
    const verdict = judgeBy(input, unjudged);
    // A judge need not ask again for an acknowledgement that an earlier judge asked for.
    const needed = refusals.flatMap(({ acknowledge }) => acknowledge ?? []);
    const further = verdict.refusals.filter(({ acknowledge }) => !isAmong(needed, acknowledge));
    refusals = [...refusals, ...further.map(inWords)];
    notes = [...notes, ...(verdict.notes ?? []).map(inWords)];
    remarks = [...remarks, ...(verdict.remarks ?? []).map(inWords)];
    entries = [...entries, ...(verdict.entries ?? [])];
  }
  const { plan, problems, unchecked } = unjudged;
  const diagnostics = adjusted([...plan.warnings, ...notes, ...unchecked, ...remarks], input.policy.diagnostics);
  const [raised, warnings] = [diagnostics.filter(isError), diagnostics.filter((diagnostic) => !isError(diagnostic))];
  return { plan: withEntries({ ...plan, warnings }, entries), problems, refusals: [...refusals, ...raised] };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

function isAmong(needed: readonly AskedFor[], acknowledge: AskedFor | undefined): boolean {
  return needed.some(({ effect, count }) => effect === acknowledge?.effect && count === acknowledge.count);
}

/** A plan without steps makes no run, so nothing is written. */
function withEntries(plan: Plan, entries: readonly StateEntry[]): Plan {
  if (entries.length === 0 || plan.steps.length === 0) return plan;
  return { ...plan, bookkeeping: [...entries, ...(plan.bookkeeping ?? [])] };
}

/** Refuses what the application is known not to do, and only names it while that is unknown. */
function judgementOf(findings: readonly Finding[], isKnown: boolean): Judgement {
  return isKnown ? { refusals: findings } : { refusals: [], remarks: findings };
}

/** An application may have no data requests (platform §4.7). `hasDataRequests` is its behaviour, if that is decided. */
function judgeDataRequests({ requests }: Plan, hasDataRequests: boolean | undefined): Judgement {
  if (!requests.some(({ route }) => route === dataRequestsRoute)) return { refusals: [] };
  const isKnown = hasDataRequests === false;
  return judgementOf(
    [{ severity: isKnown ? 'error' : 'warning', problem: { code: 'user.data-requests', isKnown } }],
    isKnown,
  );
}

/** The plan would change the ai object of bots again and again, because the application shows it without taking it (platform §9.3). */
function ignoredAi(changes: Iterable<Change>): Finding[] {
  const refusals: Finding[] = [];
  for (const { address, attributes } of changes) {
    if (!address.startsWith('bot.') || !attributes.some(({ path, after }) => path[0] === 'ai' && after !== undefined))
      continue;
    refusals.push({ severity: 'error', problem: { code: 'bot.ai-not-writable', address }, address });
  }
  return refusals;
}

const sending = 'POST /{channel_type}/{channel_url}/messages';

/** An application may ignore or refuse the time of a reply (platform §6.2). `replyTime` is its behaviour, if that is decided. */
function judgeReplyTimes({ requests }: Plan, replyTime: ReplyTime | undefined): Judgement {
  if (!requests.some(({ method, route }) => `${method} ${route}` === sending)) return { refusals: [] };
  const isKnown = replyTime !== undefined;
  const problem = { code: 'messages.reply-times', ...(isKnown ? { known: replyTime } : {}) } as const;
  return judgementOf([{ severity: isKnown ? 'error' : 'warning', problem }], isKnown);
}
