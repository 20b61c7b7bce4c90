// Tests that the heap returns the lightest item although weights decrease meanwhile.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WeightHeap } from '../../src/lib/weight-heap.ts';

test('returns the item that a linear search finds', () => {
  const move = fc.record({ item: fc.nat(11), less: fc.nat(5), takes: fc.boolean() });
  fc.assert(
    fc.property(fc.array(fc.nat(9), { minLength: 12, maxLength: 12 }), fc.array(move), (weights, moves) => {
      const weight = Float64Array.from(weights);
      const left = new Set(weights.keys());
      const heap = new WeightHeap(weight, Int32Array.from(left));
      for (const { item, less, takes } of moves) {
        weight[item] = (weight[item] ?? 0) - less;
        heap.lightened(item);
        if (!takes) continue;
        const [lightest] = [...left].sort((a, b) => (weight[a] ?? 0) - (weight[b] ?? 0) || b - a);
        expect(heap.take()).toBe(lightest);
        if (lightest !== undefined) left.delete(lightest);
      }
    }),
  );
});
