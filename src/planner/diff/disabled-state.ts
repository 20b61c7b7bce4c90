// How is an object opened and closed? The same for every kind: users are deactivated, channels frozen.

import type { JsonValue } from '../../lib/json.ts';
import { keyOf } from '../../model/address.ts';
import type { AttributeChange } from '../../model/change.ts';
import type { RecordFlags } from '../../model/record.ts';
import type { Phase } from '../../model/step.ts';
import type { DisablePolicy } from '../../resources/define.ts';
import type { ObjectPlan, PlannedDraft } from './draft.ts';

export function enableDraft(plan: ObjectPlan, phase: Phase, marks: RecordFlags): PlannedDraft {
  const { attribute, enable, request } = plan.kind.disabledState;
  const isDeclared = plan.resource?.attributes[attribute] !== undefined;
  return {
    action: enable,
    phase,
    request: request(keyOf(plan.address), false, { leaveChannels: false }),
    edits:
      isDeclared || (marks.bracket === true && plan.isClosedByOthers !== true)
        ? [{ op: 'set', path: [attribute], value: false }]
        : [{ op: 'unset', path: [attribute] }],
    marks,
  };
}

export function disableDraft(plan: ObjectPlan, marks: RecordFlags, policy: DisablePolicy): PlannedDraft {
  const { attribute, disable, disablePhase, request } = plan.kind.disabledState;
  return {
    action: disable,
    phase: disablePhase,
    request: request(keyOf(plan.address), true, policy),
    // What others closed is closed again, and stays theirs.
    edits: plan.isClosedByOthers === true && !plan.closes ? [] : [{ op: 'set', path: [attribute], value: true }],
    marks,
  };
}

/**
 * The closing attribute's part of a change; undefined when it stays as it is. `opens`: a call does, since the line was
 * removed; or, for an object that `returns`, since it is declared again: its retirement closed it, and no line did.
 */
export function disabledAttributeChange(
  attribute: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  { opens, returns }: { readonly opens: boolean; readonly returns: boolean },
): AttributeChange | undefined {
  if (before === after) return undefined;
  const path = [attribute];
  const left = before === undefined ? {} : { before };
  if (after !== undefined) return { path, ...left, after, how: 'set' };
  return opens ? { path, ...left, after: false, how: returns ? 'set' : 'reset' } : { path, ...left, how: 'release' };
}
