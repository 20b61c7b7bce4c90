// Plans the calls that make one object as it is declared: the creation of a new one, or the update of a known one.

import { equalJson, type JsonObject } from '../../lib/json.ts';
import { type Address, keyOf } from '../../model/address.ts';
import type { AttributeChange } from '../../model/change.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import type { KindChange, KindDefinition } from '../../resources/define.ts';
import { declaredAttributes, differing, ignoredOf, type ObservedState } from '../live/observe.ts';
import { sureAttributes } from './deleted-people.ts';
import { attributesOfCreation, diffAttributes } from './diff.ts';
import { disabledAttributeChange } from './disabled-state.ts';
import { hasError, type ObjectPlan } from './draft.ts';
import { callable, lifecycleFlag, stateOnlyStep } from './state-only.ts';

/**
 * What became of a child that state knows: it is `lost` with its parents, `leaving` with parents that this plan deletes,
 * or `unknown` until somebody looks at the platform.
 */
export type ChildStatus =
  | { readonly type: 'kept' }
  | { readonly type: 'lost' | 'unknown' | 'leaving'; readonly with: readonly Address[] };

/** What one object's plan has to know about others: `status` is for the planner, and present only for children. */
export interface RelatedObjects extends Pick<KindChange, 'hasChildrenToSend' | 'isKnown' | 'parent' | 'policy'> {
  status?(): ChildStatus;
}

export function planCreation(kind: KindDefinition, resource: Resource, related: RelatedObjects = {}): ObjectPlan {
  const { address, attributes, lifecycle } = resource;
  const closed = attributes[kind.disabledState.attribute];
  const change = kindChange('create', address, {}, attributes, attributesOfCreation(kind, attributes), related);
  const problems = kind.checks(change);
  const drafts = hasError(problems)
    ? []
    : kind.steps({ ...change, attributes: withoutDisabledState(kind, change.attributes) });
  const declaredOpen = closed === false ? { [kind.disabledState.attribute]: false } : {};
  return {
    kind,
    address,
    record: undefined,
    resource,
    attributes: change.attributes,
    drafts: drafts.map((draft) =>
      draft.creates === undefined
        ? draft
        : { ...draft, creates: { ...draft.creates, ...declaredOpen }, flags: lifecycleFlag(undefined, lifecycle) },
    ),
    opens: false,
    closes: closed === true,
    staysClosed: false,
    completesCreation: true,
    problems,
    notes: kind.notes?.(change) ?? [],
    reason: 'declared, and not in state',
  };
}

/** The object is in state; `seen` is present when a refresh found it to differ. */
export function planUpdate(
  kind: KindDefinition,
  resource: Resource,
  record: StateRecord,
  seen?: ObservedState,
  related: RelatedObjects = {},
): ObjectPlan {
  const { address } = resource;
  const { attribute } = kind.disabledState;
  const ignored = ignoredOf(kind, record, resource);
  const was = seen?.was ?? sureAttributes(kind, record, resource);
  const difference = diffAttributes(kind, was, resource.attributes, ignored);
  const before = seen === undefined ? was : { ...was, ...fixedIn(kind, seen.found) };
  const change = kindChange('update', address, before, resource.attributes, difference.attributes, related);
  const problems = [...difference.problems, ...kind.checks(change), ...(seen?.problems ?? [])];
  const leftOpen = record.bracket === true;
  const isClosed = leftOpen || (seen?.isClosed ?? record.attributes[attribute] === true);
  const isIgnored = ignored.includes(attribute);
  const wanted = isIgnored ? was[attribute] : resource.attributes[attribute];
  const returns = record.retired === true;
  // When the manifest never declared the disabled state, others decide about it.
  const isOurs = returns || wanted !== undefined || record.attributes[attribute] !== undefined;
  const opens = isClosed && isOurs && !isIgnored && wanted !== true;
  const closes = !isClosed && !isIgnored && wanted === true;
  const own = hasError(problems) ? [] : kind.steps({ ...change, attributes: callable(kind, difference.attributes) });
  const closedChange = disabledAttributeChange(attribute, was[attribute], wanted, { opens, returns });
  const attributes = closedChange === undefined ? difference.attributes : [...difference.attributes, closedChange];
  const settled = hasError(problems)
    ? undefined
    : stateOnlyStep(kind, record, was, resource, own, attributes, opens || closes || leftOpen);
  return {
    kind,
    address,
    record,
    resource,
    attributes,
    drafts: settled === undefined ? own : [...own, settled],
    opens,
    closes,
    leftOpen: leftOpen && !opens,
    staysClosed: isClosed && !opens,
    ...(isOurs ? {} : { isClosedByOthers: true }),
    completesCreation: record.creating === true,
    problems,
    notes: [...difference.notes, ...(seen?.notes ?? []), ...(kind.notes?.(change) ?? [])],
    reason: reasonOfUpdate(kind, record, resource, attributes, settled !== undefined),
  };
}

/** The found values of attributes that no call can change; they count even where state remembers others. */
function fixedIn(kind: KindDefinition, found: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(found).filter(([name]) => kind.attributes[name]?.change === 'create_only'));
}

function kindChange(
  type: KindChange['type'],
  address: Address,
  before: JsonObject,
  after: JsonObject,
  attributes: readonly AttributeChange[],
  { hasChildrenToSend, isKnown, parent, policy }: RelatedObjects,
): KindChange {
  return {
    type,
    address,
    key: keyOf(address),
    before,
    after,
    attributes,
    ...(hasChildrenToSend === undefined ? {} : { hasChildrenToSend }),
    ...(isKnown === undefined ? {} : { isKnown }),
    ...(parent === undefined ? {} : { parent }),
    ...(policy === undefined ? {} : { policy }),
  };
}

function withoutDisabledState(kind: KindDefinition, attributes: readonly AttributeChange[]): AttributeChange[] {
  return attributes.filter(({ path }) => path[0] !== kind.disabledState.attribute);
}

function reasonOfUpdate(
  kind: KindDefinition,
  record: StateRecord,
  resource: Resource,
  attributes: readonly AttributeChange[],
  takesOver: boolean,
): string {
  if (record.retired === true) return 'declared again after its retirement';
  if (record.creating === true) return 'its creation was interrupted';
  if (record.bracket === true) return 'was opened for work and not closed again';
  const edited = differing(kind, record.attributes, declaredAttributes(kind, resource));
  const names = [...new Set(attributes.map(({ path }) => path[0] ?? ''))];
  const own = names.filter((name) => edited.includes(name));
  const others = names.filter((name) => !edited.includes(name));
  const [only] = own;
  if (names.length === 1 && only === kind.disabledState.attribute) return `${only} was edited since the last apply`;
  const reasons = [
    ...(own.length > 0 ? [`${own.join(', ')} edited since the last apply`] : []),
    ...(others.length > 0 ? [`${others.join(', ')} changed on the platform since the last apply`] : []),
  ];
  if (reasons.length > 0) return reasons.join('; ');
  if (!equalJson({ ...record.lifecycle }, { ...resource.lifecycle })) return 'its lifecycle was edited';
  return takesOver ? 'state takes over what was found on the platform' : 'other work of this plan needs it open';
}
