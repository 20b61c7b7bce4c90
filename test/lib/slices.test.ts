// Tests computations in slices.
import { expect, test } from 'vitest';
import { atOnce, inSlices, type Sliced } from '../../src/lib/slices.ts';

function* sumTo(last: number): Sliced<number> {
  let sum = 0;
  for (let value = 1; value <= last; value += 1) {
    sum += value;
    if (value % 10 === 0) yield;
  }
  if (last > 50) throw new RangeError('too much');
  return sum;
}

test('returns the same in slices as in one go', async () => {
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
  };
  expect(atOnce(sumTo(45))).toBe(1035);
  expect(await inSlices(sumTo(45), pause)).toBe(1035);
  expect(pauses).toBe(4);
});

test('throws the same in slices as in one go', async () => {
  expect(() => atOnce(sumTo(60))).toThrow('too much');
  await expect(inSlices(sumTo(60), () => Promise.resolve())).rejects.toThrow('too much');
});
