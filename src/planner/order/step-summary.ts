// How is an object with thousands of calls ordered among all others, without its calls in memory? By a sketch of it.
//
// Of an archive with a million messages nobody waits for any call but the last, and only the first waits for others. What
// lies between is a stretch of which the order needs the length alone. When the order is known the object is planned
// again, and its calls take the places that the sketch was given (order.ts).
import type { ObjectPlan, PlannedDraft } from '../diff/draft.ts';
import { inPhases } from './order.ts';

/** The plan itself when it is no part, or has few calls. `whole`: gives the same plan again. */
export function summaryOf(plan: ObjectPlan, whole: () => ObjectPlan | undefined): ObjectPlan {
  if (plan.kind.isChild !== true || plan.drafts.length <= few) return plan;
  const drafts: PlannedDraft[] = [];
  for (const draft of inPhases(plan.drafts)) {
    const last = drafts.at(-1);
    if (!isLoose(draft)) drafts.push(hooksOf(draft));
    else if (last?.runLength === undefined || last.phase !== draft.phase) {
      drafts.push({ action: draft.action, phase: draft.phase, edits: [], runLength: 1 });
    } else drafts[drafts.length - 1] = { ...last, runLength: last.runLength + 1 };
  }
  return { ...plan, resource: undefined, record: undefined, drafts, whole };
}

const few = 3;

/** It hangs on nothing but its neighbours. */
function isLoose({ exists, active, between, names, creates, deletes }: PlannedDraft): boolean {
  return [exists, active, between, names, creates, deletes].every((hook) => hook === undefined);
}

/** Without what is sent and remembered. */
function hooksOf({ request: _request, settle: _settle, creates, ...draft }: PlannedDraft): PlannedDraft {
  return { ...draft, edits: [], ...(creates === undefined ? {} : { creates: {} }) };
}
