// Drafts objects that a refresh finds on the platform but that are not in state.

import { equalJson, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import type { AttributeChange } from '../../model/change.ts';
import type { Observation } from '../../model/live.ts';
import type { Policy } from '../../model/policy.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import type { PlanProblem } from '../../model/statements/problems.ts';
import type { ObjectDraft } from '../draft/draft.ts';
import { asFound } from '../live/observation.ts';
import { crowds, declaredAttributes, differingFromDeclared } from '../live/observed-state.ts';
import { isAdopted } from './adopted.ts';
import { draftCreation, type RelatedObjects } from './creation.ts';
import { draftUpdate } from './update.ts';

/**
 * `policy: {existing}` decides about such an object (semantics §4.5): it is taken into state as it is and then updated, or the
 * plan contains a create that will be refused, with a warning.
 */
export function draftExisting(
  kind: KindDefinition,
  resource: Resource,
  observation: Observation,
  policy: Pick<Policy, 'existing' | 'adopt'>,
  related?: RelatedObjects,
): ObjectDraft {
  const declared = declaredAttributes(kind, resource);
  const liveRecord = recordAsFound(kind, resource, observation);
  const { attributes } = liveRecord;
  const others = differingFromDeclared(kind, declared, attributes);
  const { address } = resource;
  const refused = (problem: PlanProblem): ObjectDraft => {
    const creation = draftCreation(kind, resource, related);
    return {
      ...creation,
      conflicts: true,
      problems: [...creation.problems, { severity: 'warning', problem, path: [] }],
    };
  };
  const isNamed = isAdopted(policy, address);
  const existing = isNamed && policy.existing === 'refuse' ? 'adopt_equal' : policy.existing;
  if (existing === 'refuse') return refused({ code: existsAlready, of: 'refuse', address });
  if (existing === 'adopt_equal' && others.length > 0) {
    const draft = refused({ code: existsAlready, of: isNamed ? 'named' : 'adopt_equal', address, differing: others });
    return isNamed
      ? { ...draft, attributes: draft.attributes.map((attribute) => withLive(attribute, attributes)) }
      : draft;
  }
  const observedState = {
    found: attributes,
    was: attributes,
    isClosed: observation.attributes[kind.disabledState.attribute] === true,
    notes: [],
    problems: crowds(kind, declared, attributes, observation, new Set()),
  };
  const draft = draftUpdate(kind, resource, liveRecord, observedState, related);
  const error = draft.problems.find(({ severity }) => severity === 'error');
  if (error !== undefined) {
    const cause = 'detail' in error ? error : error.problem;
    return refused({ code: existsAlready, of: 'impossible', address, cause });
  }
  return {
    ...draft,
    record: undefined,
    steps: [{ action: 'adopt', phase: 'revoke', edits: [], adopts: liveRecord }, ...draft.steps],
    notes: [...draft.notes, { code: 'taken_into_state' }],
    reason: policy.existing === existing ? { code: 'exists', existing } : { code: 'exists_and_matches_adopt' },
    found: attributes,
    facts: observation.facts,
  };
}

/** The change with the live value before it. */
function withLive(change: AttributeChange, live: JsonObject): AttributeChange {
  let before: JsonValue | undefined = live;
  for (const name of change.path) before = isObject(before) ? before[name] : undefined;
  return before === undefined || equalJson(before, change.after) ? change : { ...change, before };
}

/** Drafts the only object of its kind, which always exists. It is taken into state and then updated. */
export function draftAlwaysThere(
  kind: KindDefinition,
  resource: Resource,
  observation: Observation | undefined,
  related?: RelatedObjects,
): ObjectDraft {
  const { address, lifecycle } = resource;
  const attributes = observation?.attributes ?? {};
  const nothing = { address, attributes: {}, ...(Object.keys(lifecycle).length === 0 ? {} : { lifecycle }) };
  const observedState = {
    found: attributes,
    was: attributes,
    isClosed: false,
    notes: [],
    problems: [],
  };
  const draft = draftUpdate(kind, resource, nothing, observedState, related);
  return {
    ...draft,
    record: undefined,
    steps: [{ action: 'adopt', phase: 'revoke', edits: [], adopts: nothing }, ...draft.steps],
    reason: { code: 'not_in_state' },
    ...(observation === undefined ? {} : { found: attributes }),
  };
}

/** Returns the record of a live object that is taken over: the declared attributes with their live values. */
export function recordAsFound(
  kind: KindDefinition,
  resource: Resource,
  { attributes: liveAttributes, seen }: Pick<Observation, 'attributes' | 'seen'>,
): StateRecord {
  const { address, lifecycle } = resource;
  const attributes = asFound(kind, declaredAttributes(kind, resource), liveAttributes);
  return {
    address,
    attributes,
    ...(seen === undefined ? {} : { seen }),
    ...(Object.keys(lifecycle).length === 0 ? {} : { lifecycle }),
  };
}

const existsAlready = 'plan.exists';
const maxConflicts = 20;

/** Lists the first of many foreseen conflicts and counts the rest, because a whole estate may exist already. */
export function firstConflicts<T extends { readonly code: string }>(
  warnings: readonly T[],
  listed: (more: PlanProblem) => T,
): T[] {
  let conflicts = 0;
  const first = warnings.filter(({ code }) => code !== existsAlready || ++conflicts <= maxConflicts);
  if (conflicts <= maxConflicts) return first;
  return [...first, listed({ code: existsAlready, of: 'more', count: conflicts - maxConflicts })];
}
