// Summarises the plan of an object with thousands of calls, so that it can be ordered without its calls in memory.
//
// In an archive of a million messages only the first call waits for others, and others wait only for the last. The order
// needs no more than the number of calls between them. When the order is known the object is planned again, and its calls
// take the places of the summary (order.ts).
import type { ObjectPlan, PlannedDraft } from '../diff/draft.ts';
import { inPhases } from './order.ts';

/** The plan itself when it is not a child's, or has few calls. `whole` makes the same plan again. */
export function summaryOf(plan: ObjectPlan, whole: () => ObjectPlan | undefined): ObjectPlan {
  if (plan.kind.isChild !== true || plan.drafts.length <= few) return plan;
  const drafts: PlannedDraft[] = [];
  for (const draft of inPhases(plan.drafts)) {
    const last = drafts.at(-1);
    if (dependsOnOthers(draft)) drafts.push(withoutContent(draft));
    else if (last?.runLength === undefined || last.phase !== draft.phase) {
      drafts.push({ action: draft.action, phase: draft.phase, edits: [], runLength: 1 });
    } else drafts[drafts.length - 1] = { ...last, runLength: last.runLength + 1 };
  }
  return { ...plan, resource: undefined, record: undefined, drafts, whole };
}

const few = 3;

/** Otherwise it waits only for the step before it, and only the step after it waits for it. */
function dependsOnOthers({ exists, active, between, names, creates, deletes }: PlannedDraft): boolean {
  return [exists, active, between, names, creates, deletes].some((part) => part !== undefined);
}

/** Without what is sent and what state records. */
function withoutContent({ request: _request, settle: _settle, creates, ...draft }: PlannedDraft): PlannedDraft {
  return { ...draft, edits: [], ...(creates === undefined ? {} : { creates: {} }) };
}
