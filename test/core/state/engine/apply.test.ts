// Tests how much time an apply loses with a slow store, given that begins are written before their slots.
import { expect, test } from 'vitest';
import { inSuite } from '../../../support/suite.ts';
import { applyBeside, type CallAt, creationOfUser } from '../support/apply-beside.ts';

const channelOf =
  (...inviters: string[]): CallAt =>
  (index) => ({
    method: 'POST',
    route: '/group_channels',
    body: { channel_url: `channel-${index}`, inviter_id: inviters[index % inviters.length] ?? '' },
  });

const rows = [
  {
    what: '35 steps a second, for seven users',
    storeMs: 30,
    count: 1_400,
    callAt: channelOf(...'abcdefg'),
    most: 1.005,
  },
];
const longRows = [
  { what: '200 steps a second', storeMs: 30, count: 4_000, callAt: creationOfUser, most: 1.005 },
  { what: '200 steps a second', storeMs: 5, count: 4_000, callAt: creationOfUser, most: 1.001 },
  { what: '200 steps a second', storeMs: 100, count: 16_000, callAt: creationOfUser, most: 1.01 },
  { what: '5 steps a second, for one user', storeMs: 30, count: 200, callAt: channelOf('a'), most: 1.005 },
];

/** The rest is the first begins, before the pace is known, and the last entries. */
test.for(inSuite(rows, longRows))(
  '$what beside a store of $storeMs ms: at most $most of the time with a state that costs nothing',
  async (row) => {
    const { storeMs, count, callAt, most } = row;
    const { free, store } = await applyBeside(storeMs, count, callAt);
    for (const { report, size } of [free, store]) {
      expect(report).toMatchObject({ outcome: 'done', steps: { succeeded: count } });
      expect(size).toBe(count);
    }
    expect(store.report.lower_bound_s).toBe(free.report.lower_bound_s);
    expect(store.report.duration_s).toBeLessThan(most * free.report.duration_s);
  },
);
