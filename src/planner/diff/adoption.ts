// Drafts objects that a refresh finds on the platform but that are not in state.

import type { BlockProblem, KindDefinition } from '../../kinds/definition/kind.ts';
import { shellWord } from '../../lib/tools/shell-word.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Observation } from '../../model/live.ts';
import type { Policy } from '../../model/policy.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import { hasError, type ObjectDraft } from '../draft/draft.ts';
import { asFound } from '../live/observation.ts';
import { crowds, declaredAttributes, differingFromDeclared } from '../live/observed-state.ts';
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
  { existing }: Pick<Policy, 'existing'>,
  related?: RelatedObjects,
): ObjectDraft {
  const declared = declaredAttributes(kind, resource);
  const found = recordAsFound(kind, resource, observation);
  const { attributes } = found;
  const others = differingFromDeclared(kind, declared, attributes);
  const refused = (why: string): ObjectDraft => {
    const creation = draftCreation(kind, resource, related);
    return { ...creation, problems: [...creation.problems, conflict(resource, why)] };
  };
  if (existing === 'refuse') {
    return refused(
      `The policy is existing: refuse. Choose another key, take the object into state as it is with chatform adopt ${shellWord(resource.address)}, or let the apply take it over with policy: {existing: adopt_equal}, or {existing: adopt} if it differs from the declaration.`,
    );
  }
  if (existing === 'adopt_equal' && others.length > 0) {
    return refused(
      `It differs from the declaration in ${others.join(', ')}, and the policy is existing: adopt_equal. Change the declaration or the object, take it into state as it is with chatform adopt ${shellWord(resource.address)}, or let the apply take it over with policy: {existing: adopt}.`,
    );
  }
  const seen = {
    found: attributes,
    was: attributes,
    isClosed: observation.attributes[kind.disabledState.attribute] === true,
    notes: [],
    problems: crowds(kind, declared, attributes, observation, new Set()),
  };
  const draft = draftUpdate(kind, resource, found, seen, related);
  const error = draft.problems.find(({ severity }) => severity === 'error');
  if (hasError(draft.problems)) return refused(`It cannot be made as declared: ${error?.detail ?? ''}`);
  return {
    ...draft,
    record: undefined,
    steps: [{ action: 'adopt', phase: 'revoke', edits: [], adopts: found }, ...draft.steps],
    notes: [...draft.notes, 'exists already and is taken into state as it is'],
    reason: { code: 'exists', existing },
    found: attributes,
    facts: observation.facts,
  };
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
  const seen = {
    found: attributes,
    was: attributes,
    isClosed: false,
    notes: [],
    problems: [],
  };
  const draft = draftUpdate(kind, resource, nothing, seen, related);
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
  observation: Pick<Observation, 'attributes'>,
): StateRecord {
  const { address, lifecycle } = resource;
  const attributes = asFound(kind, declaredAttributes(kind, resource), observation.attributes);
  return { address, attributes, ...(Object.keys(lifecycle).length === 0 ? {} : { lifecycle }) };
}

const existsAlready = 'plan.exists';
const maxConflicts = 20;

/** Lists the first of many foreseen conflicts and counts the rest, because a whole estate may exist already. */
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
      detail: `${conflicts - maxConflicts} more objects are on the platform but not in state. If state was lost or this is the wrong one, give the right one with --state first.`,
    },
  ];
}

const summary = 'The object already exists but is not in state';

function conflict({ address }: Resource, why: string): BlockProblem {
  return {
    severity: 'warning',
    code: existsAlready,
    summary,
    detail: `${address} is on the platform but not in state, so its creation will be refused. ${why}`,
    path: [],
  };
}
