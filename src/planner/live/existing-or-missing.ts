// Plans objects that are on the platform and not in state, or in state and gone, which a refresh finds before the apply.
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
import { crowds, declaredAttributes, differingFromDeclared, type ObservedState } from './observe.ts';

/** In state and gone: created again as declared, or forgotten when it is not declared (semantics §5.3). */
export function planGone(
  kind: KindDefinition,
  resource: Resource | undefined,
  record: StateRecord,
  related?: RelatedObjects,
): ObjectPlan {
  const drift = [missing(record, resource)];
  if (resource !== undefined) {
    return { ...planCreation(kind, resource, related), record, found: null, drift, reason: 'gone from the platform' };
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
    reason: 'gone from the platform, and removed from the manifest',
    found: null,
    drift,
  };
}

/**
 * A child whose parents are gone from the platform. State forgets it before they are created again: after an interruption
 * in between, the next run must not take it for a child of the new ones.
 */
export function planLost(
  kind: KindDefinition,
  resource: Resource | undefined,
  record: StateRecord,
  parents: readonly Address[],
  related?: RelatedObjects,
): ObjectPlan {
  const { drafts, drift: _replaced, ...plan } = planGone(kind, resource, record, related);
  const forget: PlannedDraft = { action: 'forget', phase: 'revoke', edits: [], deletes: true, between: parents };
  return {
    ...plan,
    drafts: resource === undefined ? [forget] : [forget, ...drafts],
    reason: `gone from the platform with ${parents.join(', ')}`,
    drift: [missing(record, resource, parents)],
  };
}

/** State knows a child and not its parent. A parent that is created would come without it; one that exists may have it. */
export function planUnknown(kind: KindDefinition, resource: Resource, record: StateRecord): ObjectPlan {
  return {
    ...planStanding(kind, record),
    resource,
    problems: [
      {
        severity: 'error',
        code: 'plan.part-in-doubt',
        summary: 'State knows a part of an object, and not the object',
        detail: `${resource.address} was applied, and state does not know the object that it belongs to. Plan with --refresh, which finds out whether that object exists: if not, this is sent again.`,
        path: [],
      },
    ],
  };
}

/**
 * On the platform and not in state: `policy: {existing}` decides (semantics §4.5). An object that is taken over enters
 * state as it is, and is then updated. Otherwise the plan holds a create that will be refused, and says so.
 */
export function planExisting(
  kind: KindDefinition,
  resource: Resource,
  observation: Observation,
  { existing }: Pick<Policy, 'existing'>,
  related?: RelatedObjects,
): ObjectPlan {
  const declared = declaredAttributes(kind, resource);
  const found = recordAsFound(kind, resource, observation);
  const { attributes } = found;
  const others = differingFromDeclared(kind, declared, attributes);
  const refused = (why: string): ObjectPlan => {
    const creation = planCreation(kind, resource, related);
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
  const plan = planUpdate(kind, resource, found, seen, related);
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

/** The only object of its kind, which nobody creates: it is taken into state, and then made as declared. */
export function planAlwaysThere(
  kind: KindDefinition,
  resource: Resource,
  observation: Observation | undefined,
  related?: RelatedObjects,
): ObjectPlan {
  const { address, lifecycle } = resource;
  const attributes = observation?.attributes ?? {};
  const nothing = { address, attributes: {}, ...(Object.keys(lifecycle).length === 0 ? {} : { lifecycle }) };
  const seen: ObservedState = {
    found: attributes,
    was: attributes,
    departed: {},
    leftAlone: new Set(),
    isClosed: false,
    notes: [],
    problems: [],
  };
  const plan = planUpdate(kind, resource, nothing, seen, related);
  return {
    ...plan,
    record: undefined,
    drafts: [{ action: 'adopt', phase: 'revoke', edits: [], adopts: nothing }, ...plan.drafts],
    reason: 'declared, and not in state',
    ...(observation === undefined ? {} : { found: attributes }),
  };
}

/** The record of a live object that is taken over: the declared attributes, with their values on the platform. */
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

/** Keeps the first of many foreseen conflicts: when a whole estate exists already, that is one finding, not a thousand. */
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
