// Tests that the pacer finds out whether the plan's limit counts each endpoint or all calls of a method.
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../src/emulator/random.ts';
import type { RatePlan } from '../../src/model/limits.ts';
import type { ApiRequest } from '../../src/model/request.ts';
import { memoryBackend } from '../../src/state/stores/memory.ts';
import { Simulation } from '../../src/tools/rehearsal/simulation/simulation.ts';
import { fastTest, inSuite } from '../support/suite.ts';

const routes = ['/users', '/open_channels', '/bots'] as const;
const posts: Readonly<Record<string, number>> = { '5k_mau': 10, '100k_mau': 200 };

interface Scenario {
  readonly planLimits: 'endpoint' | 'method';
  readonly window: string;
  readonly plan: RatePlan;
  readonly headers: boolean;
  /** Calls of each route. */
  readonly calls: readonly number[];
  /** When the last route begins. */
  readonly lateMs?: number;
}

/** Sends the calls of all routes at once, as fast as the pacer allows, and repeats refused ones. */
async function play({ planLimits, window, plan, headers, calls, lateMs = 0 }: Scenario) {
  const random = seededRandom(1);
  const simulation = new Simulation({
    rates: { ratePlan: plan, limits: {}, share: 1 },
    startsAt: new Date('2026-06-01T00:00:00Z'),
    random,
    window,
    readings: { planLimits },
    latencyMs: () => 20 + 280 * random(),
    jitterMs: () => 3 * random(),
    variables: () => '',
    readFile: async () => new Uint8Array(),
    listToSend: async () => [],
    readList: async () => [],
  });
  const { clock, limits, stats } = simulation;
  const backend = memoryBackend({ clock, owner: { user: 'test', host: 'test', pid: 1 }, newId: () => 'lineage' });
  const state = await backend.open({ application: 'test', lockTimeoutMs: 0 });
  const { platform, pacer } = simulation.process({ state });
  const slot = async (request: ApiRequest): Promise<void> => {
    for (let waitMs = pacer.take(request); waitMs > 0; waitMs = pacer.take(request)) await clock.sleep(waitMs);
  };
  const send = async (request: ApiRequest): Promise<void> => {
    const sentAt = clock.now();
    const { rate, ...answer } = await platform.send(request);
    pacer.learn(request, headers && rate !== undefined ? { ...answer, rate } : answer, sentAt);
    if (answer.type !== 'limited') return;
    await slot(request);
    await send(request);
  };
  const lane = async (route: string, count: number): Promise<void> => {
    const underWay: Promise<void>[] = [];
    for (let place = 0; place < count; place++) {
      const request: ApiRequest = { method: 'POST', route, body: { user_id: `u${place}` } };
      await slot(request);
      underWay.push(send(request));
    }
    await Promise.all(underWay);
  };
  const begun = calls.map(async (count, place) => {
    if (place === calls.length - 1) await clock.sleep(lateMs);
    await lane(routes[place] ?? '', count);
  });
  await clock.run(Promise.all(begun));
  const sum = calls.reduce((total, count) => total + count, 0);
  const slowest = planLimits === 'method' ? sum : Math.max(...calls);
  return {
    isLearnt: limits.countsMethods?.(),
    refused: stats.limited,
    share: stats.limited / sum,
    /** The shortest possible time. */
    times: clock.now() / ((1000 * (slowest - 1)) / (posts[plan] ?? 1)),
  };
}

const windows = ['sliding', 'fixed', 'gcra', 'gcra_strict'];
const every = windows.flatMap((window, place) =>
  (['5k_mau', '100k_mau'] as const).flatMap((plan, size) =>
    // Each window with the slower plan, with headers or without, in the fast suite.
    [true, false].flatMap((headers, shown) =>
      inSuite(size === 0 && shown === place % 2, true) ? [{ window, plan, headers }] : [],
    ),
  ),
);

/** Any pacer needs time to learn the distance of calls that a platform without bursts requires. */
const mostTimes = (window: string) => (window === 'gcra_strict' ? 2 : 1.04);
/** In a minute of ten calls a second, this learning costs more than one call in a hundred. */
const mostRefused = (window: string) => (window === 'gcra_strict' ? 0.015 : 0.01);

describe('a platform that counts the calls of a method together', () => {
  test.for(every)('is recognised: $window, $plan, headers $headers', async ({ window, plan, headers }) => {
    const count = plan === '5k_mau' ? 300 : 2000;
    const result = await play({ planLimits: 'method', window, plan, headers, calls: [count, count, count] });
    expect(result.isLearnt).toBe(true);
    expect(result.share).toBeLessThanOrEqual(mostRefused(window));
    expect(result.times).toBeLessThanOrEqual(mostTimes(window));
  });

  fastTest('is recognised when one endpoint begins late', async () => {
    const late = { planLimits: 'method', window: 'sliding', plan: '5k_mau', headers: false } as const;
    const result = await play({ ...late, calls: [300, 100], lateMs: 15_000 });
    expect(result.isLearnt).toBe(true);
    expect(result.share).toBeLessThanOrEqual(0.02);
  });
});

describe('a platform that counts each endpoint', () => {
  test.for(every)(
    'is not mistaken for the other: $window, $plan, headers $headers',
    async ({ window, plan, headers }) => {
      const count = plan === '5k_mau' ? 300 : 2000;
      const result = await play({ planLimits: 'endpoint', window, plan, headers, calls: [count, count, count / 2] });
      expect(result.isLearnt).toBe(false);
      expect(result.share).toBeLessThanOrEqual(mostRefused(window));
      expect(result.times).toBeLessThanOrEqual(mostTimes(window));
    },
  );
});
