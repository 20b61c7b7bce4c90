// What has the run done so far, in figures? The numbers of the report.

import { compareText } from '../../lib/json.ts';
import type { StepFailure, StepOutcome } from '../../model/event.ts';
import type { SentCount, StepCounts } from '../../model/report.ts';
import { type ApiRequest, routeName } from '../../model/request.ts';
import { Latency } from './latency.ts';

type Count<T> = { -readonly [Key in keyof T]: T[Key] };

export class Tally {
  readonly #steps: Count<StepCounts>;
  readonly #sent = new Map<string, Count<SentCount>>();
  readonly #failures: StepFailure[] = [];
  readonly #maxListed: number;
  readonly latency = new Latency();

  constructor(planned: number, maxListed: number) {
    this.#steps = { planned, succeeded: 0, failed: 0, unknown: 0, skipped: 0 };
    this.#maxListed = maxListed;
  }

  get steps(): StepCounts {
    return { ...this.#steps };
  }

  get ended(): number {
    const { succeeded, failed, unknown, skipped } = this.#steps;
    return succeeded + failed + unknown + skipped;
  }

  /** The first failures; all of them are counted. */
  get failures(): readonly StepFailure[] {
    return this.#failures;
  }

  get requests(): readonly SentCount[] {
    return [...this.#sent.entries()].sort(([left], [right]) => compareText(left, right)).map(([, count]) => count);
  }

  stepEnded(outcome: StepOutcome, failure: StepFailure | undefined): void {
    this.#steps[outcome]++;
    if (failure !== undefined && this.#failures.length < this.#maxListed) this.#failures.push(failure);
  }

  /** A call left, and its answer took that long; `again` when an earlier one of the same step had decided nothing. */
  sent(request: ApiRequest, again: boolean, tookMs: number): void {
    const count = this.#of(request);
    count.sent++;
    if (again) count.retried++;
    this.latency.add(tookMs);
  }

  limited(request: ApiRequest): void {
    this.#of(request).limited++;
  }

  #of(request: ApiRequest): Count<SentCount> {
    const route = routeName(request);
    let count = this.#sent.get(route);
    if (count === undefined) {
      count = { method: request.method, route: request.route, sent: 0, retried: 0, limited: 0 };
      this.#sent.set(route, count);
    }
    return count;
  }
}
