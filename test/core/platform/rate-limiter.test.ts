// Tests the contract of the pacer: all buckets or none, exact waits and shares, and the right bucket for a header.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Bucket } from '../../../src/core/model/limits.ts';
import type { Answer, Clock, RateHeaders } from '../../../src/core/model/ports.ts';
import type { ApiRequest } from '../../../src/core/model/request.ts';
import { limitsOf } from '../../../src/core/platform/limits.ts';
import { createPacer } from '../../../src/core/platform/rate-limiter.ts';

class ManualClock implements Clock {
  time = 0;
  now(): number {
    return this.time;
  }
  date(): Date {
    return new Date(this.time);
  }
  sleep(): Promise<void> {
    return Promise.resolve();
  }
}

const users: ApiRequest = { method: 'POST', route: '/users' };
const ok: Answer = { type: 'ok', body: {} };

function bucket(name: string, calls: number, share = 1, windowS = 1): Bucket {
  return { name, calls, windowS, share };
}

function headers(calls: number, more: Partial<RateHeaders> = {}): RateHeaders {
  return { calls, windowS: 1, remaining: calls - 1, resetS: 1, retryAfterS: 0, ...more };
}

function setUp(limits: (request: Pick<ApiRequest, 'method' | 'route'>) => readonly Bucket[]) {
  const clock = new ManualClock();
  return { clock, pacer: createPacer({ clock, limitsOf: limits }) };
}

/** Returns how many calls leave from now on if the caller always asks in time and nothing is learnt. */
function sendFor(ms: number, clock: ManualClock, take: () => number): number {
  const end = clock.time + ms;
  let sent = 0;
  while (clock.time < end) {
    const wait = take();
    if (wait === 0) sent += 1;
    else clock.time += wait;
  }
  return sent;
}

test('the first call of a bucket leaves alone until it is answered', () => {
  const { clock, pacer } = setUp(() => [bucket('a', 200)]);
  expect(pacer.take(users)).toBe(0);
  clock.time = 150;
  expect(pacer.take(users)).toBeGreaterThan(0);
  pacer.learn(users, ok, 0);
  expect(pacer.take(users)).toBe(0);
});

test('no two calls leave together on a platform that is known to admit no burst', () => {
  const clock = new ManualClock();
  const known = { admitsNoBurst: true } as const;
  const pacer = createPacer({ clock, limitsOf: limitsOf({ ratePlan: '25k_mau', limits: {}, share: 1, known }) });
  pacer.take(users);
  pacer.learn(users, ok, 0);
  expect(pacer.take(users)).toBeGreaterThan(1000 / 40);
});

test('a first call without an answer does not block for ever', () => {
  const { clock, pacer } = setUp(() => [bucket('a', 200)]);
  pacer.take(users);
  clock.time = 31_000;
  expect(pacer.take(users)).toBe(0);
});

test('takes a slot in all buckets or in none', () => {
  const { clock, pacer } = setUp((request) =>
    request.route === '/both' ? [bucket('wide', 100), bucket('tight', 1)] : [bucket('wide', 100)],
  );
  const both: ApiRequest = { method: 'POST', route: '/both' };
  expect(pacer.take(both)).toBe(0);
  pacer.learn(both, ok, 0);
  const sent = sendFor(900, clock, () => {
    pacer.take(both);
    return pacer.take(users);
  });
  // If the refused attempts had taken slots in the wide bucket, fewer would be free.
  expect(sent).toBeGreaterThanOrEqual(88);
});

test('a 429 holds calls until RetryAfter, and no longer', () => {
  const { clock, pacer } = setUp(() => [bucket('a', 10)]);
  pacer.take(users);
  clock.time = 100;
  pacer.learn(users, { type: 'limited', retryAfterS: 2.5, rate: headers(10, { remaining: 0, retryAfterS: 2.5 }) }, 0);
  expect(pacer.take(users)).toBe(2500);
  clock.time = 2599;
  expect(pacer.take(users)).toBe(1);
  clock.time = 2600;
  expect(pacer.take(users)).toBe(0);
});

