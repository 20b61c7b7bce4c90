// How is an object opened and closed? The same for every kind: users are deactivated, channels frozen.
import { keyOf } from '../model/address.ts';
import type { AttributeChange } from '../model/change.ts';
import type { JsonValue } from '../model/json.ts';
import type { RecordMarks } from '../model/record.ts';
import type { Phase } from '../model/step.ts';
import type { ClosePolicy } from '../resources/define.ts';
import type { ObjectPlan, PlannedDraft } from './draft.ts';

export function openDraft(plan: ObjectPlan, phase: Phase, marks: RecordMarks): PlannedDraft {
  const { attribute, open, request } = plan.kind.closable;
  const isDeclared = plan.resource?.attributes[attribute] !== undefined;
  return {
    action: open,
    phase,
    request: request(keyOf(plan.address), false, { leaveChannels: false }),
    edits:
      isDeclared || (marks.bracket === true && plan.isClosedByOthers !== true)
        ? [{ op: 'set', path: [attribute], value: false }]
        : [{ op: 'unset', path: [attribute] }],
    marks,
  };
}

export function closeDraft(plan: ObjectPlan, marks: RecordMarks, policy: ClosePolicy): PlannedDraft {
  const { attribute, close, closePhase, request } = plan.kind.closable;
  return {
    action: close,
    phase: closePhase,
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
export function closedAttributeChange(
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
