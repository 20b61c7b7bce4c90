// Tests faults of the disk: it becomes read-only or full at any operation, or the machine loses its power at any moment. The
// state opens, the same command completes, and nothing is created twice. The fast suite tries every fourth operation, from a
// random one on.
import { describe, expect, test } from 'vitest';
import { inSuite, seedOfRun } from '../support/suite.ts';
import type { Estate } from './support/estates.ts';
import { Life } from './support/life.ts';
import { desiredOf } from './support/play.ts';
import { calm } from './support/scenario.ts';
import { diskStorage, type MachineOptions } from './support/storage.ts';
import { World } from './support/world.ts';

const estate: Estate = {
  user: { alice: { nickname: 'Alice' }, bob: { nickname: 'Bob', deactivated: true } },
  open_channel: { lobby: { frozen: true } },
  group_channel: { room: { members: { alice: {}, bob: {} }, frozen: true } },
};
const desired = desiredOf(estate);

const every = inSuite(9, 1);
const first = seedOfRun() % every;

/** `left` is restored with the power. */
function machine(mounted: NonNullable<MachineOptions['mounted']>, left?: () => number): World {
  return new World({ ...calm, storage: 'disk' }, 2, (clock) => diskStorage(clock, { mounted, losesPower: () => left }));
}

/** Runs the same command again. */
async function expectToConverge(world: World): Promise<void> {
  const end = await world.run(desired);
  expect(end).toMatchObject({ type: 'report', report: { outcome: 'done' } });
  expect(world.createdTooOften(() => 1)).toEqual([]);
  const state = await world.state();
  expect(state.pending).toEqual([]);
  expect([...world.planFor(desired, state.records()).plan.steps]).toEqual([]);
}

describe.each(['EROFS', 'ENOSPC'])('a disk that refuses writes (%s)', (code) => {
  test('harms neither the state nor the next run, from any operation on', async () => {
    for (let from = first; ; from += every) {
      let operations = 0;
      const world = machine((mount, process) => {
        if (process === 1) mount.fail = () => (operations++ >= from ? { code } : undefined);
      });
      await world.clock.run(
        (async () => {
          const life = new Life();
          const end = await world.run(desired, { life });
          if (operations > from && end.type === 'refused') expect(end.code).toBe('state.write-failed');
          world.storage.bury(life);
          await world.everythingArrived();
          await expectToConverge(world);
        })(),
      );
      if (operations <= from) {
        expect(from).toBeGreaterThan(20);
        return;
      }
    }
  });
});

describe.each([
  { left: 'what was flushed, of the names all', chance: 0 },
  { left: 'what was flushed, of the names only the flushed ones', chance: 0.999 },
])('a power cut that leaves $left', ({ chance }) => {
  test('harms neither the state nor the next run at any moment', async () => {
    for (let moment = 1 + first; ; moment += every) {
      const world = machine(
        () => {},
        () => chance,
      );
      const end = await world.clock.run(
        (async () => {
          const first = await world.runUntil(moment, desired);
          await world.everythingArrived();
          await expectToConverge(world);
          return first;
        })(),
      );
      if (end.type !== 'killed') {
        expect(moment).toBeGreaterThan(20);
        return;
      }
    }
  });
});