test('a 429 without headers holds all its buckets for one call, then twice as long, at most for a window', () => {
  const { clock, pacer } = setUp((request) => [bucket(request.route, 10), bucket('shared', 10)]);
  const other: ApiRequest = { method: 'POST', route: '/other' };
  // A bucket that was used at its limit. Otherwise refusals in a row show a lower limit.
  for (let call = 0; call < 10; call++) {
    clock.time += pacer.take(users);
    pacer.take(users);
    pacer.learn(users, ok, clock.time);
  }
  clock.time += pacer.take(users);
  pacer.take(users);
  const holds: number[] = [];
  for (let refusal = 0; refusal < 6; refusal++) {
    const sentAt = clock.time;
    pacer.learn(users, { type: 'limited', retryAfterS: undefined }, sentAt);
    holds.push(Math.round(pacer.take(other)));
    clock.time += pacer.take(other);
  }
  expect(holds[0]).toBeGreaterThanOrEqual(100);
  expect(holds[0]).toBeLessThan(110);
  expect(holds.slice(0, 3)).toEqual([100, 200, 400].map((ms) => expect.closeTo(ms, -1)));
  expect(holds.at(-1)).toBe(1000);
  pacer.learn(users, ok, clock.time);
  pacer.learn(users, { type: 'limited', retryAfterS: undefined }, clock.time);
  expect(pacer.take(other)).toBeLessThan(200);
});

describe('a header', () => {
  const inviting: ApiRequest = { method: 'POST', route: '/group_channels', body: { inviter_id: 'ann' } };
  const anonymous: ApiRequest = { method: 'POST', route: '/group_channels', body: {} };

  function callsOf(rates: readonly number[], ratePlan = '25k_mau'): number {
    const { pacer } = setUp(limitsOf({ ratePlan, limits: {}, share: 1 }));
    pacer.take(inviting);
    for (const calls of rates) pacer.learn(inviting, { ...ok, rate: headers(calls) }, 0);
    return Math.round(pacer.status().find((status) => status.name === 'POST /group_channels')?.callsPerSecond ?? 0);
  }

  test('belongs to the bucket whose limit it equals', () => expect(callsOf([5])).toBe(40));
  test('means another rate plan, not a user rule, if its limit is larger', () => {
    expect(callsOf([10])).toBe(10);
    expect(callsOf([10, 5])).toBe(10);
    expect(callsOf([10, 40])).toBe(40);
  });

  test('otherwise belongs to the tightest rule of the application', () => {
    const migrate: ApiRequest = { method: 'POST', route: '/migration/{channel_url}', params: { channel_url: 'c' } };
    const { pacer } = setUp(limitsOf({ ratePlan: '25k_mau', limits: {}, share: 1 }));
    pacer.take(migrate);
    pacer.learn(migrate, { ...ok, rate: headers(12) }, 0);
    expect(pacer.status().map((status) => Math.round(status.callsPerSecond))).toEqual([40, 12]);
  });

  test('may show another window', () => {
    const { clock, pacer } = setUp(() => [bucket('a', 100)]);
    pacer.take(users);
    pacer.learn(users, { ...ok, rate: headers(60, { windowS: 60, resetS: 60 }) }, 0);
    expect(sendFor(30_000, clock, () => pacer.take(users))).toBeLessThanOrEqual(31);
  });

  test('of one user does not slow the application', () => {
    const { clock, pacer } = setUp(limitsOf({ ratePlan: '25k_mau', limits: {}, share: 1 }));
    pacer.take(inviting);
    pacer.learn(inviting, { type: 'limited', retryAfterS: 9, rate: headers(5, { remaining: 0, retryAfterS: 9 }) }, 0);
    expect(pacer.take(inviting)).toBe(9000);
    clock.time = 100;
    expect(pacer.take(anonymous)).toBe(0);
  });
});

