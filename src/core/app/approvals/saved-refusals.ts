// Judges a saved plan again by a policy that its author did not choose.
import type { Plan } from '../../model/plan.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import { acknowledgedAddress } from '../../model/run-metadata.ts';
import { Evidence } from '../../planner/judges/evidence.ts';
import { judge } from '../../planner/judges/judges.ts';
import { provenPlan } from '../../planner/proof.ts';
import { findKind, registry } from '../../resources/index.ts';
import { noteWords } from '../../view/text/notes.ts';
import { planWords } from '../../view/text/plan-problems.ts';
import { refusedBySafety } from '../context/refusals.ts';
import { temporarySpool } from '../context/this-process.ts';
import type { JudgingPolicy } from './declared-approvals.ts';

/**
 * Refused (5) when the policy forbids what is left of a saved plan. Counted are the effects of its steps, which the file cannot choose.
 * The files that declare its objects, and the people who notice something, are those that the file names, so neither restrictions nor
 * `notify` are judged.
 */
export function demandAllowed(
  plan: Plan,
  state: StateSnapshot,
  { policy, planRules }: JudgingPolicy,
  today: string,
): void {
  const { collect } = temporarySpool();
  const evidence = new Evidence(policy, collect);
  const left = new Set<string>();
  for (const { id } of plan.steps) left.add(id);
  for (const record of state.records()) {
    const kind = findKind(record.address);
    if (kind !== undefined) evidence.addRecord(kind, record);
  }
  provenPlan(plan, registry, noteWords, collect, (ordered) => {
    const steps = ordered.steps.filter(({ id }) => left.has(id));
    if (steps.length > 0) evidence.addObject({ ...ordered, steps });
  });
  const acknowledged = state.get(acknowledgedAddress);
  const [first] = plan.changes;
  const { refusals } = judge(
    { plan, problems: [], evidence, unchecked: [] },
    {
      policy,
      words: planWords,
      today,
      ...(acknowledged === undefined ? {} : { acknowledged }),
      isPartial: true,
      isUndo: first?.reason.code === 'undone',
      ...(planRules === undefined ? {} : { rules: planRules }),
    },
  );
  if (refusals.length > 0) throw refusedBySafety(refusals);
}
