// Collects the numbers for the report of a run.
import { compareText } from '../../../lib/json.ts';
import { RefusedTime } from '../../model/calls/refused-time.ts';
import type { StoredValue } from '../../model/change.ts';
import type { StepFailure, StepOutcome } from '../../model/event.ts';
import type { NotMember, SentCount, StepCounts, UserErasure } from '../../model/report.ts';
import { type ApiRequest, routeName } from '../../model/request.ts';
import { type AnsweredCall, AnswerTimes, Timeline } from './timeline.ts';

type Growing<T> = { -readonly [Key in keyof T]: T[Key] };

export class RunTally {
  readonly #steps: Growing<StepCounts>;
  readonly #sent = new Map<string, Growing<SentCount>>();
  readonly #failures: StepFailure[] = [];
  readonly #stored: StoredValue[] = [];
  #storedCount = 0;
  readonly #notMembers: NotMember[] = [];
  readonly #dataRequests: UserErasure[] = [];
  readonly #maxListed: number;
  readonly #times = new AnswerTimes();
  readonly timeline: Timeline;
  readonly refused = new RefusedTime();
  #pointless: string | undefined;

  constructor(planned: number, maxListed: number, startedMs: number) {
    this.timeline = new Timeline(startedMs);
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

  /** The first failures. `steps.failed` counts all. */
  get failures(): readonly StepFailure[] {
    return this.#failures;
  }

  /** The first values that the platform stored otherwise, and the number of all of them. */
  get stored(): { readonly count: number; readonly values: readonly StoredValue[] } {
    return { count: this.#storedCount, values: this.#stored };
  }

  storedOtherwise(value: StoredValue): void {
    this.#storedCount++;
    if (this.#stored.length < this.#maxListed) this.#stored.push(value);
  }

  /** The first users who were not in their channels. */
  get notMembers(): readonly NotMember[] {
    return this.#notMembers;
  }

  get requests(): readonly SentCount[] {
    return [...this.#sent.entries()].sort(([left], [right]) => compareText(left, right)).map(([, count]) => count);
  }

  stepEnded(outcome: StepOutcome, failure: StepFailure | undefined): void {
    this.#steps[outcome]++;
    if (failure !== undefined && this.#failures.length < this.#maxListed) this.#failures.push(failure);
  }

  foundNotMember(user: NotMember): void {
    if (this.#notMembers.length < this.#maxListed) this.#notMembers.push(user);
  }

  /** The first requests that the platform worked on later. */
  get dataRequests(): readonly UserErasure[] {
    return this.#dataRequests;
  }

  registeredRequest(request: UserErasure): void {
    if (this.#dataRequests.length < this.#maxListed) this.#dataRequests.push(request);
  }

  /** Why the run should wait for the platform no longer, by the last answer. */
  get pointless(): string | undefined {
    return this.#pointless;
  }

  /** Counts a call and its answer. `again` means that the outcome of an earlier call of the same step was not decisive. */
  answered(call: AnsweredCall, nowMs: number): void {
    this.timeline.answered(call, nowMs);
    this.#pointless = this.refused.see(call.answer, nowMs);
    if (call.answer.type === 'unsent') return;
    const count = this.#of(call.request);
    count.sent++;
    if (call.again) count.retried++;
    this.#times.add(call.tookMs);
  }

  /** The median response time in milliseconds, rounded down, or 0 without a call. */
  get medianMs(): number {
    return this.#times.quantileMs(0.5);
  }

  limited(request: ApiRequest): void {
    this.#of(request).limited++;
  }

  #of(request: ApiRequest): Growing<SentCount> {
    const route = routeName(request);
    let count = this.#sent.get(route);
    if (count === undefined) {
      count = { method: request.method, route: request.route, sent: 0, retried: 0, limited: 0 };
      this.#sent.set(route, count);
    }
    return count;
  }
}
