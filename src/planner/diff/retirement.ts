// What becomes of an object that is declared no more? (semantics §1.6, §1.7)

import { keyOf } from '../../model/address.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { Policy } from '../../model/policy.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Removal, RemovedEntry } from '../../model/resource.ts';
import { addressesOf, type KindDefinition, type Problem } from '../../resources/define.ts';
import type { ObservedState } from '../live/observe.ts';
import type { ObjectPlan, PlannedDraft } from './draft.ts';

export function planRetirement(
  kind: KindDefinition,
  record: StateRecord,
  removed: RemovedEntry | undefined,
  policy: Policy,
  seen?: ObservedState,
): ObjectPlan {
  const { disable } = kind.disabledState;
  // Retired already, by whatever was said then: only `removed` asks for more.
  const known = record.retired === true ? disable : record.lifecycle?.on_remove;
  const removal = removed?.on_remove ?? known ?? policy.on_remove[kind.kind] ?? kind.removals[0] ?? 'forget';
  const isClosing = removal === disable;
  const leftOpen = record.bracket === true;
  const { attribute } = kind.disabledState;
  const wasClosed = leftOpen || (seen?.isClosed ?? record.attributes[attribute] === true);
  // A retired object that is open was left so by an interrupted run, or opened by others, and is closed again.
  if (record.retired === true && wasClosed && isClosing) return planStanding(kind, record, seen);
  const key = keyOf(record.address);
  const drafts: PlannedDraft[] = [];
  if (removal === 'delete') {
    const request = kind.remove(key);
    // Somebody was faster: the object is gone, as was wanted (semantics §5.3).
    const names = kind.references(record.attributes).flatMap(addressesOf);
    drafts.push({
      action: 'delete',
      phase: kind.deletePhase,
      request,
      edits: [],
      deletes: true,
      doneOn: [platformCode.notFound],
      names,
    });
  } else if (removal === 'forget') {
    drafts.push({ action: 'forget', phase: 'record', edits: [], deletes: true });
  } else if (wasClosed) {
    drafts.push({
      action: 'update',
      phase: 'record',
      edits: record.attributes[attribute] === true ? [] : [{ op: 'set', path: [attribute], value: true }],
      marks: { retired: true, ...(record.creating === true ? { creating: null } : {}) },
    });
  }
  const before = (seen?.was ?? record.attributes)[attribute];
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
    drafts,
    opens: false,
    closes: !wasClosed && isClosing,
    closingMarks: { retired: true, creating: null, bracket: null },
    staysClosed: wasClosed,
    leftOpen,
    completesCreation: false,
    removal,
    problems: kind.removals.includes(removal) ? [] : [impossibleRemoval(kind, removal)],
    notes: removal === 'forget' && kind.onForget !== undefined ? [kind.onForget] : [],
    reason: removed === undefined ? 'declared no more' : 'listed under removed',
  };
}

function impossibleRemoval(kind: KindDefinition, removal: Removal): Problem {
  return {
    severity: 'error',
    code: 'plan.impossible-removal',
    summary: 'This kind cannot be removed in that way',
    detail: `on_remove is ${removal}, which a ${kind.title} does not know. Write one of ${kind.removals.join(', ')}.`,
    path: ['on_remove'],
  };
}

/** Nothing to do, but it is closed: work of others on it needs a bracket. */
export function planStanding(kind: KindDefinition, record: StateRecord, seen?: ObservedState): ObjectPlan {
  const leftOpen = record.bracket === true;
  return {
    kind,
    address: record.address,
    record,
    resource: undefined,
    attributes: [],
    drafts: [],
    opens: false,
    closes: false,
    staysClosed: leftOpen || (seen?.isClosed ?? record.attributes[kind.disabledState.attribute] === true),
    leftOpen,
    completesCreation: false,
    problems: [],
    notes: [],
    reason: leftOpen ? 'was opened for work and not closed again' : 'is closed, and others need it open for a while',
  };
}
