// Matches begins that earlier runs left in the journal with the steps of this plan.
import { digestOf } from '../../../lib/digest.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { Series } from '../../../lib/series.ts';
import type { PendingBegin } from '../../model/ports.ts';
import type { ApiRequest, Search } from '../../model/request.ts';
import type { Step } from '../../model/step.ts';

export interface PendingMatch {
  /** By step index, the journal ids of its begins. */
  readonly begun: ReadonlyMap<number, readonly string[]>;
  /** By step index, the later step that the same begin also covers. That step is in doubt once the first one is done. */
  readonly continuations: ReadonlyMap<number, BegunBatches>;
  /** Begins that match no step of this plan. */
  readonly unmatched: readonly PendingBegin[];
}

interface BegunBatches {
  readonly index: number;
  /** The time of the last begun item, in Unix milliseconds. */
  readonly until: number;
}

/** A begun batch whose limits differ from those of this plan, so that it may cover parts of several batches. */
interface BatchReach {
  /** The time of the last begun item, in Unix milliseconds. */
  readonly until: number;
  /** The index of the last batch that it covers, and the last time in that batch. */
  readonly index: number;
  readonly end: number;
}

/** Finds the steps whose calls were begun by an earlier run without a known outcome. */
export function matchPending(steps: Series<Step>, pending: readonly PendingBegin[]): PendingMatch {
  // Calls that are safe to repeat are read before a plan is made (core/app/run/settle.ts), or a saved plan makes them again.
  const candidates = pending.filter((begin) => begin.planned.begin !== false);
  const byAddress = new Map<string, Set<PendingBegin>>();
  for (const begin of candidates) {
    const begins = byAddress.get(begin.address);
    if (begins === undefined) byAddress.set(begin.address, new Set([begin]));
    else begins.add(begin);
  }
  const matching = new BegunMatching();
  if (byAddress.size > 0) {
    let index = -1;
    for (const step of steps) {
      index++;
      const begins = byAddress.get(step.address);
      if (begins === undefined) continue;
      if (step.request === undefined && step.entry.type === 'delete') matching.takeAll(index, begins);
      if (!step.begin || step.request === undefined) continue;
      const request = requestDigest(step.request);
      if (step.search === undefined) matching.takeOwn(index, step, request, begins);
      else if (step.search.isApart === true) matching.takeSame(index, step, request, begins);
      else matching.takeBatch(index, step.address, step.search, request, begins);
    }
  }
  const unmatched = [...byAddress.values()].flatMap((begins) => [...begins]);
  return { begun: matching.begun, continuations: matching.continuations, unmatched };
}

/** Each method removes the begins that a step matches from those of its object. */
class BegunMatching {
  readonly begun = new Map<number, string[]>();
  readonly continuations = new Map<number, BegunBatches>();
  readonly #reaches = new Map<string, BatchReach>();

  /** For a step that removes the record from state, after which no begin of the object matters. */
  takeAll(index: number, begins: Set<PendingBegin>): void {
    const ids = Array.from(begins, (begin) => begin.step);
    if (ids.length > 0) this.begun.set(index, ids);
    begins.clear();
  }

  /**
   * A step matches a begin of its own id, whatever the request was, because a declaration may have been edited between the
   * runs. It also matches a begin of its object with the same request, because the id contains the step's position, which
   * shifts if an earlier step is no longer needed.
   */
  takeOwn(index: number, { id }: Step, request: string, begins: Set<PendingBegin>): void {
    for (const begin of begins) {
      if (begin.step !== id && begin.request !== request) continue;
      begins.delete(begin);
      const ids = this.begun.get(index);
      if (ids === undefined) this.begun.set(index, [begin.step]);
      else ids.push(begin.step);
    }
  }

  /** Matches a call that a saved plan makes again. */
  takeSame(index: number, { id }: Step, request: string, begins: Set<PendingBegin>): void {
    for (const begin of begins) {
      if (begin.step !== id || begin.request !== request) continue;
      begins.delete(begin);
      this.begun.set(index, [id]);
    }
  }

  /**
   * The first batch of an object matches all begins of its batches, whatever their positions. If one of them had
   * other limits, it may also cover the next batches.
   */
  takeBatch(index: number, address: string, { until: end }: Search, request: string, begins: Set<PendingBegin>): void {
    const reach = this.#reaches.get(address);
    if (begins.size === 0) {
      if (reach === undefined || reach.end > reach.until) return;
      this.begun.set(index, []);
      this.continuations.set(reach.index, { index, until: reach.until });
      this.#reaches.set(address, { ...reach, index, end });
      return;
    }
    const untils = Array.from(begins, ({ planned }) => planned.search?.until ?? Number.POSITIVE_INFINITY);
    const hasOtherLimits = [...begins].some(
      (begin) => begin.request !== request || begin.planned.search?.unsure === true,
    );
    if (hasOtherLimits) this.#reaches.set(address, { until: Math.max(...untils), index, end });
    this.takeAll(index, begins);
  }
}

/** Returns the begun calls that a saved plan makes again unchanged. `steps` are all steps of that plan. */
export function begunAgain(pending: readonly PendingBegin[], steps: Iterable<Step>): ReadonlySet<string> {
  const begun = new Map(
    pending.flatMap(({ step, request, planned }) =>
      planned.search?.isApart === true || planned.begin === false ? [[step, request]] : [],
    ),
  );
  const again = new Set<string>();
  if (begun.size === 0) return again;
  for (const { id, request } of steps)
    if (request !== undefined && begun.has(id) && begun.get(id) === requestDigest(request)) again.add(id);
  return again;
}

/** Returns the step for the begin of a later batch, which notes that the doubt extends to `until`. */
export function continuedBegin(step: Step, until: number): Step | undefined {
  const { request, search } = step;
  if (request === undefined || search === undefined) return undefined;
  return { ...step, search: { ...search, until, unsure: true } };
}

/** Returns the digest of a request for its begin. It covers the request without the values of its placeholders. */
export function requestDigest(request: ApiRequest): string {
  // A request is plain JSON, which the compiler cannot infer for an interface.
  return digestOf(request as unknown as JsonObject);
}
