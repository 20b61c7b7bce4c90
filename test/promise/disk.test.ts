// Tests faults of the disk: it becomes read-only or full at any operation, or the machine loses its power at any moment. The
// state opens, the same command completes, and nothing is created twice. The fast suite tries every fourth operation, from a
// random one on.
import { expect, test } from 'vitest';
import { inSuite, seedOfRun } from '../support/suite.ts';
import type { Estate } from './support/estates.ts';
import { Life } from './support/life.ts';
import { desiredOf } from './support/play.ts';
import { calm } from './support/scenario.ts';
import { diskStorage, type MachineOptions } from './support/storage.ts';
import { type RunEnd, World } from './support/world.ts';

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

/** Runs the same command again after the first run, and returns the end of that. */
function expectToConverge(world: World, first: () => Promise<RunEnd>): Promise<RunEnd> {
  const work = async () => {
    const end = await first();
    await world.everythingArrived();
    expect(await world.run(desired)).toMatchObject({ type: 'report', report: { outcome: 'done' } });
    expect(world.createdTooOften(() => 1)).toEqual([]);
    const state = await world.state();
    expect(state.pending).toEqual([]);
    expect([...world.planFor(desired, state.records()).plan.steps]).toEqual([]);
    return end;
  };
  return world.clock.run(work());
}

test.for(['EROFS', 'ENOSPC'])(
  'a disk that refuses writes (%s) harms neither the state nor the next run, from any operation on',
  async (code) => {
    for (let from = first, operations = Number.POSITIVE_INFINITY; operations > from; from += every) {
      operations = 0;
      const world = machine((mount, process) => {
        if (process === 1) mount.fail = () => (operations++ >= from ? { code } : undefined);
      });
      await expectToConverge(world, async () => {
        const life = new Life();
        const end = await world.run(desired, { life });
        if (operations > from && end.type === 'refused') expect(end.code).toBe('state.write-failed');
        world.storage.bury(life);
        return end;
      });
      if (operations <= from) expect(from).toBeGreaterThan(20);
    }
  },
);

test.for([
  ['what was flushed, of the names all', 0],
  ['what was flushed, of the names only the flushed ones', 0.999],
] as const)('a power cut that leaves %s harms neither the state nor the next run at any moment', async ([, chance]) => {
  for (let moment = 1 + first, isKilled = true; isKilled; moment += every) {
    const world = machine(
      () => {},
      () => chance,
    );
    const end = await expectToConverge(world, () => world.runUntil(moment, desired));
    isKilled = end.type === 'killed';
    if (!isKilled) expect(moment).toBeGreaterThan(20);
  }
});
