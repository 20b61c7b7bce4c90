// Counts what a run has done so far: the figures of its report.
import { compareText } from '../../lib/json.ts';
import type { StepFailure, StepOutcome } from '../../model/event.ts';
import type { SentCount, StepCounts } from '../../model/report.ts';
import { type ApiRequest, routeName } from '../../model/request.ts';

/** Neighbouring counters of response times differ by this factor, so that the median is known to 5 %. */
const counterFactor = 1.1;
const counters = 256;

type Count<T> = { -readonly [Key in keyof T]: T[Key] };

export class Tally {
  readonly #steps: Count<StepCounts>;
  readonly #sent = new Map<string, Count<SentCount>>();
  readonly #failures: StepFailure[] = [];
  readonly #maxListed: number;
  /** The n-th counts response times from factor^n up to factor^(n+1) tenths of a millisecond. */
  readonly #responseTimes = new Uint32Array(counters);
  #responses = 0;

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

  /** The first failures. `steps.failed` counts all of them. */
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

  /** Counts a call and the time of its answer; `again` if an earlier call of the same step decided nothing. */
  sent(request: ApiRequest, again: boolean, tookMs: number): void {
    const count = this.#of(request);
    count.sent++;
    if (again) count.retried++;
    const counter = Math.floor(Math.log(Math.max(tookMs * 10, 1)) / Math.log(counterFactor));
    const place = Math.min(counter, counters - 1);
    this.#responseTimes[place] = (this.#responseTimes[place] ?? 0) + 1;
    this.#responses++;
  }

  /** The median response time, rounded down; 0 when there was no call. */
  get medianMs(): number {
    let left = this.#responses / 2;
    for (const [place, count] of this.#responseTimes.entries()) {
      left -= count;
      if (left <= 0 && count > 0) return counterFactor ** place / 10;
    }
    return 0;
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
