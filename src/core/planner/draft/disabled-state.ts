// Drafts the calls that disable and enable an object of any kind: users are deactivated, channels are frozen.

import type { JsonValue } from '../../../lib/json.ts';
import type { DisablePolicy } from '../../kinds/definition/kind.ts';
import { keyOf } from '../../model/address.ts';
import type { AttributeChange } from '../../model/change.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { RecordFlags } from '../../model/record.ts';
import type { Phase } from '../../model/step.ts';
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
    // An object that others disabled is disabled again, without recording that in state.
    edits: draft.isClosedByOthers === true && !draft.closes ? [] : [{ op: 'set', path: [attribute], value: true }],
    flags,
    // An object that does not exist any more is as disabled as one that is retired has to be (semantics §5.3).
    ...(isRetired(draft) ? { doneOn: [platformCode.notFound] } : {}),
  };
}

/** Whether the object is no longer declared. A draft of a declared object may lack its resource if it does not change. */
function isRetired({ removal, resource, record }: ObjectDraft): boolean {
  return removal !== undefined || (resource === undefined && record?.retired === true);
}

/**
 * Returns the change of the disabled state, if there is one. `opens`: a call enables the object because the line was
 * removed. `returns`: a call enables it because it is declared again after a retirement.
 */
export function disabledAttributeChange(
  attribute: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  { opens, returns }: { readonly opens: boolean; readonly returns: boolean },
): AttributeChange | undefined {
  if (before === after) return undefined;
  const path = [attribute];
  const was = before === undefined ? {} : { before };
  if (after !== undefined) return { path, ...was, after, how: 'set' };
  return opens ? { path, ...was, after: false, how: returns ? 'set' : 'reset' } : { path, ...was, how: 'release' };
}
