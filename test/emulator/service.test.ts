// Tests the whole emulator without HTTP or real waiting: ten minutes of requests, repeatable by seed.

import { expect, test } from 'vitest';
import { FaultSource } from '../../src/emulator/faults.ts';
import { Limiter } from '../../src/emulator/limits/limiter.ts';
import { EmulatedPlatform } from '../../src/emulator/platform.ts';
import { Service } from '../../src/emulator/service.ts';
import { Stats } from '../../src/emulator/stats.ts';

function start(seed: number) {
  const platform = new EmulatedPlatform({ token: 't', seed: 's' });
  const stats = new Stats();
  const faults = new FaultSource({ seed, rules: [{ fault: 'error_500_after', probability: 0.1 }] });
  const limiter = new Limiter(
    { plan: 'free_trial', raised: {}, userScope: 'named', planLimits: 'endpoint' },
    'sliding',
  );
  return { platform, stats, service: new Service({ platform, stats, faults, limiter }) };
}

function createUser(id: string) {
  const value = { user_id: id, nickname: id, profile_url: '' };
  const headers = { 'api-token': 't' };
  return { method: 'POST', path: '/v3/users', query: '', headers, body: { type: 'json', value } } as const;
}

/** A client that sends as early as allowed, starting at time 0. */
function tenMinutes(seed: number) {
  const { platform, stats, service } = start(seed);
  let errors = 0;
  let nowMs = 0;
  for (let n = 0; nowMs < 600_000; n++) {
    const arrival = service.arrive(createUser(`u${n}`), nowMs);
    const outcome = service.finish(arrival, nowMs);
    if (outcome.status === 500) errors++;
    if (outcome.status === 429) nowMs += Number(outcome.headers['X-RateLimit-RetryAfter']) * 1000;
  }
  return { users: platform.state.users.size, errors, limited: stats.limited };
}

test('gives a client at full speed the five calls a second of the free trial', () => {
  const result = tenMinutes(1);
  expect(result.users).toBe(3000);
  expect(result.limited).toBe(600);
  expect(result.errors).toBeGreaterThan(230);
  expect(result.errors).toBeLessThan(370);
  expect(tenMinutes(1)).toEqual(result);
  expect(tenMinutes(2).errors).not.toBe(result.errors);
});
