// Drafts the creation of one object.

import type { JsonObject } from '../../../lib/json.ts';
import { rememberOne } from '../../kinds/definition/attribute-table.ts';
import type { KindChange, KindDefinition } from '../../kinds/definition/kind.ts';
import { type Address, keyOf } from '../../model/address.ts';
import type { AttributeChange } from '../../model/change.ts';
import type { ChildStatus } from '../../model/plan.ts';
import type { ChangeNote } from '../../model/reasons.ts';
import type { Resource } from '../../model/resource.ts';
import { hasError, type ObjectDraft } from '../draft/draft.ts';

/** Information about other objects for one object's draft. `status` is present only for children. */
export interface RelatedObjects
  extends Pick<KindChange, 'hasChildrenToSend' | 'isKnown' | 'parent' | 'mayHaveParent' | 'isRefreshed' | 'policy'> {
  readonly status?: (() => ChildStatus) | undefined;
}

/** The notes that the kind words itself. */
export function notesOfKind(kind: KindDefinition, change: KindChange): ChangeNote[] {
  return (kind.notes?.(change) ?? []).map((text) => ({ code: 'of_kind', text }));
}

export function draftCreation(kind: KindDefinition, resource: Resource, related: RelatedObjects = {}): ObjectDraft {
  const { address, attributes, lifecycle } = resource;
  const closed = attributes[kind.disabledState.attribute];
  const change = kindChange('create', address, {}, attributes, attributesOfCreation(kind, attributes), related);
  const problems = kind.checks(change);
  const steps = hasError(problems)
    ? []
    : kind.steps({ ...change, attributes: withoutDisabledState(kind, change.attributes) });
  const flags = Object.keys(lifecycle).length === 0 ? {} : { lifecycle };
  // Most creations declare neither, and a million copies of steps take seconds.
  const isPlain = closed !== false && Object.keys(lifecycle).length === 0;
  const declaredOpen = closed === false ? { [kind.disabledState.attribute]: false } : {};
  return {
    kind,
    address,
    record: undefined,
    resource,
    attributes: change.attributes,
    steps: isPlain
      ? steps
      : steps.map((step) =>
          step.creates === undefined ? step : { ...step, creates: { ...step.creates, ...declaredOpen }, flags },
        ),
    opens: false,
    closes: closed === true,
    staysClosed: false,
    completesCreation: true,
    problems,
    notes: notesOfKind(kind, change),
    reason: { code: 'not_in_state' },
  };
}

function attributesOfCreation(kind: KindDefinition, after: JsonObject): AttributeChange[] {
  const changes: AttributeChange[] = [];
  for (const name in kind.attributes) {
    const [definition, value] = [kind.attributes[name], after[name]];
    if (value === undefined || definition?.change === 'mode') continue;
    changes.push({ path: [name], after: rememberOne(definition, value), how: 'set' });
  }
  return changes;
}

export function kindChange(
  type: KindChange['type'],
  address: Address,
  before: JsonObject,
  after: JsonObject,
  attributes: readonly AttributeChange[],
  { status: _status, ...related }: RelatedObjects & Pick<KindChange, 'ignored' | 'opens'>,
): KindChange {
  return {
    type,
    address,
    key: keyOf(address),
    before,
    after,
    attributes,
    ...related,
  };
}

function withoutDisabledState(kind: KindDefinition, attributes: readonly AttributeChange[]): AttributeChange[] {
  return attributes.filter(({ path }) => path[0] !== kind.disabledState.attribute);
}
