// Tests that a state opens with the same records after a kill at any operation and after a power failure.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { put, recordOf } from '../../../support/state/fixtures.ts';
import { inSuite, longTest } from '../../../support/suite.ts';
import { firstEntries, isDeath, Machine } from '../support/machine.ts';
import { anyLife, type Entry, liveAndDie, Model, possibleModels } from '../support/model.ts';

const never = Number.POSITIVE_INFINITY;
const last: readonly Entry[] = [{ type: 'done', step: '8', entry: put('z') }];

/** A machine on which a process wrote the first entries and another one was killed, and the states that are possible. */
async function killedAt(operations: number, entries: readonly Entry[]) {
  const machine = new Machine();
  await machine.live(never, firstEntries);
  const { acknowledged, asked, died } = await machine.live(operations, entries);
  const model = new Model();
  for (const entry of [...firstEntries, ...acknowledged]) model.apply(entry);
  return { machine, possible: possibleModels(model, asked.slice(0, 1)), acknowledged, died };
}

describe('a kill at any operation of opening, writing, compacting and closing', () => {
  // Applied twice, these would restore `b` and remove `a`.
  const second: readonly Entry[] = [
    { type: 'done', step: '4', entry: { type: 'delete', address: 'user.b' } },
    { type: 'done', step: '5', entry: { type: 'delete', address: 'user.a' } },
    { type: 'done', step: '6', entry: put('a', { value: 2 }) },
    { type: 'undone', step: '3' },
    { type: 'begin', step: '7' },
  ];

  test.for([
    { name: 'the process', power: undefined },
    { name: 'the machine, what was not synced is gone', power: 0.999 },
    { name: 'the machine, names were written, bytes were not', power: 0 },
  ])('$name', async ({ power }) => {
    for (let operations = 0, died = true; died; operations += inSuite(7, 1)) {
      const { machine, possible, acknowledged, ...end } = await killedAt(operations, second);
      died = end.died;
      if (power !== undefined) machine.disk.losePower(() => power);
      const before = await machine.contents();
      expect(possible.map((model) => model.contents())).toContainEqual(before);
      // The next run opens the same state and continues, and its compaction changes nothing either.
      await machine.live(never, last);
      const after = await machine.contents();
      expect(after).toEqual({ records: [...before.records, recordOf('z')], pending: before.pending });
      // Only the snapshot, its head and pending begins remain.
      const names = Object.keys(machine.disk.contents()).sort();
      expect(names.filter((name) => !/^\/s\/segment_\d+_0000000001$/u.test(name))).toEqual([
        expect.stringMatching(/^\/s\/head_\d+\.\d+$/u),
        '/s/state.ndjson',
      ]);
      if (!died) expect(acknowledged).toHaveLength(second.length);
    }
  });
});

test('any kills and power failures keep every acknowledged entry and a prefix of the others', async () => {
  const life = fc.record({
    ...anyLife,
    operations: fc.oneof(fc.nat(60), fc.constant(never)),
    power: fc.option(fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }))),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 5 }), async (lives) => {
      const machine = new Machine();
      await liveAndDie(
        lives,
        ({ operations, power }) => {
          const { backend } = machine.start({ operations });
          const die = () => {
            machine.crash();
            if (power !== null) machine.disk.losePower(() => power.next().value);
            return machine.contents();
          };
          return { backend, die };
        },
        isDeath,
      );
    }),
    { numRuns: inSuite(10, 100) },
  );
});

longTest('two kills at any operations and a power failure lose nothing', async () => {
  const chance = chances();
  // With nothing pending at the end, because the journal is then empty after a compaction and may be removed.
  const short: readonly Entry[] = [
    { type: 'undone', step: '3' },
    { type: 'done', step: '4', entry: { type: 'delete', address: 'user.b' } },
  ];
  for (let operations = 0, died = true; died; operations += 1) {
    for (let later = 0, diesAgain = true; diesAgain; later += 1) {
      const { machine, possible, ...end } = await killedAt(operations, short);
      died = end.died;
      const next = await machine.live(later, last);
      diesAgain = next.died;
      machine.disk.losePower(chance);
      const after = possible.flatMap((model) => possibleModels(model, last).slice(1));
      const ends = next.acknowledged.length > 0 ? after : [...possible, ...after];
      expect(ends.map((model) => model.contents())).toContainEqual(await machine.contents());
    }
  }
});

/** Returns the same sequence of numbers in [0, 1) in every run. */
function chances(): () => number {
  let seed = 1;
  return () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}
