// Tests that processes that begin together on a new state wait for the lock or are refused, however their calls interleave.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StateBackend, StateWriter } from '../../../../src/core/model/ports.ts';
import { stateBackend } from '../../../../src/core/state/engine/backend.ts';
import { addressOf, now, Processes, put, putBy, readBy } from '../../../support/state/fixtures.ts';
import { SimulatedStore } from '../../../support/state/simulated-store.ts';
import { inSuite } from '../../../support/suite.ts';
import { inTurns } from '../support/in-turns.ts';
import { Machine } from '../support/machine.ts';

/** A new state, and processes that await `turn` before each call of a store or each operation of a disk. */
interface NewState {
  start(turn: () => Promise<unknown>): StateBackend;
  /** The names of objects or files, in which no test may leave anything. */
  names(): readonly string[];
}

/** Returns undefined if another process has the lock. */
function opened(backend: StateBackend): Promise<StateWriter | undefined> {
  return backend.open(now).catch((error: unknown) => {
    expect(error).toMatchObject({ code: 'state.locked', exitCode: 7 });
    return undefined;
  });
}

const noTurn = () => Promise.resolve();

const places: { readonly name: string; readonly make: () => NewState }[] = [
  {
    name: 'calls of a store',
    make: () => {
      const processes = new Processes();
      const store = new SimulatedStore(processes.clock);
      return {
        start: (turn) => stateBackend(inTurns(addressOf(store.connect()), turn), processes.start()),
        names: () => [...store.contents().keys()],
      };
    },
  },
  {
    name: 'operations of a disk',
    make: () => {
      const machine = new Machine();
      return {
        start: (turn) => {
          const { backend, mount } = machine.start();
          mount.turn = turn;
          return backend;
        },
        names: () => Object.keys(machine.disk.contents()),
      };
    },
  },
];

describe.for(places)('processes that begin together, by $name', ({ make }) => {
  test('open the state or are refused its lock, and keep what they acknowledged', async () => {
    const lives = fc.array(fc.record({ closes: fc.boolean(), waits: fc.nat(40) }), { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), lives, async (scheduler, processes) => {
        const { start, names } = make();
        const acknowledged: string[] = [];
        const work = processes.map(async ({ closes, waits }, index) => {
          const turn = () => scheduler.schedule(Promise.resolve(), `process ${index}`);
          for (let turns = 0; turns < waits; turns += 1) await turn();
          const writer = await opened(start(turn));
          if (writer === undefined) return;
          await writer.done('s', put(`u${index}`));
          acknowledged.push(`user.u${index}`);
          if (closes) await writer.close();
        });
        await scheduler.waitFor(Promise.all(work));
        expect(acknowledged.length).toBeGreaterThan(0);
        const { records } = await readBy(() => start(noTurn));
        expect(records.map(({ address }) => address)).toEqual(acknowledged.sort());
        // A process that has the lock may still be sweeping.
        await scheduler.waitIdle();
        expect(names().filter((name) => name.includes('probe'))).toEqual([]);
      }),
      { numRuns: inSuite(40, 400) },
    );
  });
});

describe('objects of a test', () => {
  const day = 24 * 3_600_000;

  test('of a store are removed when no running process can own them', async () => {
    const leftovers = ['probe/id', 'probe/id.race'];
    const processes = new Processes();
    const store = new SimulatedStore(processes.clock);
    const start = () => stateBackend(addressOf(store.connect()), processes.start());
    const probes = () => [...store.contents().keys()].filter((key) => key.startsWith('probe/'));
    for (const key of leftovers) store.tamper(key, Buffer.from('{}\n'));
    await putBy(start, 'a');
    processes.clock.jump(day);
    await putBy(start, 'b');
    expect(probes()).toEqual(leftovers);
    processes.clock.jump(3_000);
    await putBy(start, 'c');
    expect(probes()).toEqual([]);
  });

  test('of a folder are removed when no running process can own them', async () => {
    const leftovers = ['/s/probe_id.race', '/s/tmp_probe_id_uuid', '/s/tmp_probe_id.race_uuid'];
    const machine = new Machine();
    const { disk, processes } = machine;
    const start = () => machine.start().backend;
    const probes = () => Object.keys(disk.contents()).filter((path) => path.includes('probe'));
    for (const path of leftovers) disk.write(path, '{}\n');
    await putBy(start, 'a');
    processes.clock.jump(day);
    await putBy(start, 'b');
    expect(probes()).toEqual(leftovers);
    processes.clock.jump(1);
    await putBy(start, 'c');
    expect(probes()).toEqual([]);
  });
});
