// Support: a pacer without limits, or with one rate for each bucket.
import type { Bucket, LimitsOf } from '../../../../src/core/model/limits.ts';
import type { Answer, Clock, Pacer } from '../../../../src/core/model/ports.ts';
import type { ApiRequest } from '../../../../src/core/model/request.ts';

export class FakePacer implements Pacer {
  taken = 0;
  asked = 0;
  readonly learned: Answer['type'][] = [];
  /** When the slots of each answered call were taken, and when the call left. */
  readonly departures: { readonly takenAt: number; readonly leftAt: number | undefined }[] = [];
  readonly #clock: Clock;
  readonly #limits: LimitsOf;
  readonly #free = new Map<string, number>();

  constructor(clock: Clock, limits: LimitsOf = () => []) {
    this.#clock = clock;
    this.#limits = limits;
  }

  take(request: ApiRequest): number {
    this.asked++;
    const now = this.#clock.now();
    const buckets = this.#limits(request);
    const free = Math.max(now, ...buckets.map((bucket) => this.#free.get(bucket.name) ?? 0));
    if (free > now) return free - now;
    for (const bucket of buckets) this.#free.set(bucket.name, now + (1000 * bucket.windowS) / bucket.calls);
    this.taken++;
    return 0;
  }

  learn(_request: ApiRequest, answer: Answer, takenAt: number): void {
    this.learned.push(answer.type);
    this.departures.push({ takenAt, leftAt: answer.leftAt });
  }
}

export function bucket(name: string, perS: number): Bucket {
  return { name, calls: perS, windowS: 1, share: 1 };
}
