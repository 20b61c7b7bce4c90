// Tests the comparison of limits that headers announce with the declared ones, and the advice on what to declare.
import { expect, test } from 'vitest';
import type { RateSettings } from '../../../src/core/model/limits.ts';
import { announcedInWords } from '../../../src/core/model/limits.ts';
import type { ApiRequest } from '../../../src/core/model/request.ts';
import { limitsOf } from '../../../src/core/platform/limits.ts';
import { parseRateHeaders } from '../../../src/core/platform/rate-headers.ts';
import { createPacer } from '../../../src/core/platform/rate-limiter.ts';

type Seen = readonly [call: string, calls: number, windowS?: number];

/** What a pacer says after answers to these calls, declared under the 5k plan. */
function saidOf(seen: readonly Seen[], settings: Partial<RateSettings> = {}): string | undefined {
  let now = 0;
  const clock = { now: () => now, date: () => new Date(now), sleep: async () => {} };
  const limits = limitsOf({ ratePlan: '5k_mau', limits: {}, share: 1, ...settings });
  const pacer = createPacer({ clock, limitsOf: limits });
  for (const [call, calls, windowS = 1] of seen) {
    const [method = '', route = '', user] = call.split(' ');
    const body = user === undefined ? {} : { user_ids: [user] };
    const request = { method, route, params: { user_id: 'ann', channel_url: 'room' }, body } as ApiRequest;
    const rate = { calls, windowS, remaining: calls - 1, resetS: windowS, retryAfterS: 0 };
    now += 2000;
    pacer.learn(request, { type: 'ok', body: {}, rate }, now - 1);
  }
  const announced = pacer.announced?.();
  return announced && announcedInWords(announced);
}

const differs = 'The platform announces other limits than declared: ';

test.for<readonly [seen: readonly Seen[], said: string | undefined, settings?: Partial<RateSettings>]>([
  [[], undefined],
  [
    [
      ['POST /users', 10],
      ['GET /users', 60],
    ],
    undefined,
  ],
  // The stricter rules are the same in every plan.
  [
    [
      ['PUT /users/{user_id}', 5],
      ['POST /migration/{channel_url}', 5],
      ['POST /group_channels ann', 5],
    ],
    undefined,
  ],
  [
    [
      ['POST /users', 40],
      ['POST /open_channels', 40],
    ],
    `${differs}40 instead of 10 POST calls a second. Write application: {rate_plan: 25k_mau} in the manifest, or pass --rate-plan 25k_mau.`,
  ],
  [
    [
      ['POST /users', 5],
      ['GET /users', 10],
    ],
    `${differs}10 instead of 60 GET calls a second, 5 instead of 10 POST calls a second. Write application: {rate_plan: free_trial} in the manifest, or pass --rate-plan free_trial.`,
  ],
  // No plan has both.
  [
    [
      ['POST /users', 40],
      ['GET /users', 60],
    ],
    `${differs}40 instead of 10 POST calls a second. Write application: {limits: {POST: 40}} in the manifest.`,
  ],
  [
    [['POST /users', 100, 60]],
    `${differs}1.66 instead of 10 POST calls a second. Write application: {limits: {POST: 1.66}} in the manifest.`,
  ],
  [
    [
      ['POST /users', 40],
      ['POST /open_channels', 10],
    ],
    `${differs}40 instead of 10 POST /users calls a second. Write application: {limits: {"POST /users": 40}} in the manifest.`,
  ],
  [
    [['POST /migration/{channel_url}', 20]],
    `${differs}20 instead of 10 POST /migration/{channel_url} calls a second. Write application: {limits: {"POST /migration/{channel_url}": 20}} in the manifest.`,
  ],
  [[['POST /users', 40]], undefined, { limits: { POST: 40 } }],
  [[['POST /users', 10]], undefined, { share: 0.5 }],
])('after %j', ([seen, said, settings]) => {
  expect(saidOf(seen, settings)).toBe(said);
});

const usual = { limit: '20;w=1', remaining: '7', reset: '0.5', retryafter: '0' };
const read = { calls: 20, windowS: 1, remaining: 7, resetS: 0.5, retryAfterS: 0 };

test.for([
  [{}, read],
  [{ limit: '20; w=1' }, read],
  [{ limit: '20 ;w = 1' }, read],
  [{ remaining: 'many' }, { ...read, remaining: 19 }],
  [{ remaining: undefined }, { ...read, remaining: 19 }],
  [{ reset: '-0.2' }, { ...read, resetS: 0 }],
  [{ reset: '1e-3' }, { ...read, resetS: 1 }],
  [{ reset: undefined }, { ...read, resetS: 1 }],
  [{ retryafter: 'soon' }, read],
  [{ limit: '20' }, undefined],
  [{ limit: '0;w=1' }, undefined],
  [{ limit: undefined }, undefined],
] as const)('reads headers with %j as %j', ([odd, expected]) => {
  const headers = Object.entries({ ...usual, ...odd }).map(([name, value]) => [`x-ratelimit-${name}`, value]);
  expect(parseRateHeaders(Object.fromEntries(headers))).toEqual(expected);
});
