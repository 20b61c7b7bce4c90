// Which steps of this plan were begun by an earlier run that did not see their end?
import { digestOf } from '../model/digest.ts';
import type { JsonObject } from '../model/json.ts';
import type { PendingBegin } from '../model/ports.ts';
import type { ApiRequest } from '../model/request.ts';
import type { Series } from '../model/series.ts';
import type { Step } from '../model/step.ts';

export interface PendingMatch {
  /** By the step's place in the plan: the ids under which its begins stand in the journal. */
  readonly begun: ReadonlyMap<number, readonly string[]>;
  /** Begins that no step of this plan answers for. */
  readonly left: readonly PendingBegin[];
}

/**
 * A step answers for a begin of its own id, whatever the request was then: a create whose declaration was edited
 * between the runs is still ours. It also answers for a begin of its object with the same request: the id holds the
 * step's position, which shifts when a step before it is no longer needed.
 */
export function matchPending(steps: Series<Step>, pending: readonly PendingBegin[]): PendingMatch {
  const begun = new Map<number, string[]>();
  if (pending.length === 0) return { begun, left: [] };
  const byAddress = new Map<string, Set<PendingBegin>>();
  for (const begin of pending) {
    // Calls that are safe to repeat are settled before a plan is made (recover.ts), or simply made again.
    if (begin.planned?.begin === false) continue;
    const others = byAddress.get(begin.address);
    if (others === undefined) byAddress.set(begin.address, new Set([begin]));
    else others.add(begin);
  }
  const doubtful = new Set<string>();
  let index = -1;
  for (const step of steps) {
    index++;
    const candidates = byAddress.get(step.address);
    if (candidates === undefined) continue;
    if (step.request === undefined && step.entry.type === 'delete') {
      // What state forgets is no longer waited for.
      const over = Array.from(candidates, (begin) => begin.step);
      if (over.length > 0) begun.set(index, over);
      candidates.clear();
    }
    if (!step.begin || step.request === undefined) continue;
    const request = requestDigest(step.request);
    if (step.settle !== undefined) {
      // What was begun is in the first of these calls, whatever its number was; cut otherwise, it may reach into the others.
      if (candidates.size > 0)
        begun.set(
          index,
          Array.from(candidates, (begin) => begin.step),
        );
      else if (doubtful.has(step.address)) begun.set(index, []);
      if ([...candidates].some((begin) => begin.request !== request)) doubtful.add(step.address);
      candidates.clear();
      continue;
    }
    for (const begin of candidates) {
      if (begin.step !== step.id && begin.request !== request) continue;
      candidates.delete(begin);
      const ids = begun.get(index);
      if (ids === undefined) begun.set(index, [begin.step]);
      else ids.push(begin.step);
    }
  }
  return { begun, left: [...byAddress.values()].flatMap((begins) => [...begins]) };
}

/** The fingerprint of a request in a begin: what it sends, without what fills its holes. */
export function requestDigest(request: ApiRequest): string {
  // A request is plain JSON by its type's contract; the compiler cannot see that of an interface.
  return digestOf(request as unknown as JsonObject);
}
