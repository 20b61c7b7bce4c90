// Records the activity of a run for its report: counts by route and time slot, and a limited number of single calls.
//
// Memory does not grow with the run. When all slots are used, pairs of slots are merged. Failed and retried calls are kept
// in preference to others.
import { tightestPerS } from '../../model/calls/loads.ts';
import type { PlannedRoute } from '../../model/event.ts';
import type { CountedRequest, LimitsOf } from '../../model/limits.ts';
import type { Answer } from '../../model/ports.ts';
import type { CallRecord, LaneSeries, RunSeries } from '../../model/report.ts';
import { type ApiRequest, routeName } from '../../model/request.ts';
import type { Step } from '../../model/step.ts';

const maxSlots = 120;
/** The maximum number of succeeded calls to keep, and of other calls. */
const maxCalls = 2_000;

interface LaneCounts extends Record<'sent' | 'limited' | 'retried', Uint32Array> {
  readonly method: LaneSeries['method'];
  readonly route: string;
  readonly times: AnswerTimes;
  /** The first call, whose limits are those of a route that the plan does not list, such as reads after a lost answer. */
  readonly first: CountedRequest;
}

export interface AnsweredCall {
  readonly step: Pick<Step, 'address' | 'action'>;
  readonly request: ApiRequest;
  readonly answer: Answer;
  readonly again: boolean;
  readonly tookMs: number;
}

export class Timeline {
  readonly #startedMs: number;
  #slotMs = 1_000;
  #slots = 0;
  readonly #lanes = new Map<string, LaneCounts>();
  /** The longest wait for a write to state in each slot, in milliseconds. */
  readonly #stateMs = new Float64Array(maxSlots);
  readonly #good: CallRecord[] = [];
  readonly #bad: CallRecord[] = [];
  #leftOut = 0;

  constructor(startedMs: number) {
    this.#startedMs = startedMs;
  }

