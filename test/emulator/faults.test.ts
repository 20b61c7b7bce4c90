// Tests that each fault has the effect on request and client that the README documents.

import { describe, expect, test } from 'vitest';
import { type FaultKind, type FaultRule, FaultSource, parseFaults } from '../../src/emulator/faults.ts';
import { startEmulator } from '../../src/emulator/server.ts';
import { messageOf, startApi } from './support/support.ts';

const OPEN = { name: 'x', channel_url: 'lobby' };

test.for([
  ['reset_before', 'no answer', 0],
  ['reset_after', 'no answer', 1],
  ['error_500_before', 500901, 0],
  ['error_500_after', 500901, 1],
  ['error_503', 500901, 0],
  ['quota_exceeded', 400306, 0],
  ['truncate', 'no answer', 1],
  ['rate_limited', 500910, 0],
  ['partial_batch', 500901, 0],
  ['hang_before', 'silence', 0],
  ['hang_after', 'silence', 1],
] as const satisfies readonly (readonly [FaultKind, unknown, number])[])(
  '%s at the second request',
  async ([fault, seen, effects]) => {
    const api = await startApi({ faults: { rules: [{ fault, route: 'POST /open_channels', at: [2] }] } });
    await api.ok('POST', '/open_channels', {});
    const answered = api.code('POST', '/open_channels', OPEN).catch(() => 'no answer');
    const silence = new Promise((resolve) =>
      setTimeout(() => resolve('silence'), fault.startsWith('hang') ? 30 : 5000),
    );
    expect(await Promise.race([answered, silence])).toBe(seen);
    expect(await api.ids('/open_channels')).toHaveLength(1 + effects);
    if (effects === 0) await api.ok('POST', '/open_channels', OPEN);
  },
);

test('stores the first half of a migration with partial_batch', async () => {
  const rules = [{ fault: 'partial_batch', at: [1], route: 'POST /migration/{channel_url}' }] as const;
  const api = await startApi({ faults: { rules } });
  await api.users('ann');
  await api.room('room-1', ['ann']);
  const messages = Array.from({ length: 5 }, (_, n) => messageOf('ann', n, { dedup_id: String(n) }));
  const total = () => api.get('/group_channels/room-1/messages/total_count');
  expect((await api.call('POST', '/migration/room-1', { messages })).status).toBe(500);
  expect(await total()).toEqual({ total: 2 });
  await api.ok('POST', '/migration/room-1', { messages });
  expect(await total()).toEqual({ total: 5 });
});

test('announces how long to wait in a storm of 429', async () => {
  const faults = { rules: [{ fault: 'rate_limited', at: [1], times: 3, ms: 250 }] } as const;
  const api = await startApi({ rateLimits: true, faults });
  for (let n = 0; n < 3; n++) {
    const { status, headers } = await api.call('GET', '/users');
    const told = ['retryafter', 'remaining', 'limit'].map((name) => headers.get(`x-ratelimit-${name}`));
    expect([status, ...told]).toEqual([429, '0.250', '0', '60;w=1']);
  }
  await api.get('/users');
  expect(api.emulator.stats.limited).toBe(3);
});

