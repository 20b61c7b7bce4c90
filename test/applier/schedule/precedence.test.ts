// Tests the order in which steps are begun: every step after those that it waits for, what many wait for first.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mildShare, precedences } from '../../../src/applier/schedule/precedence.ts';
import { quickest, trialRun } from '../../../src/applier/schedule/trial-run.ts';
import { LightestFirst } from '../../../src/lib/lightest-first.ts';

/** By step, the earlier ones that it waits for; each counts as much as the others. */
function edgesOf(needs: readonly (readonly number[])[]) {
  const after: number[][] = needs.map(() => []);
  for (const [index, earlier] of needs.entries()) for (const one of earlier) after[one]?.push(index);
  return {
    size: needs.length,
    sorted: Int32Array.from(needs.keys()),
    before: (index: number, visit: (earlier: number) => void) => needs[index]?.forEach((one) => void visit(one)),
    after: (index: number, visit: (later: number) => void) => after[index]?.forEach((one) => void visit(one)),
    worth: new Float64Array(needs.length).fill(1),
    share: mildShare,
  };
}

const graphs = fc
  .array(fc.array(fc.nat(), { maxLength: 4 }), { maxLength: 40 })
  .map((raw) => raw.map((picks, index) => (index < 8 ? [] : picks.map((pick) => pick % index))));

describe('precedence', () => {
  test('gives each step a place of its own, after all that wait for nothing and that it needs', () => {
    fc.assert(
      fc.property(graphs, (needs) => {
        const place = precedences(edgesOf(needs));
        expect([...place].toSorted((left, right) => left - right)).toEqual([...needs.keys()]);
        for (const [index, earlier] of needs.entries()) {
          for (const one of earlier) {
            if (needs[one]?.length === 0) expect(place[index]).toBeGreaterThan(place[one] ?? 0);
          }
        }
      }),
    );
  });

  test('what nobody waits for goes last, in the order of the plan', () => {
    expect([...precedences(edgesOf([[], [], [], [1]]))]).toEqual([2, 0, 3, 1]);
  });

  test('the users of many channels go first, those of one channel last, and each channel as soon as it can', () => {
    // Users 0 to 5; the channels 6 to 8 share 3, 4 and 5, and 9 has 0, 1 and 2 for itself.
    const needs = [[], [], [], [], [], [], [3, 4], [4, 5], [3, 5], [0, 1, 2]];
    const place = precedences(edgesOf(needs));
    const order = [...needs.keys()].toSorted((left, right) => (place[left] ?? 0) - (place[right] ?? 0));
    expect(new Set(order.slice(0, 6))).toEqual(new Set([3, 4, 5, 6, 7, 8]));
    expect(order.at(-1)).toBe(9);
  });
});

test('the lightest is always taken first, of equal ones the last', () => {
  const acts = fc.array(fc.record({ lighten: fc.nat({ max: 19 }), by: fc.nat({ max: 5 }) }), { maxLength: 60 });
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 20 }), acts, (weights, all) => {
      const weight = Float64Array.from(weights);
      const queue = new LightestFirst(weight, Int32Array.from(weights.keys()));
      const left = new Set(weights.keys());
      const takeOne = () => {
        const expected = [...left].toSorted(
          (one, other) => (weight[one] ?? 0) - (weight[other] ?? 0) || other - one,
        )[0];
        expect(queue.take()).toBe(expected);
        if (expected !== undefined) left.delete(expected);
      };
      for (const { lighten, by } of all) {
        if (by === 0) takeOne();
        else if (lighten < weights.length) {
          weight[lighten] = (weight[lighten] ?? 0) - by;
          queue.lightened(lighten);
        }
      }
      while (left.size > 0) takeOne();
      expect(queue.take()).toBeUndefined();
    }),
  );
});

describe('a trial run', () => {
  test.for([
    { name: 'ten calls of one lane', lanes: Array.from({ length: 10 }, () => 0), needs: () => [], s: 9.1 },
    { name: 'two lanes side by side', lanes: [0, 0, 0, 1, 1], needs: () => [], s: 2.1 },
    {
      name: 'a chain through both',
      lanes: [1, 0, 1],
      needs: (index: number) => (index === 0 ? [] : [index - 1]),
      s: 0.6,
    },
    { name: 'nothing', lanes: [], needs: () => [], s: 0 },
  ])('$name', ({ lanes, needs, s }) => {
    const edges = edgesOf(lanes.map((_, index) => needs(index)));
    const trial = { ...edges, routeOf: Uint16Array.from(lanes), callS: Float64Array.from([1, 0.5]) };
    const { runS, started } = trialRun(trial, Int32Array.from(lanes.keys()));
    expect(runS).toBeCloseTo(s, 6);
    expect([...started].toSorted((left, right) => left - right)).toEqual([...lanes.keys()]);
  });
});

describe('the quickest order', () => {
  const lanesOf = (raw: readonly (readonly number[])[], callS: readonly number[]) => {
    const edges = edgesOf(raw);
    return {
      ...edges,
      routeOf: Uint16Array.from(raw, (needs, index) => (needs.length === 0 ? 0 : 1 + (index % (callS.length - 1)))),
      callS: Float64Array.from(callS),
    };
  };

  test('is one of all steps, and takes no longer than any that was given', () => {
    const keys = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(graphs, fc.array(keys, { minLength: 1, maxLength: 3 }), (raw, orders) => {
        const trial = lanesOf(raw, [0.1, 0.3, 0.2]);
        const given = orders.map((order) => Int32Array.from(order.slice(0, raw.length)));
        const { runS, started } = trialRun(trial, quickest(trial, given));
        expect([...started].toSorted((left, right) => left - right)).toEqual([...raw.keys()]);
        for (const place of given) expect(runS).toBeLessThanOrEqual(trialRun(trial, place).runS);
      }),
    );
  });

  test('a run that is played backwards brings together what one step waits for', () => {
    // Each channel needs the first and the last of the users that are left: as written, none of them can begin before the sixth.
    const users = Array.from({ length: 10 }, () => []);
    const channels = Array.from({ length: 5 }, (_, place) => [place, 9 - place]);
    const trial = lanesOf([...users, ...channels], [0.5, 1]);
    const asWritten = Int32Array.from({ length: trial.size }, (_, index) => index);
    expect(trialRun(trial, asWritten).runS).toBeCloseTo(6.7, 6);
    expect(trialRun(trial, quickest(trial, [asWritten])).runS).toBeCloseTo(4.7, 6);
  });
});
