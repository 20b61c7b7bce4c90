// Which steps of this plan were begun by an earlier run that did not see their end?
import { digestOf } from '../../lib/digest.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Series } from '../../lib/series.ts';
import type { PendingBegin } from '../../model/ports.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { Step } from '../../model/step.ts';

export interface PendingMatch {
  /** By the step's place in the plan: the ids under which its begins stand in the journal. */
  readonly begun: ReadonlyMap<number, readonly string[]>;
  /** A begin that reaches from the one step into the other: the doubt goes on to it when the first is done. */
  readonly goesOn: ReadonlyMap<number, Doubt>;
  /** Begins that no step of this plan answers for. */
  readonly left: readonly PendingBegin[];
}

interface Doubt {
  readonly index: number;
  /** The last time in what was begun, in Unix milliseconds. */
  readonly until: number;
}

/** A begun call that was cut otherwise then, and may reach into the calls of this plan up to that time. */
interface Reach {
  readonly until: number;
  /** The last call that it reaches into, and the time at which that one ends. */
  readonly index: number;
  readonly end: number;
}

/**
 * A step answers for a begin of its own id, whatever the request was then: a create whose declaration was edited
 * between the runs is still ours. It also answers for a begin of its object with the same request: the id holds the
 * step's position, which shifts when a step before it is no longer needed.
 */
export function matchPending(steps: Series<Step>, pending: readonly PendingBegin[]): PendingMatch {
  const begun = new Map<number, string[]>();
  const goesOn = new Map<number, Doubt>();
  if (pending.length === 0) return { begun, goesOn, left: [] };
  const byAddress = new Map<string, Set<PendingBegin>>();
  for (const begin of pending) {
    // Calls that are safe to repeat are settled before a plan is made (recover.ts), or simply made again.
    if (begin.planned?.begin === false) continue;
    const others = byAddress.get(begin.address);
    if (others === undefined) byAddress.set(begin.address, new Set([begin]));
    else others.add(begin);
  }
  const reaches = new Map<string, Reach>();
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
      // What was begun is in the first of these calls, whatever its number was; cut otherwise, it may reach into the next.
      const end = step.settle.until;
      const reach = reaches.get(step.address);
      const begins = [...candidates];
      if (begins.length > 0) {
        begun.set(
          index,
          begins.map((begin) => begin.step),
        );
        const until = Math.max(...begins.map(({ planned }) => planned?.settle?.until ?? Number.POSITIVE_INFINITY));
        const isCutOtherwise = (begin: PendingBegin) =>
          begin.request !== request || begin.planned?.settle?.unsure === true;
        if (begins.some(isCutOtherwise)) reaches.set(step.address, { until, index, end });
      } else if (reach !== undefined && reach.end <= reach.until) {
        begun.set(index, []);
        goesOn.set(reach.index, { index, until: reach.until });
        reaches.set(step.address, { ...reach, index, end });
      }
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
  return { begun, goesOn, left: [...byAddress.values()].flatMap((begins) => [...begins]) };
}

/** The fingerprint of a request in a begin: what it sends, without what fills its holes. */
export function requestDigest(request: ApiRequest): string {
  // A request is plain JSON by its type's contract; the compiler cannot see that of an interface.
  return digestOf(request as unknown as JsonObject);
}