test.for([
  ['rate_limited', 'seconds', 429],
  ['rate_limited', 'date', 429],
  ['rate_limited', 'none', 429],
  ['error_503', 'seconds', 503],
  ['error_503', 'date', 503],
] as const)('%s asks to wait as a gateway does: %s', async ([fault, form, expected]) => {
  const rules = [{ fault, ms: 119_500, retry_after: form }] as const;
  const api = await startApi({ rateLimits: true, faults: { rules } });
  const { status, headers } = await api.call('GET', '/users');
  expect(status).toBe(expected);
  expect([...headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  const told = headers.get('retry-after') ?? '';
  if (form !== 'date') expect(told).toBe(form === 'seconds' ? '120' : '');
  else expect((Date.parse(told) - Date.parse(headers.get('date') ?? '')) / 1000).toBeCloseTo(119.5, -1);
});

test('delays the answer and not the count with latency', async () => {
  const api = await startApi({ latencyMs: 20, faults: { rules: [{ fault: 'latency', ms: 20 }] } });
  const start = performance.now();
  await api.get('/users');
  expect(performance.now() - start).toBeGreaterThan(38);
});

describe('rules', () => {
  const strikes = (rules: readonly FaultRule[], seed: number, routes: readonly string[]) => {
    const source = new FaultSource({ seed, rules });
    return routes.map((route) => source.next(route)?.kind ?? '-');
  };
  const many = Array.from({ length: 1000 }, () => 'GET /users');

  test('apply by probability, the same for the same seed', () => {
    const rules: FaultRule[] = [{ fault: 'error_503', probability: 0.1 }];
    const hits = strikes(rules, 1, many);
    expect(hits.filter((kind) => kind !== '-').length).toBeGreaterThan(70);
    expect(hits.filter((kind) => kind !== '-').length).toBeLessThan(130);
    expect(strikes(rules, 1, many)).toEqual(hits);
    expect(strikes(rules, 2, many)).not.toEqual(hits);
  });

  test('count the requests of their own route', () => {
    const rules: FaultRule[] = [{ fault: 'error_503', route: 'POST /users', at: [2] }];
    const routes = ['GET /users', 'POST /users', 'GET /users', 'POST /users', 'POST /users'];
    expect(strikes(rules, 1, routes)).toEqual(['-', '-', '-', 'error_503', '-']);
  });

  test('have latencies with the mean of their distribution', () => {
    for (const distribution of ['constant', 'uniform', 'exponential'] as const) {
      const source = new FaultSource({ rules: [{ fault: 'latency', ms: 100, distribution }] });
      const mean = many.reduce((sum, route) => sum + (source.next(route)?.latencyMs ?? 0), 0) / many.length;
      expect(Math.abs(mean - 100)).toBeLessThan(12);
    }
  });

  test.for([
    [null, 'expected an object'],
    [{ rules: [{ fault: 'x' }] }, 'rules[0].fault must be one of'],
    [{ rules: [{ fault: 'hang_after', probability: 2 }] }, 'rules[0].probability'],
    [{ rules: [{ fault: 'hang_after', at: [0] }] }, 'rules[0].at'],
    [{ rules: [{ fault: 'hang_after', times: 0 }] }, 'rules[0].times'],
    [{ rules: [{ fault: 'latency', ms: -1 }] }, 'rules[0].ms'],
    [{ rules: [{ fault: 'latency', distribution: 'x' }] }, 'rules[0].distribution'],
    [{ rules: [{ fault: 'rate_limited', retry_after: 'x' }] }, 'rules[0].retry_after must be one of'],
    [{ rules: [{ fault: 'truncate', retry_after: 'date' }] }, 'rules[0].retry_after is for'],
    [{ rules: [], seed: 'x' }, '"seed"'],
  ] as const)('are refused in a bad file: %j', ([value, message]) => {
    expect(() => parseFaults(value)).toThrow(message);
  });
});

test('replaces the rules by the admin call, which is off by default', async () => {
  const put = async (url: string, body: string) =>
    (await fetch(url.replace('/v3', '/_emulator/faults'), { method: 'PUT', body })).status;
  const off = await startApi();
  expect(await put(off.emulator.url, '{"rules":[]}')).toBe(400);
  const on = await startApi({ admin: true });
  expect(await put(on.emulator.url, '{"rules":[{"fault":"error_503"}]}')).toBe(200);
  expect((await on.call('GET', '/users')).status).toBe(503);
  expect(await put(on.emulator.url, 'nonsense')).toBe(400);
  expect(await put(on.emulator.url, '{"rules":[]}')).toBe(200);
  await on.get('/users');
});

test('logs one line for each answer, without ids of known routes', async () => {
  const lines: string[] = [];
  const api = await startApi({ log: (line) => lines.push(line) });
  await api.users('ann');
  await api.call('GET', '/users/ann');
  await api.call('GET', '/nowhere');
  expect(lines).toEqual(['200 POST /users', '200 GET /users/{user_id}', '400 GET /v3/nowhere']);
});

test('takes its token from the options, or from the given randomness', async () => {
  const tokenOf = async (options: object): Promise<string> => {
    const { token, close } = await startEmulator(options);
    await close();
    return token;
  };
  const random = () => 0.5;
  expect(await tokenOf({ random })).toBe(await tokenOf({ random }));
  expect(await tokenOf({ random })).toHaveLength(40);
  expect(await tokenOf({ token: 'mine' })).toBe('mine');
});
