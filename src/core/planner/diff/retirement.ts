// Drafts the removal of an object that is no longer declared (semantics §1.6, §1.7).

import { addressesOf, type KindDefinition } from '../../kinds/definition/kind.ts';
import { keyOf } from '../../model/address.ts';
import type { ChildStatus } from '../../model/plan.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { Policy } from '../../model/policy.ts';
import type { ChangeNote } from '../../model/reasons.ts';
import type { RecordFlags, StateRecord } from '../../model/record.ts';
import { endsObject, type Removal, type RemovedEntry } from '../../model/resource.ts';
import type { DraftedStep, ObjectDraft, PlannedProblem } from '../draft/draft.ts';
import type { ObservedState } from '../live/observed-state.ts';
import type { RelatedObjects } from './creation.ts';

/** Returns how an object that is no longer declared is removed. */
export function removalOf(
  kind: KindDefinition,
  record: StateRecord,
  removed: RemovedEntry | undefined,
  policy: Pick<Policy, 'on_remove'>,
): Removal {
  // Only `removed` can ask for more than an earlier retirement. An object that was enabled since, because it was declared
  // again, is removed like any other object.
  const isOpened = record.attributes[kind.disabledState.attribute] !== true && record.bracket !== true;
  const isRetired = record.retired === true && kind.isChild !== true && !isOpened;
  const rememberedRemoval = isRetired ? kind.disabledState.disable : record.lifecycle?.on_remove;
  return removed?.on_remove ?? rememberedRemoval ?? policy.on_remove[kind.name] ?? kind.removals[0] ?? 'forget';
}

export function draftRetirement(
  kind: KindDefinition,
  record: StateRecord,
  removed: RemovedEntry | undefined,
  policy: Pick<Policy, 'on_remove'>,
  observedState?: ObservedState,
  related?: RelatedObjects,
): ObjectDraft {
  const { disable } = kind.disabledState;
  const removal = removalOf(kind, record, removed, policy);
  const isClosing = removal === disable;
  const leftOpen = record.bracket === true;
  const { attribute } = kind.disabledState;
  const wasClosed = leftOpen || (observedState?.isClosed ?? record.attributes[attribute] === true);
  // An interrupted run left this retired object enabled, or others enabled it. It is disabled again.
  if (record.retired === true && wasClosed && isClosing) return draftStanding(kind, record, observedState);
  const status = related?.status?.();
  const leaves = status?.type === 'leaving';
  const isKept = removal === 'retire' && !leaves;
  if (isKept && record.retired === true && record.leaving !== true) return draftStanding(kind, record, observedState);
  const key = keyOf(record.address);
  const steps: DraftedStep[] = [];
  if (endsObject(removal)) {
    const names = (kind.references?.(record.attributes) ?? []).flatMap(addressesOf);
    const ending = { phase: kind.deletePhase, edits: [], deletes: true, names } as const;
    // The object does not exist any more, as intended (semantics §5.3).
    const doneOn = [platformCode.notFound];
    const erasure = removal === 'erase' ? kind.erase?.(key) : undefined;
    if (removal === 'delete') steps.push({ ...ending, action: 'delete', request: kind.remove(key), doneOn });
    else if (erasure !== undefined) steps.push({ ...ending, ...erasure, action: 'erase' });
  } else if (isKept) {
    steps.push({ action: 'retire', phase: 'record', edits: [], flags: { retired: true, ...stays(record) } });
  } else if (removal === 'forget' || removal === 'retire') {
    steps.push(...forgetting(record, status));
  } else if (wasClosed) {
    steps.push({
      action: 'update',
      phase: 'record',
      edits: record.attributes[attribute] === true ? [] : [{ op: 'set', path: [attribute], value: true }],
      flags: { retired: true, ...(record.creating === true ? { creating: null } : {}) },
    });
  }
  const isNothingSent = isClosing && wasClosed && !leftOpen;
  const before = (observedState?.was ?? record.attributes)[attribute];
  return {
    kind,
    address: record.address,
    record,
    resource: undefined,
    attributes:
      isClosing && !wasClosed
        ? [
            {
              path: [attribute],
              ...(before === undefined ? {} : { before }),
              after: true,
              how: 'set',
            },
          ]
        : [],
    steps,
    opens: false,
    closes: !wasClosed && isClosing,
    closingFlags: { retired: true, creating: null, bracket: null },
    staysClosed: wasClosed,
    leftOpen,
    completesCreation: false,
    removal,
    problems: kind.removals.includes(removal) ? [] : [impossibleRemoval(kind, removal)],
    notes: isNothingSent
      ? [{ code: 'already_disabled', attribute }]
      : notesOn(kind, isKept ? 'retire' : leaves ? undefined : removal),
    reason: { code: removed === undefined ? 'undeclared' : 'listed_under_removed' },
  };
}

/**
 * A child of an object that this plan deletes is flagged before the deletion and forgotten after it. If the run is
 * interrupted, the record remains while the object exists. Once the object is deleted, the flag says that the child is too,
 * and that a new object of that key does not have it.
 */
function forgetting({ leaving }: StateRecord, status: ChildStatus | undefined): DraftedStep[] {
  const forget: DraftedStep = { action: 'forget', phase: 'record', edits: [], deletes: true };
  if (status?.type !== 'leaving') return [forget];
  const last: DraftedStep = { ...forget, between: status.with };
  if (leaving === true) return [last];
  return [{ action: 'forget', phase: 'revoke', edits: [], flags: { leaving: true }, names: status.with }, last];
}

/** Clears the flag if the object was not deleted after all. */
function stays({ leaving }: StateRecord): RecordFlags {
  return leaving === true ? { leaving: null } : {};
}

function notesOn({ onRetire, onForget, onErase }: KindDefinition, removal: Removal | undefined): ChangeNote[] {
  const texts =
    removal === 'retire' ? [onRetire] : removal === 'forget' ? [onForget] : removal === 'erase' ? onErase : [];
  return (texts ?? []).flatMap((text) => (text === undefined ? [] : [{ code: 'of_kind', text }]));
}

function impossibleRemoval(kind: KindDefinition, removal: Removal): PlannedProblem {
  return {
    severity: 'error',
    problem: { code: 'plan.impossible-removal', removal, title: kind.title, possible: kind.removals },
    path: ['on_remove'],
  };
}

/** Drafts an object without work of its own. If the object is disabled, other changes may need a temporary reopen. */
export function draftStanding(kind: KindDefinition, record: StateRecord, observedState?: ObservedState): ObjectDraft {
  const leftOpen = record.bracket === true;
  return {
    kind,
    address: record.address,
    record,
    resource: undefined,
    attributes: [],
    steps: [],
    opens: false,
    closes: false,
    staysClosed: leftOpen || (observedState?.isClosed ?? record.attributes[kind.disabledState.attribute] === true),
    leftOpen,
    completesCreation: false,
    problems: [],
    notes: [],
    reason: { code: leftOpen ? 'left_open' : 'needed_reopened' },
  };
}
