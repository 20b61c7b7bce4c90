// Tests the pace after a cold start, in which a first call that arrives late opens its window late.
import { describe, expect, test } from 'vitest';
import type { Answer, Clock } from '../../../src/core/model/ports.ts';
import type { ApiRequest } from '../../../src/core/model/request.ts';
import { createPacer } from '../../../src/core/platform/rate-limiter.ts';

const request: ApiRequest = { method: 'POST', route: '/users' };
const calls = 10;

/** Sends as the pacer allows and answers all but the first after 50 ms. Returns the times at which the calls left. */
function run(first: { readonly tookMs: number; readonly leftAfterMs?: number }): number[] {
  let now = 0;
  const clock: Clock = { now: () => now, date: () => new Date(0), sleep: async () => {} };
  const pacer = createPacer({ limitsOf: () => [{ name: 'POST', calls, windowS: 1, share: 1 }], clock });
  const left: number[] = [];
  const due: { readonly at: number; readonly sentAt: number; readonly leftAt?: number }[] = [];
  while (left.length <= calls) {
    const wait = pacer.take(request);
    if (wait === 0) {
      const { tookMs, leftAfterMs } = left.length === 0 ? first : { tookMs: 50, leftAfterMs: undefined };
      due.push({ at: now + tookMs, sentAt: now, ...(leftAfterMs === undefined ? {} : { leftAt: now + leftAfterMs }) });
      left.push(now);
    }
    now += 1;
    for (const { at, sentAt, leftAt } of due) {
      const answer: Answer = { type: 'ok', body: {}, ...(leftAt === undefined ? {} : { leftAt }) };
      if (at === now) pacer.learn(request, answer, sentAt);
    }
  }
  return left;
}

describe('the call that opens the second window', () => {
  test.for([
    {
      name: 'follows the first by a window when nothing was cold',
      first: { tookMs: 50 },
      atLeast: 1_003,
      below: 1_060,
    },
    { name: 'waits for a first call that was slow', first: { tookMs: 70 }, atLeast: 1_023, below: 1_080 },
    { name: 'waits for no more than a cold start takes', first: { tookMs: 400 }, atLeast: 1_033, below: 1_450 },
    {
      name: 'waits for the connection that the first call had to make',
      first: { tookMs: 250, leftAfterMs: 200 },
      atLeast: 1_203,
      below: 1_300,
    },
  ])('$name', ({ first, atLeast, below }) => {
    const at = run(first)[calls] ?? 0;
    expect(at).toBeGreaterThanOrEqual(atLeast);
    expect(at).toBeLessThan(below);
  });
});
