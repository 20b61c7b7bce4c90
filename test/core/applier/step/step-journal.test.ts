// Tests begins that are written before their slots: their number, and that none remains after the run.
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../../src/core/model/errors.ts';
import { bucket } from '../support/fake-pacer.ts';
import { keyOf } from '../support/fake-platform.ts';
import { keys, type Rig, type RigOptions, rig } from '../support/rig.ts';
import { create, update } from '../support/steps.ts';

const perS = 40;
const things = (count: number) => keys(count).map((key) => create(key));

/** The number of durable begins whose call has not left, at each call. */
function slowRig(syncMs: number, options: RigOptions = {}): Rig & { readonly ahead: number[] } {
  const ahead: number[] = [];
  const left = new Set<string>();
  const made = rig({
    limits: () => [bucket('all', perS)],
    syncMs,
    ...options,
    onCall: (request) => {
      left.add(`thing.${keyOf(request)}#0`);
      options.onCall?.(request);
      ahead.push(made.state.pending.filter(({ step }) => !left.has(step)).length);
    },
  });
  return { ...made, ahead };
}

/** How long the slots of all calls from a position on were held, in milliseconds. */
function held({ pacer }: Rig, from: number): number[] {
  return pacer.departures.slice(from).map(({ takenAt, leftAt }) => (leftAt ?? takenAt) - takenAt);
}

describe('a begin that is written in advance', () => {
  test.for([4, 30, 100])('is durable when the slot comes, with a state of %i ms', async (syncMs) => {
    const slow = slowRig(syncMs);
    const { report } = await slow.run(things(200));
    expect(report.steps.succeeded).toBe(200);
    expect(Math.max(...held(slow, perS))).toBe(0);
    expect(slow.state.log.filter((line) => line.startsWith('begin'))).toHaveLength(200);
  });

  test.for([
    [1, 0],
    [2, 0],
    [30, 3],
    [100, 6],
    [2_000, 22],
  ] as const)('with a state of %i ms there are at most %i of them', async ([syncMs, most]) => {
    const slow = slowRig(syncMs);
    await slow.run(things(200));
    expect(Math.max(...slow.ahead)).toBeLessThanOrEqual(most);
    if (most > 0) expect(Math.max(...slow.ahead)).toBeGreaterThan(0);
  });

  test('is written for each user whose bucket opens, and not for a long queue of one', async () => {
    const steps = Array.from({ length: 200 }, (_, place) =>
      update(`a${place}`, 0, {
        request: { method: 'PUT', route: '/invite', params: { key: `a${place}` }, body: { user: `u${place % 4}` } },
      }),
    );
    const perSOf: Record<string, number> = { u0: 6, u1: 5.3, u2: 4.6, u3: 3.9 };
    const slow = slowRig(50, {
      limits: ({ body }) => [bucket('all', perS), bucket(`user ${body?.user}`, perSOf[String(body?.user)] ?? 1)],
      fault: () => ({ type: 'ok', body: {} }),
    });
    await slow.run(steps);
    const lost = held(slow, 20);
    expect(lost.reduce((sum, ms) => sum + ms, 0) / lost.length).toBeLessThan(5);
    expect(Math.max(...slow.ahead)).toBeLessThanOrEqual(4);
  });

  test.for(['the run is aborted', 'the lease is short'])(
    'is undone, and not followed by its call, if %s before it leaves',
    async (what) => {
      const stop = new AbortController();
      const slow = slowRig(100, {
        onCall: () => {
          if (slow.platform.calls.length !== 20) return;
          if (what === 'the run is aborted') stop.abort();
          else slow.state.lease = 0;
        },
      });
      const { report } = await slow.run(things(200), { signal: stop.signal });
      expect(report.outcome).toBe('interrupted');
      expect(slow.platform.calls).toHaveLength(20);
      expect(slow.state.pending).toEqual([]);
      expect(slow.state.log.filter((line) => line.startsWith('undone')).length).toBeGreaterThan(2);
    },
  );

  test.for([30, 100])(
    'does not let a process send that was paused while its lock was broken, with a state of %i ms',
    async (syncMs) => {
      let pausedMs = 0;
      const slow = slowRig(syncMs, {
        onCall: () => {
          if (slow.platform.calls.length !== 40) return;
          pausedMs = 700;
          slow.state.refusal = () => new Refusal('state.lease-lost', 8, 'The lock was lost.', 'Run it again.');
        },
      });
      const now = slow.clock.now.bind(slow.clock);
      slow.clock.now = () => now() + pausedMs;
      const { report } = await slow.run(things(200));
      expect(slow.ahead.at(-1)).toBeGreaterThan(0);
      expect(slow.platform.calls).toHaveLength(40);
      expect(report.outcome).toBe('interrupted');
    },
  );

  test('ends the run if it cannot be written, and the call does not leave', async () => {
    const slow = slowRig(100);
    const gone = new Refusal('state.write-failed', 8, 'The store is away.', 'Run it again.');
    slow.state.refusal = (what) => (what === 'begin thing.a30#0' ? gone : undefined);
    const { report, refusal } = await slow.run(things(200));
    expect(refusal).toBe(gone);
    expect(report.outcome).toBe('interrupted');
    expect(slow.platform.calls).not.toContain('POST /things a30');
  });

  test('is written again when its call leaves much later, because the settle time starts with it', async () => {
    const slow = slowRig(100);
    const take = slow.pacer.take.bind(slow.pacer);
    // Make no slot available for a minute, as after a 429.
    slow.pacer.take = (request) => {
      const at = slow.clock.now();
      return at > 1_000 && at < 60_000 ? 60_000 - at : take(request);
    };
    const begunAt = new Map<string, number>();
    const begin = slow.state.begin.bind(slow.state);
    slow.state.begin = (pending) => {
      begunAt.set(pending.step, Date.parse(pending.at));
      return begin(pending);
    };
    const agesMs: number[] = [];
    const send = slow.platform.send.bind(slow.platform);
    slow.platform.send = (request) => {
      agesMs.push(slow.clock.date().getTime() - (begunAt.get(`thing.${keyOf(request)}#0`) ?? 0));
      return send(request);
    };
    const { report } = await slow.run(things(80));
    expect(report.steps.succeeded).toBe(80);
    expect(slow.state.log.filter((line) => line.startsWith('begin')).length).toBeGreaterThan(80);
    expect(Math.max(...agesMs)).toBeLessThan(7_500);
  });
});
