// Tests that an export is priced with few requests, exactly where every channel is counted.
import { expect, test } from 'vitest';
import { limitsOf } from '../../../src/core/platform/limits.ts';
import { LiveReader } from '../../../src/core/refresh/send.ts';
import { priceOf } from '../../../src/tools/live-import/export/price.ts';
import { VirtualClock } from '../../../src/tools/rehearsal/simulation/virtual-clock.ts';

const limits = limitsOf({ ratePlan: '5k_mau', share: 1, limits: {} });

/** Prices channels with so many messages each. */
async function priced(totals: readonly number[], written = 0) {
  const reader = new LiveReader({
    platform: {
      send: async ({ params }) => ({ type: 'ok', body: { total: totals[Number(params?.channel_url)] ?? 0 } }),
    },
    pacer: { take: () => 0, learn: () => {} },
    clock: new VirtualClock(new Date(0)),
    random: () => 0,
  });
  const channels = () => totals.map((_, key) => ({ kind: 'open_channel', key: `${key}`, attributes: {}, written }));
  const price = await priceOf({ channels, reactions: true, users: 0 }, reader, limits);
  return { price, asked: reader.requests };
}

test.for([
  { totals: [], requests: 0 },
  { totals: [0], requests: 2 },
  { totals: [1, 200], requests: 6 },
  { totals: [201, 399, 400], requests: 13 },
])('counts every channel of a small application: $totals', async ({ totals, requests }) => {
  const { price, asked } = await priced(totals);
  expect(asked).toBe(totals.length);
  expect(price).toMatchObject({ requests, is_estimate: false });
});

test('estimates a large application from a hundred channels', async () => {
  const { price, asked } = await priced(Array.from({ length: 5_000 }, (_, place) => (place % 7) * 100));
  expect(asked).toBe(100);
  expect(price.is_estimate).toBe(true);
  const [{ objects = 0 } = {}] = price.kinds;
  expect(Math.abs(objects - 1_500_000) / 1_500_000).toBeLessThan(0.1);
  // Another list than that of users may be read 60 times a second.
  expect(price.lower_bound_s).toBeCloseTo((price.requests - 1) / 60, 2);
});

test('leaves out what is there already', async () => {
  expect((await priced([500], 500)).price).toMatchObject({ requests: 2 });
});
