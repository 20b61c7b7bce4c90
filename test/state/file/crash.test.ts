// A state opens to the same records, at whatever operation a process dies, and after a power failure.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileBackend } from '../../../src/state/file/file.ts';
import {
  application,
  beginOf,
  type Contents,
  contentsOf,
  Processes,
  put,
  recordOf,
} from '../../support/state/fixtures.ts';
import { Dead, Disk } from '../../support/state/simulated-disk.ts';
import { anyEntry, type Entry, Model, write } from '../support/conformance.ts';
import { modelOf, possibleModels } from '../support/possible-models.ts';

const options = { application, lockTimeoutMs: 0 };

class Machine {
  readonly disk = new Disk();
  readonly processes = new Processes();

  start(operations = Number.POSITIVE_INFINITY) {
    const mount = this.disk.mount();
    mount.operationsLeft = operations;
    return { backend: fileBackend('file:s', '/s', this.processes.start(mount)), mount };
  }

  /** Opens, writes and closes until it dies; returns what was acknowledged and what was asked for besides. */
  async live(operations: number, entries: readonly Entry[]) {
    const acknowledged: Entry[] = [];
    const { backend, mount } = this.start(operations);
    try {
      const writer = await backend.open(options);
      for (const entry of entries) {
        await write(writer, entry);
        acknowledged.push(entry);
      }
      await writer.close();
    } catch (error) {
      if (!isDeath(error)) throw error;
    }
    const died = mount.operationsLeft < 0;
    mount.die();
    this.processes.killAll();
    return { acknowledged, asked: entries.slice(acknowledged.length), died };
  }

  async contents(): Promise<Contents> {
    return contentsOf(await this.start().backend.read(application));
  }
}

/** The writer reports what it met on the way, as the cause of a refusal. */
function isDeath(error: unknown): boolean {
  return error instanceof Dead || (error instanceof Error && error.cause instanceof Dead);
}

describe('a process that dies at any operation of opening, writing, compacting and closing', () => {
  const first: readonly Entry[] = [
    { type: 'done', step: '1', entry: put('a', { value: 1 }) },
    { type: 'done', step: '2', entry: put('b') },
    { type: 'begin', step: '3' },
  ];
  // Applied twice, these would bring `b` back and take `a` away.
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
    for (let operations = 0; ; operations += 1) {
      const machine = new Machine();
      await machine.live(Number.POSITIVE_INFINITY, first);
      const model = new Model();
      for (const entry of first) model.apply(entry);
      const { acknowledged, asked, died } = await machine.live(operations, second);
      if (power !== undefined) machine.disk.losePower(() => power);
      for (const entry of acknowledged) model.apply(entry);
      expect(possible(model, asked.slice(0, 1))).toContainEqual(await machine.contents());
      const before = await machine.contents();
      // The next run opens it to the same, goes on, and its compaction changes nothing either.
      await machine.live(Number.POSITIVE_INFINITY, [{ type: 'done', step: '8', entry: put('z') }]);
      const after = await machine.contents();
      expect(after).toEqual({ records: [...before.records, recordOf('z')], pending: before.pending });
      if (!died) {
        expect(acknowledged).toHaveLength(second.length);
        break;
      }
    }
  });

  test('and the one after it dies anywhere too, with the machine', async () => {
    const chance = chances();
    // With nothing pending at the end: the journal after a compaction is then empty, and may go.
    const short: readonly Entry[] = [
      { type: 'undone', step: '3' },
      { type: 'done', step: '4', entry: { type: 'delete', address: 'user.b' } },
    ];
    for (let operations = 0; ; operations += 1) {
      let died = false;
      for (let later = 0; ; later += 1) {
        const machine = new Machine();
        await machine.live(Number.POSITIVE_INFINITY, first);
        const model = new Model();
        for (const entry of first) model.apply(entry);
        const life = await machine.live(operations, short);
        died = life.died;
        for (const entry of life.acknowledged) model.apply(entry);
        const next = await machine.live(later, [{ type: 'done', step: '8', entry: put('z') }]);
        machine.disk.losePower(chance);
        const before = possibleModels(model, life.asked.slice(0, 1));
        const after = before.map((end) => end.copy());
        for (const end of after) end.apply({ type: 'done', step: '8', entry: put('z') });
        const ends = next.acknowledged.length > 0 ? after : [...before, ...after];
        expect(ends.map((end) => end.contents())).toContainEqual(await machine.contents());
        if (!next.died) break;
      }
      if (!died) break;
    }
  });

  test('leaves nothing behind but the snapshot and one journal after the next run', async () => {
    for (let operations = 0; ; operations += 1) {
      const machine = new Machine();
      await machine.live(Number.POSITIVE_INFINITY, first);
      const { died } = await machine.live(operations, second);
      await machine.live(Number.POSITIVE_INFINITY, [{ type: 'done', step: '8', entry: put('z') }]);
      const names = Object.keys(machine.disk.contents()).sort();
      expect(names).toEqual([expect.stringMatching(/^\/s\/journal\.\d+\.ndjson$/), '/s/state.ndjson']);
      if (!died) break;
    }
  });
});

test('any lives with any deaths and power failures: all that was acknowledged, and of the rest a beginning', async () => {
  const life = fc.record({
    entries: fc.array(anyEntry, { maxLength: 12 }),
    together: fc.boolean(),
    operations: fc.oneof(fc.nat(60), fc.constant(Number.POSITIVE_INFINITY)),
    power: fc.option(fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }))),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 5 }), async (lives) => {
      const machine = new Machine();
      // What is there for sure, and what was asked for after that without an answer.
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
    { numRuns: 400 },
  );
});

function possible(model: Model, asked: readonly Entry[]): Contents[] {
  return possibleModels(model, asked).map((next) => next.contents());
}

test('a begin carried over by compaction is still the same begin', async () => {
  const machine = new Machine();
  await machine.live(Number.POSITIVE_INFINITY, [
    { type: 'begin', step: '1' },
    { type: 'done', step: '2', entry: put('a') },
  ]);
  expect((await machine.start().backend.read(application)).pending).toEqual([beginOf('1')]);
});

/** The same row of numbers in [0, 1) in every run. */
function chances(): () => number {
  let seed = 1;
  return () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}
