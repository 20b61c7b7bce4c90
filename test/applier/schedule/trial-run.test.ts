// Tests the simulated run of an order, and the order that the simulation improves.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { improveOrder, trialRun } from '../../../src/applier/schedule/trial-run.ts';
import { atOnce } from '../../../src/lib/slices.ts';
import { edgesOf, graphs } from '../support/graphs.ts';

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
    const { runS, started } = atOnce(trialRun(trial, Int32Array.from(lanes.keys())));
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

  test('contains all steps and takes no longer than any given order', () => {
    const keys = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(graphs, keys, (raw, order) => {
        const trial = lanesOf(raw, [0.1, 0.3, 0.2]);
        const given = Int32Array.from(order.slice(0, raw.length));
        const { runS, started } = atOnce(trialRun(trial, atOnce(improveOrder(trial, given))));
        expect([...started].toSorted((left, right) => left - right)).toEqual([...raw.keys()]);
        expect(runS).toBeLessThanOrEqual(atOnce(trialRun(trial, given)).runS);
      }),
    );
  });

  test('a run simulated backwards groups the needs of a step', () => {
    // Each channel needs the first and the last of the remaining users. In the given order, none can begin before the sixth.
    const users = Array.from({ length: 10 }, () => []);
    const channels = Array.from({ length: 5 }, (_, place) => [place, 9 - place]);
    const trial = lanesOf([...users, ...channels], [0.5, 1]);
    const asWritten = Int32Array.from({ length: trial.size }, (_, index) => index);
    expect(atOnce(trialRun(trial, asWritten)).runS).toBeCloseTo(6.7, 6);
    expect(atOnce(trialRun(trial, atOnce(improveOrder(trial, asWritten)))).runS).toBeCloseTo(4.7, 6);
  });
});