test('no burst follows a paused process: at most twice the rate, and never more than a window admits', () => {
  const { clock, pacer } = setUp(() => [bucket('a', 100)]);
  const sentAt: number[] = [];
  const run = (ms: number) => {
    const end = clock.time + ms;
    while (clock.time < end) {
      const wait = pacer.take(users);
      if (wait === 0) sentAt.push(clock.time);
      else clock.time += wait;
      pacer.learn(users, ok, sentAt.at(-1) ?? 0);
    }
  };
  run(2_000);
  clock.time += 6_000;
  const from = clock.time;
  sentAt.length = 0;
  run(3_000);
  for (const ms of [50, 100, 250]) {
    expect(sentAt.filter((at) => at < from + ms).length).toBeLessThanOrEqual((2 * ms) / 10 + 7);
  }
  for (const [place, at] of sentAt.entries())
    expect((sentAt[place + 100] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThan(1000);
});

describe('calls that name no user', () => {
  const create = (first: string): ApiRequest => ({
    method: 'POST',
    route: '/group_channels',
    body: { user_ids: [first, 'zoe'] },
  });
  const counted = (remaining: number): Answer => ({ ...ok, rate: headers(5, { remaining }) });

  function sendThree(remaining: readonly [number, number, number]) {
    const limits = limitsOf({ ratePlan: '25k_mau', limits: {}, share: 1 });
    const { clock, pacer } = setUp(limits);
    expect(pacer.take(create('ann'))).toBe(0);
    clock.time = 300;
    pacer.learn(create('ann'), counted(remaining[0]), 0);
    for (const [place, user] of ['ben', 'cem'].entries()) {
      for (let wait = pacer.take(create(user)); wait > 0; wait = pacer.take(create(user))) clock.time += wait;
      const sentAt = clock.time;
      clock.time += 5;
      pacer.learn(create(user), counted(remaining[place + 1] ?? 0), sentAt);
    }
    const names = limits(create('ann')).map(({ name }) => name);
    const rate = Math.round(pacer.status()[0]?.callsPerSecond ?? 0);
    return { names, rate, isFirstListed: limits.countsFirstListed() };
  }

  test('count for the first listed user if each of them has an unused counter', () => {
    expect(sendThree([4, 4, 4])).toEqual({
      names: ['POST /group_channels', 'POST /group_channels · user ann'],
      rate: 40,
      isFirstListed: true,
    });
  });

  test('count together, apart from calls that name a user, if they share a counter', () => {
    // The plan's own pace stays as declared.
    const shared = { names: ['POST /group_channels'], rate: 40, isFirstListed: false };
    expect(sendThree([4, 4, 3])).toEqual(shared);
    expect(sendThree([4, 3, 2])).toEqual(shared);
  });
});

test('forgets users without further calls', () => {
  const { clock, pacer } = setUp(limitsOf({ ratePlan: '100k_mau', limits: {}, share: 1 }));
  const put = (user: string): ApiRequest => ({ method: 'PUT', route: '/users/{user_id}', params: { user_id: user } });
  pacer.take(put('first'));
  pacer.learn(put('first'), ok, 0);
  const before = process.memoryUsage().heapUsed;
  for (let user = 0; user < 50_000; user++) {
    for (let wait = pacer.take(put(`u${user}`)); wait > 0; wait = pacer.take(put(`u${user}`))) clock.time += wait;
  }
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(60_000_000);
  expect(pacer.status()).toHaveLength(1);
});

test('the share is kept in every window, for any calls and answers', () => {
  const scenario = fc.record({
    calls: fc.integer({ min: 1, max: 40 }),
    windowS: fc.constantFrom(1, 2.5, 60),
    share: fc.double({ min: 0.02, max: 1, noNaN: true }),
    turns: fc.array(
      fc.record({
        pauseMs: fc.oneof(fc.double({ min: 0, max: 30, noNaN: true }), fc.double({ min: 0, max: 4000, noNaN: true })),
        attempts: fc.integer({ min: 1, max: 60 }),
        limited: fc.boolean(),
        remaining: fc.integer({ min: 0, max: 40 }),
        resetS: fc.double({ min: 0, max: 3, noNaN: true }),
        retryAfterS: fc.double({ min: 0, max: 1, noNaN: true }),
        told: fc.boolean(),
      }),
      { maxLength: 60 },
    ),
  });
  fc.assert(
    fc.property(scenario, ({ calls, windowS, share, turns }) => {
      const { clock, pacer } = setUp(() => [bucket('a', calls, share, windowS)]);
      const sent: number[] = [];
      for (const turn of turns) {
        clock.time += turn.pauseMs;
        for (let attempt = 0; attempt < turn.attempts; attempt++) {
          if (pacer.take(users) === 0) sent.push(clock.time);
        }
        const rate = {
          calls,
          windowS,
          remaining: Math.min(calls, turn.remaining),
          resetS: turn.resetS,
          retryAfterS: 0,
        };
        const answer: Answer = turn.limited ? { type: 'limited', retryAfterS: turn.retryAfterS } : ok;
        pacer.learn(users, turn.told ? { ...answer, rate } : answer, sent.at(-1) ?? 0);
      }
      const allowed = calls * share;
      // With less than one call per window the share is kept on average over several windows.
      const whole = Math.max(1, Math.floor(allowed + 1e-9));
      const windowMs = windowS * 1000 * Math.max(1, 1 / allowed);
      for (const [index, at] of sent.entries()) {
        const later = sent[index + whole];
        if (later !== undefined && later - at < windowMs * (1 - 1e-9)) return false;
      }
      return true;
    }),
    { numRuns: 300, seed: 7 },
  );
});
