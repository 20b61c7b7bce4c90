// A plan with its stages, for people who review it before an apply with --stage.
import { digestOf } from '../../../lib/digest.ts';
import { MappedSeries } from '../../../lib/series.ts';
import type { Plan } from '../../model/plan.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import { type DividedPlan, dividedPlan, readSelections, type Staging } from './stages.ts';

/** Divides a plan as an apply with these --stage would. Refused (64) for texts of another form. */
export function dividing(stages: readonly string[]) {
  const selections = readSelections(stages);
  /** Without a state, as a new apply of a saved plan does. With one, refused (64) for a pattern that matches nothing. */
  return (plan: Plan, state?: StateSnapshot, request = plan.hash, declared?: Staging['declared']): Plan =>
    withStages(plan, dividedPlan(plan, state, { selections, request, declared }));
}

/** The plan as it is shown, with its stages. `gate` is that of the apply; absent: not known yet. */
export function withStages(
  plan: Plan,
  { stages, record, stageOfSteps }: DividedPlan,
  { gate }: Partial<Pick<Staging, 'gate'>> = {},
): Plan {
  const digest = gate && digestOf(gate);
  const hasPassed = (place: number): boolean => digest !== undefined && record.passed[place] === digest;
  const changes = new MappedSeries(plan.changes, (change) => {
    const stage = stageOfSteps(change.address);
    return stage === undefined ? change : { ...change, stage: stage + 1 };
  });
  const stagesWithGates = stages.map((stage, place) =>
    hasPassed(place) ? { ...stage, gate_passed: true as const } : stage,
  );
  return { ...plan, stages: stagesWithGates, changes };
}
