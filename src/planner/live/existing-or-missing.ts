// What becomes of an object that is there and not ours, or ours and not there? Only a refresh knows before the apply.
import type { Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Observation } from '../../model/live.ts';
import type { Policy } from '../../model/policy.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import type { KindDefinition, Problem } from '../../resources/define.ts';
import { planCreation, planUpdate, type RelatedObjects } from '../diff/declared-plan.ts';
import { hasError, type ObjectPlan, type PlannedDraft } from '../diff/draft.ts';
import { planStanding } from '../diff/retirement.ts';
import { missing } from './drift.ts';
import { asFound } from './live-view.ts';
import { crowds, declaredAttributes, differing, type ObservedState } from './observe.ts';

/** Ours and gone: created again with what is declared, or forgotten where nothing is (semantics §5.3). */
export function planGone(
  kind: KindDefinition,
  resource: Resource | undefined,
  record: StateRecord,
  kin?: RelatedObjects,
): ObjectPlan {
  const drift = [missing(record, resource)];
  if (resource !== undefined) {
    return { ...planCreation(kind, resource, kin), record, found: null, drift, reason: 'gone from the platform' };
  }
  return {
    kind,
    address: record.address,
    record,
    resource,
    attributes: [],
    drafts: [{ action: 'forget', phase: 'record', edits: [], deletes: true }],
    opens: false,
    closes: false,
    staysClosed: false,
    completesCreation: false,
    problems: [],
    notes: [],
    reason: 'gone from the platform, and declared no more',
    found: null,
    drift,
  };
}

/**
 * A part whose objects are gone from the platform. State forgets it before they are made again: a run that is cut off in
 * between must not take it for a part of the new ones.
 */
export function planLost(
  kind: KindDefinition,
  resource: Resource | undefined,
  record: StateRecord,
  holders: readonly Address[],
  kin?: RelatedObjects,
): ObjectPlan {
  const { drafts, drift: _ofObjects, ...plan } = planGone(kind, resource, record, kin);
  const forget: PlannedDraft = { action: 'forget', phase: 'revoke', edits: [], deletes: true, between: holders };
  return {
    ...plan,
    drafts: resource === undefined ? [forget] : [forget, ...drafts],
    reason: `gone from the platform with ${holders.join(', ')}`,
    drift: [missing(record, resource, holders)],
  };
}

/** State knows a part, and not the object: made by us, the object would come without it; found there, it may have it. */
export function planUnknown(kind: KindDefinition, resource: Resource, record: StateRecord): ObjectPlan {
  return {
    ...planStanding(kind, record),
    resource,
    problems: [
      {
        severity: 'error',
        code: 'plan.part-in-doubt',
        summary: 'State knows a part of an object, and not the object',
        detail: `${resource.address} was applied, and state does not know the object that it belongs to. Plan with --refresh, which finds out whether that is there: if not, this is sent again.`,
        path: [],
      },
    ],
  };
}

/**
 * There and not ours: what `policy: {existing}` makes of it (semantics §4.5). What is taken over becomes ours as it is,
 * and is then updated; what cannot be taken over is a create that will be refused, and the plan says so.
 */
export function planExisting(
  kind: KindDefinition,
  resource: Resource,
  observation: Observation,
  { existing }: Pick<Policy, 'existing'>,
  kin?: RelatedObjects,
): ObjectPlan {
  const declared = declaredAttributes(kind, resource);
  const found = recordAsFound(kind, resource, observation);
  const { attributes } = found;
  const others = differing(kind, declared, attributes);
  const refused = (why: string): ObjectPlan => {
    const creation = planCreation(kind, resource, kin);
    return { ...creation, problems: [...creation.problems, conflict(resource, why)] };
  };
  if (existing === 'refuse') {
    return refused(
      'The policy is existing: refuse. Choose another key; or take the object over with policy: {existing: adopt_equal}, or adopt where it differs.',
    );
  }
  if (existing === 'adopt_equal' && others.length > 0) {
    return refused(
      `It differs from what is declared in ${others.join(', ')}, and the policy is existing: adopt_equal. Change the declaration or the object; or take it over with policy: {existing: adopt}.`,
    );
  }
  const seen: ObservedState = {
    found: attributes,
    was: attributes,
    departed: {},
    leftAlone: new Set(),
    isClosed: observation.attributes[kind.disabledState.attribute] === true,
    notes: [],
    problems: crowds(kind, declared, attributes, observation, new Set()),
  };
  const plan = planUpdate(kind, resource, found, seen, kin);
  const error = plan.problems.find(({ severity }) => severity === 'error');
  if (hasError(plan.problems)) return refused(`It cannot be made as declared: ${error?.detail ?? ''}`);
  return {
    ...plan,
    record: undefined,
    drafts: [{ action: 'adopt', phase: 'revoke', edits: [], adopts: found }, ...plan.drafts],
    notes: [...plan.notes, 'exists already, and is taken into state as it is'],
    reason: `exists already (policy: {existing: ${existing}})`,
    found: attributes,
    facts: observation.facts,
  };
}

/** What state keeps of a live object that is taken over: of what is declared, as it is. */
export function recordAsFound(
  kind: KindDefinition,
  resource: Resource,
  observation: Pick<Observation, 'attributes'>,
): StateRecord {
  const { address, lifecycle } = resource;
  const attributes = asFound(kind, declaredAttributes(kind, resource), observation.attributes);
  return { address, attributes, ...(Object.keys(lifecycle).length === 0 ? {} : { lifecycle }) };
}

const existsAlready = 'plan.exists';
const maxConflicts = 20;

/** The first of many foreseen conflicts: that all of an estate is there already is one thing, not a thousand. */
export function firstConflicts(warnings: readonly Diagnostic[]): Diagnostic[] {
  let conflicts = 0;
  const first = warnings.filter(({ code }) => code !== existsAlready || ++conflicts <= maxConflicts);
  if (conflicts <= maxConflicts) return first;
  return [
    ...first,
    {
      severity: 'warning',
      code: existsAlready,
      summary,
      detail: `${conflicts - maxConflicts} more objects are on the platform, and not in state. When state was lost, or is another one, take the right one with --state before anything else.`,
    },
  ];
}

const summary = 'The object exists already and is not in state';

function conflict({ address }: Resource, why: string): Problem {
  return {
    severity: 'warning',
    code: existsAlready,
    summary,
    detail: `${address} is on the platform, and chatform did not make it: its creation will be refused. ${why}`,
    path: [],
  };
}
