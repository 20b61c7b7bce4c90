// Tests that a state opens with the same records after a kill at any operation and after a power failure.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { application, beginOf, type Contents, contentsOf, put, recordOf } from '../../support/state/fixtures.ts';
import { inSuite } from '../../support/suite.ts';
import { anyEntry, type Entry, Model, write } from '../support/conformance.ts';
import { firstEntries, isDeath, Machine } from '../support/machine.ts';
import { modelOf, possibleModels } from '../support/possible-models.ts';

const options = { application, lockTimeoutMs: 0 };

describe('a kill at any operation of opening, writing, compacting and closing', () => {
  const first = firstEntries;
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
    for (let operations = 0; ; operations += inSuite(7, 1)) {
      const machine = new Machine();
      await machine.live(Number.POSITIVE_INFINITY, first);
      const model = new Model();
      for (const entry of first) model.apply(entry);
      const { acknowledged, asked, died } = await machine.live(operations, second);
      if (power !== undefined) machine.disk.losePower(() => power);
      for (const entry of acknowledged) model.apply(entry);
      expect(possible(model, asked.slice(0, 1))).toContainEqual(await machine.contents());
      const before = await machine.contents();
      // The next run opens the same state and continues, and its compaction changes nothing either.
      await machine.live(Number.POSITIVE_INFINITY, [{ type: 'done', step: '8', entry: put('z') }]);
      const after = await machine.contents();
      expect(after).toEqual({ records: [...before.records, recordOf('z')], pending: before.pending });
      // Only the snapshot, its head and pending begins remain.
      const names = Object.keys(machine.disk.contents()).sort();
      expect(names.filter((name) => !/^\/s\/segment_\d+_0000000001$/u.test(name))).toEqual([
        expect.stringMatching(/^\/s\/head_\d+\.\d+$/u),
        '/s/state.ndjson',
      ]);
      if (!died) {
        expect(acknowledged).toHaveLength(second.length);
        break;
      }
    }
  });
});

test('any kills and power failures keep every acknowledged entry and a prefix of the others', async () => {
  const life = fc.record({
    entries: fc.array(anyEntry, { maxLength: 12 }),
    together: fc.boolean(),
    operations: fc.oneof(fc.nat(60), fc.constant(Number.POSITIVE_INFINITY)),
    power: fc.option(fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }))),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 5 }), async (lives) => {
      const machine = new Machine();
      // Entries that are certainly there, and later ones that were requested without an answer.
      let sure = new Model();
      let asked: readonly Entry[] = [];
      for (const { entries, together, operations, power } of lives) {
        let acknowledged = 0;
        const { backend, mount } = machine.start(operations);
        try {
          const writer = await backend.open(options);
          sure = modelOf(contentsOf(writer), sure, asked);
          asked = entries;
          const record = async (entry: Entry) => {
            await write(writer, entry);
            sure.apply(entry);
            acknowledged += 1;
            asked = entries.slice(acknowledged);
          };
          if (together) await Promise.all(entries.map(record));
          else for (const entry of entries) await record(entry);
          await writer.close();
        } catch (error) {
          if (!isDeath(error)) throw error;
        }
        mount.die();
        machine.processes.killAll();
        if (power !== null) machine.disk.losePower(() => power.next().value);
        modelOf(await machine.contents(), sure, asked);
      }
    }),
    { numRuns: inSuite(10, 100) },
  );
});

function possible(model: Model, asked: readonly Entry[]): Contents[] {
  return possibleModels(model, asked).map((next) => next.contents());
}

test('compaction keeps pending begins', async () => {
  const machine = new Machine();
  await machine.live(Number.POSITIVE_INFINITY, [
    { type: 'begin', step: '1' },
    { type: 'done', step: '2', entry: put('a') },
  ]);
  expect((await machine.start().backend.read(application)).pending).toEqual([beginOf('1')]);
});
