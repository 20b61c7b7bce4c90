// Tests that a heap returns values in the caller's order.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Heap } from '../../src/lib/heap.ts';

test('pops the least value between any pushes', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(20))), (moves) => {
      const heap = new Heap<number>((left, right) => left < right);
      const plain: number[] = [];
      for (const pushed of moves) {
        if (pushed === null) {
          plain.sort((left, right) => left - right);
          expect(heap.peek()).toBe(plain[0]);
          expect(heap.pop()).toBe(plain.shift());
        } else {
          heap.push(pushed);
          plain.push(pushed);
        }
        expect(heap.size).toBe(plain.length);
      }
    }),
  );
});
