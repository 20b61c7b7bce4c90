// What a judge of a plan is: what it looks at, and what it decides.

import type { ReplyTime } from '../../model/behaviours.ts';
import type { Change } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { CrowdedUser } from '../../model/limits.ts';
import type { Plan } from '../../model/plan.ts';
import type { Policy } from '../../model/policy.ts';
import type { StateEntry, StateRecord } from '../../model/record.ts';
import type { PlanWords } from '../../model/statements/problems.ts';
import type { Finding } from '../draft/finding.ts';
import type { Evidence } from './evidence.ts';
import type { ShrinkInput } from './shrink-guard.ts';

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
  readonly acknowledged?: StateRecord | undefined;
  /** Whether a person confirmed emptying the application by its name, so that nothing has to be acknowledged. */
  readonly isConfirmed?: boolean;
  /** Whether the plan undoes a run, so that nothing was removed from the manifests. */
  readonly isUndo?: boolean;
  /** Whether the plan is of selected objects, so that an acknowledgement may be for others. */
  readonly isPartial?: boolean;
  /** The current load and the last one. Absent if the plan does not depend on whether all files are there. */
  readonly loads?: Omit<ShrinkInput, 'policy' | 'today'> | undefined;
  /** `policy.restrictions`, compiled. */
  readonly restrictions?: { refusals(changes: Iterable<Change>): Iterable<Diagnostic> } | undefined;
  /** Users in many group channels, and whether the application is known to refuse too many. */
  readonly crowded?: { readonly users: readonly CrowdedUser[]; readonly isRefused: boolean } | undefined;
  /** Whether the application is known to show ai of bots without taking it. */
  readonly ignoresAi?: boolean;
  /** Whether the application has data requests, if that is known. */
  readonly hasDataRequests?: boolean | undefined;
  /** What the application does with the times of replies, if that is known. */
  readonly replyTime?: ReplyTime | undefined;
  /** `policy.rules`, compiled. */
  readonly rules?:
    | { judge(plan: Plan, today: string): Record<'refusals' | 'remarks', readonly Diagnostic[]> }
    | undefined;
}

/** The compiled restrictions and rules of a policy have words of their own. */
export type JudgedProblem = Finding | Diagnostic;

export interface Judgement {
  /** A plan with a refusal is shown but never applied. */
  readonly refusals: readonly JudgedProblem[];
  readonly notes?: readonly Finding[];
  /** Warnings, shown after all notes. */
  readonly remarks?: readonly JudgedProblem[];
  /** Entries to write to state before the first step. */
  readonly entries?: readonly StateEntry[];
}

export interface Judge {
  readonly name: string;
  /** Whether there is anything to judge. Absent: always. */
  applies?(input: JudgeInput, unjudged: Pick<UnjudgedPlan, 'evidence'>): boolean;
  judge(input: JudgeInput, unjudged: Pick<UnjudgedPlan, 'plan' | 'evidence'>): Judgement;
}
