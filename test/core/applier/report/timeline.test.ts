// Tests the timeline of a report: every call is counted once, and its size does not grow with the run.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AnswerTimes, Timeline } from '../../../../src/core/applier/report/timeline.ts';
import type { Answer } from '../../../../src/core/model/ports.ts';
import { limitsOf } from '../../../../src/core/platform/limits.ts';

const answers = {
  ok: { type: 'ok', body: {} },
  limited: { type: 'limited', retryAfterS: 1 },
  refused: { type: 'refused', status: 400, code: 400105, message: 'Ada Lovelace must be shorter.' },
  unsent: { type: 'unsent', message: 'no connection' },
  unknown: { type: 'unknown', message: 'reset' },
} as const satisfies Record<string, Answer>;
type Kind = keyof typeof answers;

const call = (kind: Kind, tookMs = 10, again = false, route = '/users', key = 'alice') => ({
  step: { address: `user.${key}`, action: 'create' } as const,
  request: { method: 'POST', route, params: {} } as const,
  answer: answers[kind],
  again,
  tookMs,
});
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

describe('over time', () => {
  test('a route that the plan does not list has the limit of its calls', () => {
    const timeline = new Timeline(0);
    timeline.answered(call('ok', 10, false, '/bots'), 10);
    timeline.answered(call('ok', 10, false, '/users'), 20);
    const limits = limitsOf({ ratePlan: '25k_mau', limits: { POST: 30 }, share: 0.5 });
    const planned = [{ route: 'POST /users', calls: 1, allowed_per_s: 5 }];
    const allowed = (...args: Parameters<Timeline['end']>) =>
      timeline.end(...args).lanes.map(({ allowed_per_s }) => allowed_per_s);
    expect(allowed(planned, limits)).toEqual([15, 5]);
    expect(allowed(planned)).toEqual([undefined, 5]);
  });

  test('counts each call once, in at most 120 slots, in order', () => {
    const event = fc.record({
      kind: fc.constantFrom<Kind[]>('ok', 'limited', 'refused', 'unsent', 'unknown'),
      afterMs: fc.nat({ max: 200_000 }),
      tookMs: fc.nat({ max: 30_000 }),
      again: fc.boolean(),
      route: fc.constantFrom('/users', '/group_channels'),
      stateMs: fc.nat({ max: 5_000 }),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 200 }), (events) => {
        const timeline = new Timeline(1_000);
        let now = 1_000;
        for (const { kind, afterMs, tookMs, again, route, stateMs } of events) {
          now += afterMs;
          timeline.answered(call(kind, tookMs, again, route), now);
          timeline.stateWaited(stateMs, now);
        }
        const { slot_s, lanes, state_ms, calls, calls_left_out } = timeline.end([
          { route: 'POST /users', calls: 1, allowed_per_s: 5 },
        ]);
        const left = events.filter(({ kind }) => kind !== 'unsent');
        for (const route of ['/users', '/group_channels']) {
          const lane = lanes.find((one) => one.route === route);
          const own = events.filter((one) => one.route === route);
          expect(sum(lane?.sent ?? [])).toBe(own.filter((one) => left.includes(one)).length);
          expect(sum(lane?.limited ?? [])).toBe(own.filter(({ kind }) => kind === 'limited').length);
          expect(sum(lane?.retried ?? [])).toBe(own.filter((one) => left.includes(one) && one.again).length);
          expect(lane?.sent.length ?? 0).toBeLessThanOrEqual(120);
        }
        expect(Math.max(0, ...state_ms)).toBe(Math.max(0, ...events.map(({ stateMs }) => stateMs)));
        expect(calls.length + calls_left_out).toBe(events.length);
        expect(calls.map(({ at_s }) => at_s)).toEqual(calls.map(({ at_s }) => at_s).sort((one, two) => one - two));
        expect(slot_s * 120_000).toBeGreaterThan(now - 1_000 - 1);
      }),
    );
  });

  test('counts a call when it left, and a stall when it ended', () => {
    const timeline = new Timeline(0);
    timeline.answered(call('ok', 2_500), 3_000);
    timeline.stateWaited(900, 4_100);
    const { slot_s, lanes, state_ms } = timeline.end([]);
    expect({ slot_s, sent: lanes[0]?.sent, state_ms }).toEqual({
      slot_s: 1,
      sent: [1, 0, 0, 0, 0],
      state_ms: [0, 0, 0, 0, 900],
    });
  });

  test('keeps its size for a million calls, and keeps the failed ones', () => {
    const timeline = new Timeline(0);
    for (let at = 0; at < 1_000_000; at += 1) {
      const kind = at % 10_000 === 9_999 ? 'refused' : 'ok';
      timeline.answered(call(kind, 10, false, '/users', `u${at}`), at * 25);
    }
    const series = timeline.end([{ route: 'POST /users', calls: 1, allowed_per_s: 40 }]);
    expect(series.calls.filter(({ answer }) => answer === 'refused 400 (400105)')).toHaveLength(100);
    expect(series.calls).toHaveLength(2_100);
    expect(series.calls_left_out).toBe(997_900);
    expect(series.lanes[0]).toMatchObject({ allowed_per_s: 40 });
    expect(sum(series.lanes[0]?.sent ?? [])).toBe(1_000_000);
    expect(JSON.stringify(series).length).toBeLessThan(500_000);
  });

  test('drops the text of an answer, which may contain names', () => {
    const timeline = new Timeline(0);
    timeline.answered(call('refused'), 10);
    expect(JSON.stringify(timeline.end([]))).not.toContain('Ada');
  });
});

test('its quantiles are within ten percent', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60_000 }), { minLength: 1, maxLength: 300 }), (times) => {
      const counted = new AnswerTimes();
      for (const time of times) counted.add(time);
      const sorted = [...times].sort((left, right) => left - right);
      for (const share of [0.5, 0.95, 0.99]) {
        const exact = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
        const found = counted.quantileMs(share);
        expect(found).toBeLessThanOrEqual(exact * 1.001);
        expect(found).toBeGreaterThan(exact / 1.11);
      }
    }),
  );
});
