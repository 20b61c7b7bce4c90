// Drafts the calls that disable and enable an object: the same for every kind, users are deactivated and channels frozen.

import type { JsonValue } from '../../lib/json.ts';
import { keyOf } from '../../model/address.ts';
import type { AttributeChange } from '../../model/change.ts';
import type { RecordFlags } from '../../model/record.ts';
import type { Phase } from '../../model/step.ts';
import type { DisablePolicy } from '../../resources/definition/kind.ts';
import type { DraftedStep, ObjectDraft } from './draft.ts';

export function enableDraft(draft: ObjectDraft, phase: Phase, flags: RecordFlags): DraftedStep {
  const { attribute, enable, request } = draft.kind.disabledState;
  const isDeclared = draft.resource?.attributes[attribute] !== undefined;
  return {
    action: enable,
    phase,
    request: request(keyOf(draft.address), false, { leaveChannels: false }),
    edits:
      isDeclared || (flags.bracket === true && draft.isClosedByOthers !== true)
        ? [{ op: 'set', path: [attribute], value: false }]
        : [{ op: 'unset', path: [attribute] }],
    flags,
  };
}

export function disableDraft(draft: ObjectDraft, flags: RecordFlags, policy: DisablePolicy): DraftedStep {
  const { attribute, disable, disablePhase, request } = draft.kind.disabledState;
  return {
    action: disable,
    phase: disablePhase,
    request: request(keyOf(draft.address), true, policy),
    // An object that others disabled is disabled again, and state does not take that over.
    edits: draft.isClosedByOthers === true && !draft.closes ? [] : [{ op: 'set', path: [attribute], value: true }],
    flags,
  };
}

/**
 * The disabled state's part of a change; undefined when it stays as it is. `opens`: a call enables the object, because the
 * line was removed. `returns`: because it is declared again after a retirement, which had disabled it.
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
