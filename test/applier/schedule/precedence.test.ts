// Tests the order in which steps start: each after its needs, and those with many dependents first.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stepPlaces } from '../../../src/applier/schedule/precedence.ts';
import { atOnce } from '../../../src/lib/slices.ts';
import { edgesOf, graphs } from '../support/graphs.ts';

describe('precedence', () => {
  test('gives each step its own place, after its needs', () => {
    fc.assert(
      fc.property(graphs, (needs) => {
        const place = atOnce(stepPlaces(edgesOf(needs)));
        expect([...place].toSorted((left, right) => left - right)).toEqual([...needs.keys()]);
        for (const [index, earlier] of needs.entries()) {
          for (const one of earlier) {
            if (needs[one]?.length === 0) expect(place[index]).toBeGreaterThan(place[one] ?? 0);
          }
        }
      }),
    );
  });

  test('puts steps without dependents last, in the order of the plan', () => {
    expect([...atOnce(stepPlaces(edgesOf([[], [], [], [1]])))]).toEqual([2, 0, 3, 1]);
  });

  test('puts users of many channels first, users of one channel last, and each channel as early as possible', () => {
    // Users 0 to 5. The channels 6 to 8 share 3, 4 and 5; channel 9 alone has 0, 1 and 2.
    const needs = [[], [], [], [], [], [], [3, 4], [4, 5], [3, 5], [0, 1, 2]];
    const place = atOnce(stepPlaces(edgesOf(needs)));
    const order = [...needs.keys()].toSorted((left, right) => (place[left] ?? 0) - (place[right] ?? 0));
    expect(new Set(order.slice(0, 6))).toEqual(new Set([3, 4, 5, 6, 7, 8]));
    expect(order.at(-1)).toBe(9);
  });
});
