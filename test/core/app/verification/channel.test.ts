// Tests that values in batches are grouped by time, however they are cut.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Instants } from '../../../../src/core/app/verification/channel.ts';

interface Value {
  readonly time: number;
  readonly place: number;
}

async function groupsOf(batches: readonly (readonly Value[])[]): Promise<(readonly Value[])[]> {
  const instants = new Instants(batches, ({ time }) => time);
  const groups: (readonly Value[])[] = [];
  for (;;) {
    if (!instants.isReady) await instants.fill();
    if (instants.time === Number.POSITIVE_INFINITY) return groups;
    expect(instants.take(instants.time + 1)).toEqual([]);
    groups.push(instants.take(instants.time));
  }
}

test('groups the values of each time in their order, wherever batches end', async () => {
  const times = fc.array(fc.nat(5), { maxLength: 20 }).map((list) => list.sort((left, right) => left - right));
  await fc.assert(
    fc.asyncProperty(times, fc.array(fc.nat(4)), async (sorted, sizes) => {
      const values = sorted.map((time, place) => ({ time, place }));
      const batches: Value[][] = [];
      let from = 0;
      for (const size of sizes) {
        batches.push(values.slice(from, from + size));
        from += size;
      }
      batches.push(values.slice(from));
      const expected = [...new Set(sorted)].map((wanted) => values.filter(({ time }) => time === wanted));
      expect(await groupsOf(batches)).toEqual(expected);
    }),
  );
});