  answered({ step, request, answer, again, tookMs }: AnsweredCall, nowMs: number): void {
    // Count a call when it left, as the platform does.
    const slot = this.#slotAt(nowMs - tookMs);
    const lane = this.#lane(request);
    if (answer.type !== 'unsent') {
      count(lane.sent, slot);
      if (again) count(lane.retried, slot);
      lane.times.add(tookMs);
    }
    if (answer.type === 'limited') count(lane.limited, slot);
    const kept = answer.type === 'ok' ? this.#good : this.#bad;
    if (kept.length >= maxCalls) {
      this.#leftOut++;
      return;
    }
    kept.push({
      address: step.address,
      action: step.action,
      call: routeName(request),
      at_s: Math.max(0, Math.round(nowMs - tookMs - this.#startedMs) / 1000),
      took_ms: Math.round(tookMs * 10) / 10,
      answer: answerInShort(answer),
    });
  }

  /** `ms` is the duration of a write to state. */
  stateWaited(ms: number, nowMs: number): void {
    const slot = this.#slotAt(nowMs);
    this.#stateMs[slot] = Math.max(this.#stateMs[slot] ?? 0, ms);
  }

  end(planned: readonly PlannedRoute[], limits?: LimitsOf): RunSeries {
    const allowedPerS = new Map(planned.map(({ route, allowed_per_s }) => [route, allowed_per_s]));
    const cut = (counts: Uint32Array): number[] => Array.from(counts.subarray(0, this.#slots));
    return {
      slot_s: this.#slotMs / 1000,
      lanes: [...this.#lanes]
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([name, { method, route, sent, limited, retried, times, first }]): LaneSeries => {
          const allowed = allowedPerS.get(name) ?? allowedPerSecond(first, limits);
          return {
            method,
            route,
            ...(allowed === undefined ? {} : { allowed_per_s: allowed }),
            sent: cut(sent),
            limited: cut(limited),
            retried: cut(retried),
            median_ms: rounded(times.quantileMs(0.5)),
            p95_ms: rounded(times.quantileMs(0.95)),
            p99_ms: rounded(times.quantileMs(0.99)),
          };
        }),
      state_ms: Array.from(this.#stateMs.subarray(0, this.#slots), rounded),
      calls: [...this.#good, ...this.#bad].sort((left, right) => left.at_s - right.at_s),
      calls_left_out: this.#leftOut,
    };
  }

  #lane(request: ApiRequest): LaneCounts {
    const name = routeName(request);
    let lane = this.#lanes.get(name);
    if (lane === undefined) {
      const { method, route, params, body } = request;
      const first = {
        method,
        route,
        ...(params === undefined ? {} : { params }),
        ...(body === undefined ? {} : { body }),
      };
      const counts = () => new Uint32Array(maxSlots);
      lane = { method, route, sent: counts(), limited: counts(), retried: counts(), times: new AnswerTimes(), first };
      this.#lanes.set(name, lane);
    }
    return lane;
  }

  #slotAt(nowMs: number): number {
    const passedMs = Math.max(0, nowMs - this.#startedMs);
    while (passedMs >= maxSlots * this.#slotMs) this.#halve();
    const slot = Math.floor(passedMs / this.#slotMs);
    this.#slots = Math.max(this.#slots, slot + 1);
    return slot;
  }

  #halve(): void {
    this.#slotMs *= 2;
    this.#slots = Math.ceil(this.#slots / 2);
    for (const { sent, limited, retried } of this.#lanes.values()) {
      for (const counts of [sent, limited, retried]) pairUp(counts, (left, right) => left + right);
    }
    pairUp(this.#stateMs, Math.max);
  }
}

/** In tenths of a call per second. Undefined if no limit is known. */
function allowedPerSecond(request: CountedRequest, limits: LimitsOf | undefined): number | undefined {
  const perS = tightestPerS(limits?.(request) ?? []);
  return perS === undefined ? undefined : Math.round(10 * perS) / 10;
}

function pairUp(values: Uint32Array | Float64Array, combine: (left: number, right: number) => number): void {
  const half = values.length / 2;
  for (let at = 0; at < half; at++) values[at] = combine(values[2 * at] ?? 0, values[2 * at + 1] ?? 0);
  values.fill(0, half);
}

function count(counts: Uint32Array, slot: number): void {
  counts[slot] = (counts[slot] ?? 0) + 1;
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** Leaves out the platform's sentence, which may contain names. Failures include it. */
function answerInShort(answer: Answer): string {
  switch (answer.type) {
    case 'ok':
      return 'ok';
    case 'refused':
      return answer.code === 0 ? `refused ${answer.status}` : `refused ${answer.status} (${answer.code})`;
    case 'limited':
      return '429, too many requests';
    case 'unsent':
      return 'no connection';
    case 'unknown':
      return answer.status === undefined ? 'no answer' : `${answer.status}, outcome unknown`;
  }
}

/** Adjacent counters differ by this factor, so quantiles are accurate to 5 %. */
const stepFactor = 1.1;
const counters = 256;

/** Counts response times in steps of 10 %, so that memory does not grow with their number. */
export class AnswerTimes {
  /** The n-th counts times from stepFactor^n up to stepFactor^(n+1) tenths of a millisecond. */
  readonly #counts = new Uint32Array(counters);
  #total = 0;

  add(ms: number): void {
    const counter = Math.floor(Math.log(Math.max(ms * 10, 1)) / Math.log(stepFactor));
    const place = Math.min(counter, counters - 1);
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    this.#total++;
  }

  /** Returns a quantile of the response times in milliseconds, rounded down, or 0 without answers. */
  quantileMs(share: number): number {
    let remaining = this.#total * share;
    for (const [place, count] of this.#counts.entries()) {
      remaining -= count;
      if (remaining <= 0 && count > 0) return stepFactor ** place / 10;
    }
    return 0;
  }
}
