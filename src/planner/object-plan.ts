// What has to happen to one object? Pairs what is declared with what state remembers, and drafts the steps.
//
//   declared   in state            becomes
//   yes        no                  creation
//   yes        yes                 update, if anything differs
//   yes        retired             update that opens it again
//   no         yes                 retirement: closed, deleted or forgotten, by its on_remove
//   no         retired             nothing, unless `removed` says more, or it was left open
//
// Opening and closing are the planner's, because whether an open object must be opened early, late or for a while
// depends on what all the other objects need (order.ts).
import { type Address, keyOf } from '../model/address.ts';
import type { AttributeChange } from '../model/change.ts';
import type { JsonObject } from '../model/json.ts';
import type { Policy } from '../model/policy.ts';
import type { StateRecord } from '../model/record.ts';
import type { RemovedEntry, Resource } from '../model/resource.ts';
import type { KindChange, KindDefinition } from '../resources/define.ts';
import { closedAttributeChange } from './closing.ts';
import { attributesOfCreation, diffAttributes } from './diff.ts';
import { hasError, type ObjectPlan } from './draft.ts';
import { planRetirement } from './retirement.ts';
import { callable, lifecycleMark, stateOnlyStep } from './state-only.ts';

export function planObject(
  kind: KindDefinition,
  resource: Resource | undefined,
  record: StateRecord | undefined,
  removed: RemovedEntry | undefined,
  policy: Policy,
): ObjectPlan | undefined {
  if (resource !== undefined) {
    return record === undefined ? planCreation(kind, resource) : planUpdate(kind, resource, record);
  }
  return record === undefined ? undefined : planRetirement(kind, record, removed, policy);
}

function planCreation(kind: KindDefinition, resource: Resource): ObjectPlan {
  const { address, attributes, lifecycle } = resource;
  const closed = attributes[kind.closable.attribute];
  const change = kindChange('create', address, {}, attributes, attributesOfCreation(kind, attributes));
  const problems = kind.checks(change);
  const drafts = hasError(problems)
    ? []
    : kind.steps({ ...change, attributes: withoutClosed(kind, change.attributes) });
  const declaredOpen = closed === false ? { [kind.closable.attribute]: false } : {};
  return {
    kind,
    address,
    record: undefined,
    resource,
    attributes: change.attributes,
    drafts: drafts.map((draft) =>
      draft.creates === undefined
        ? draft
        : { ...draft, creates: { ...draft.creates, ...declaredOpen }, marks: lifecycleMark(undefined, lifecycle) },
    ),
    opens: false,
    closes: closed === true,
    staysClosed: false,
    completesCreation: true,
    problems,
    notes: [],
    reason: 'declared, and not in state',
  };
}

/** Of an object that state knows. */
export function planUpdate(kind: KindDefinition, resource: Resource, record: StateRecord): ObjectPlan {
  const { address } = resource;
  const { attribute } = kind.closable;
  const ignored = record.creating === true ? [] : (resource.lifecycle.ignore_changes ?? []);
  const difference = diffAttributes(kind, record.attributes, resource.attributes, ignored);
  const change = kindChange('update', address, record.attributes, resource.attributes, difference.attributes);
  const problems = [...difference.problems, ...kind.checks(change)];
  const leftOpen = record.bracket === true;
  const wasClosed = leftOpen || record.attributes[attribute] === true;
  // That it is closed was its retirement, not a change to be ignored.
  const keepsEnd = ignored.includes(attribute) && record.retired !== true;
  const wanted = keepsEnd ? record.attributes[attribute] : resource.attributes[attribute];
  const opens = wasClosed && wanted !== true;
  const closes = !wasClosed && wanted === true;
  const own = hasError(problems) ? [] : kind.steps({ ...change, attributes: callable(kind, difference.attributes) });
  const closedChange = closedAttributeChange(attribute, record.attributes[attribute], wanted, opens);
  const attributes = closedChange === undefined ? difference.attributes : [...difference.attributes, closedChange];
  const settled = hasError(problems)
    ? undefined
    : stateOnlyStep(kind, record, resource, own, attributes, opens || closes || leftOpen);
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
    staysClosed: wasClosed && !opens,
    completesCreation: record.creating === true,
    problems,
    notes: [
      ...difference.notes,
      ...(record.retired === true ? ['was retired; memberships may have changed meanwhile'] : []),
    ],
    reason: reasonOfUpdate(record, difference.attributes, closedChange !== undefined),
  };
}

function kindChange(
  type: KindChange['type'],
  address: Address,
  before: JsonObject,
  after: JsonObject,
  attributes: readonly AttributeChange[],
): KindChange {
  return { type, address, key: keyOf(address), before, after, attributes };
}

function withoutClosed(kind: KindDefinition, attributes: readonly AttributeChange[]): AttributeChange[] {
  return attributes.filter(({ path }) => path[0] !== kind.closable.attribute);
}

function reasonOfUpdate(record: StateRecord, attributes: readonly AttributeChange[], closedChanged: boolean): string {
  if (record.retired === true) return 'declared again after its retirement';
  if (record.creating === true) return 'its creation was interrupted';
  if (record.bracket === true) return 'was opened for work and not closed again';
  const names = [...new Set(attributes.map(({ path }) => path[0] ?? ''))];
  if (names.length > 0) return `${names.join(', ')} edited since the last apply`;
  return closedChanged ? 'its end state was edited since the last apply' : 'its lifecycle was edited';
}
