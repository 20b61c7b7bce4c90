// The judges of a plan: every rule that may refuse to apply it, in the order in which the refusals are shown (semantics §4).
//
// A plan is judged once, when it is final, between planning and showing. A judge is a pure function from the plan and what it
// was made from to a verdict. To add a judge, add it to the list.

import type { Change } from '../../model/change.ts';
import { adjusted, type Diagnostic } from '../../model/diagnostic.ts';
import type { CrowdedUser } from '../../model/limits.ts';
import { notifyEffect } from '../../model/people/notices.ts';
import type { Plan } from '../../model/plan.ts';
import type { Policy } from '../../model/policy.ts';
import type { StateEntry, StateRecord } from '../../model/record.ts';
import type { PlanWords } from '../../model/statements/problems.ts';
import { diagnosticOf, type Finding } from '../draft/finding.ts';
import { Acknowledgements } from './acknowledgements.ts';
import { overBudget } from './budgets.ts';
import { overChannelLimit } from './channel-limit.ts';
import type { Evidence } from './evidence.ts';
import { ignoredAi } from './ignored-ai.ts';
import { overNotifyLimit } from './notify-limit.ts';
import { refuseShrunkInput, type ShrinkInput } from './shrink-guard.ts';

/** A plan that no judge has seen. */
export interface UnjudgedPlan {
  readonly plan: Plan;
  /** Edits that the platform cannot make. Nothing may be applied (exit code 65). */
  readonly problems: readonly Diagnostic[];
  readonly evidence: Evidence;
  /** Notes on what the plan did not check, which follow the notes of the judges. */
  readonly unchecked: readonly Diagnostic[];
}

/** A plan and the reasons against applying it. */
export interface JudgedPlan extends Pick<UnjudgedPlan, 'plan' | 'problems'> {
  /** Refusals by judges. The plan may be shown but not applied (exit code 5). */
  readonly refusals: readonly Diagnostic[];
}

/** What judges look at beside the plan. */
export interface JudgeInput {
  readonly words: PlanWords;
  readonly policy: Policy;
  /** The date in UTC by which acknowledgements expire, such as `2026-12-01`. */
  readonly today: string;
  /** The state record of acknowledgements in use (semantics §4.2). */
  readonly acknowledged?: StateRecord;
  /** Whether a person confirmed emptying the application by its name, so that nothing has to be acknowledged. */
  readonly isConfirmed?: boolean;
  /** Whether the plan undoes a run, so that nothing was removed from the manifests. */
  readonly isUndo?: boolean;
  /** Whether the plan is of selected objects, so that an acknowledgement may be for others. */
  readonly isPartial?: boolean;
  /** The current load and the last one. Absent if the plan does not depend on whether all files are there. */
  readonly loads?: Omit<ShrinkInput, 'policy' | 'today'>;
  /** `policy.restrictions`, compiled. */
  readonly restrictions?: { refusals(changes: Iterable<Change>): Iterable<Diagnostic> };
  /** Users in many group channels, and whether the application is known to refuse too many. */
  readonly crowded?: { readonly users: readonly CrowdedUser[]; readonly isRefused: boolean };
  /** Whether the application is known to show ai of bots without taking it. */
  readonly ignoresAi?: boolean;
  /** `policy.rules`, compiled. */
  readonly rules?: {
    judge(
      plan: Plan,
      today: string,
    ): { readonly refusals: readonly Diagnostic[]; readonly remarks: readonly Diagnostic[] };
  };
}

/** The compiled restrictions and rules of a policy have words of their own. */
type JudgedProblem = Finding | Diagnostic;

interface Judgement {
  /** A plan with a refusal is shown but never applied. */
  readonly refusals: readonly JudgedProblem[];
  readonly notes?: readonly Finding[];
  /** Warnings, shown after all notes. */
  readonly remarks?: readonly JudgedProblem[];
  /** Entries to write to state before the first step. */
  readonly entries?: readonly StateEntry[];
}

type AskedFor = NonNullable<Diagnostic['acknowledge']>;

export interface Judge {
  readonly name: string;
  /** Whether there is anything to judge. Absent: always. */
  applies?(input: JudgeInput, unjudged: Pick<UnjudgedPlan, 'evidence'>): boolean;
  judge(input: JudgeInput, unjudged: Pick<UnjudgedPlan, 'plan' | 'evidence'>): Judgement;
}

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
    judge: ({ crowded }, { plan }) => {
      const found = crowded === undefined ? [] : overChannelLimit(plan, crowded.users, crowded.isRefused);
      return crowded?.isRefused === true ? { refusals: found } : { refusals: [], remarks: found };
    },
  },
  {
    // Compares each change with what the application is known to ignore.
    name: 'ignored ai',
    applies: ({ ignoresAi = false }) => ignoresAi,
    judge: (_input, { plan }) => ({ refusals: ignoredAi(plan.changes) }),
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
  const inWords = (found: JudgedProblem) => ('detail' in found ? found : diagnosticOf(found, input.words));
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
  const shown = adjusted([...plan.warnings, ...notes, ...unchecked, ...remarks], input.policy.diagnostics);
  const [raised, warnings] = [shown.filter(isError), shown.filter((diagnostic) => !isError(diagnostic))];
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
  const { refreshed, drift, live, bookkeeping = [], ...rest } = plan;
  return {
    ...rest,
    bookkeeping: [...entries, ...bookkeeping],
    ...(refreshed === undefined ? {} : { refreshed }),
    ...(drift === undefined ? {} : { drift }),
    ...(live === undefined ? {} : { live }),
  };
}

function judgeBudgets(
  { policy, today, acknowledged, isConfirmed = false, isUndo = false, isPartial = false }: JudgeInput,
  { plan, evidence }: Pick<UnjudgedPlan, 'plan' | 'evidence'>,
): Judgement {
  const { notified } = evidence;
  const acknowledgements = new Acknowledgements(policy, acknowledged, today);
  const { effects } = evidence;
  const refusals = isConfirmed
    ? []
    : [
        ...overBudget(effects, policy, acknowledgements, isUndo),
        ...overNotifyLimit(plan.notices, notified, policy, acknowledgements),
      ];
  const { counts } = effects;
  const entry = acknowledgements.entry();
  return {
    refusals,
    notes: isPartial
      ? []
      : acknowledgements.spent((effect) => counts.has(effect) || (effect === notifyEffect && notified.length > 0)),
    entries: entry === undefined ? [] : [entry],
  };
}
