// Judges a saved plan again by a policy that its author did not choose.
import type { Collect, Series } from '../../../lib/series.ts';
import { PolicyRestrictions } from '../../manifest/checks/restrictions.ts';
import { objectSeries } from '../../model/addressed-series.ts';
import type { Plan } from '../../model/plan.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { Resource } from '../../model/resource.ts';
import { acknowledgedAddress } from '../../model/run-metadata.ts';
import { ObjectRelations } from '../../planner/diff/related-objects.ts';
import { Evidence } from '../../planner/judges/evidence.ts';
import { judge } from '../../planner/judges/judges.ts';
import { PlanPeople } from '../../planner/people.ts';
import { provenPlan } from '../../planner/proof.ts';
import { findKind, registry } from '../../resources/index.ts';
import { noteWords } from '../../view/text/notes.ts';
import { planWords } from '../../view/text/plan-problems.ts';
import type { Application } from '../context/application.ts';
import { refusedBySafety } from '../context/refusals.ts';
import { temporarySpool } from '../context/this-process.ts';
import type { DeclaredRules } from './judging-policy.ts';

/**
 * Refused (5) when the policy forbids what is left of a saved plan. Counted are the effects of its steps and the people who notice them,
 * which the file cannot choose. The files that declare its objects are those that the file names.
 */
export function demandAllowed(
  plan: Plan,
  state: StateSnapshot,
  { policy, planRules }: Pick<DeclaredRules, 'policy' | 'planRules'>,
  { decided }: Pick<Application, 'decided'>,
  now: string,
): void {
  const { collect } = temporarySpool();
  const evidence = new Evidence(policy, collect);
  const left = new Set<string>();
  for (const { id } of plan.steps) left.add(id);
  for (const record of state.records()) {
    const kind = findKind(record.address);
    if (kind !== undefined) evidence.addRecord(kind, record);
  }
  const unhides = decided?.get('migrationUnhides');
  const people = new PlanPeople({
    kinds: registry,
    isOfDrift: false,
    hasExternalUsers: (policy.external.users ?? []).length > 0,
    nowMs: Date.parse(now),
    related: () =>
      new ObjectRelations({
        kinds: registry,
        resources: resourcesOf(plan, collect),
        records: objectSeries(state.records()),
        removed: [],
        policy,
      }),
    migrationUnhides: typeof unhides === 'boolean' ? unhides : undefined,
    notified: (id) => evidence.addNotified(id),
  });
  provenPlan(plan, registry, noteWords, collect, (ordered) => {
    const steps = ordered.steps.filter(({ id }) => left.has(id));
    if (steps.length === 0) return;
    evidence.addObject({ ...ordered, steps });
    if (policy.notify !== undefined) people.add({ ...ordered, steps });
  });
  const { restrictions = [] } = policy;
  const isUndo = undoes(plan);
  const { refusals } = judge(
    { plan, problems: [], evidence, unchecked: [] },
    {
      policy,
      words: planWords,
      today: now.slice(0, 10),
      acknowledged: state.get(acknowledgedAddress),
      isPartial: true,
      isUndo,
      ignoresAi: decided?.get('botAi') === 'readable',
      // What an undo restores is in no manifest.
      restrictions: restrictions.length === 0 || isUndo ? undefined : new PolicyRestrictions(restrictions, registry),
      rules: planRules,
    },
  );
  if (refusals.length > 0) throw refusedBySafety(refusals);
}

function undoes({ changes }: Plan): boolean {
  for (const { reason } of changes) if (reason.code !== 'undone') return false;
  return changes.length > 0;
}

/** The declared objects that the plan changes. */
function resourcesOf({ origins = [] }: Plan, collect: Collect): Series<Resource> {
  const resources = collect<Resource>();
  for (const { resource } of origins) if (resource !== undefined) resources.push(resource);
  return resources.end();
}
