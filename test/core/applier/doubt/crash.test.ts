// Tests that a run may be killed at any moment, any number of times: run again, each effect exists once and state is right.
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../src/emulator/random.ts';
import { fastTest, inSuite } from '../../../support/suite.ts';
import { checkEnd, process, quickMs, slowMs, survives, untilDone, worldOf } from '../support/deaths.ts';
import { create, patch, stateOnly, update } from '../support/steps.ts';

describe('resume', () => {
  test('completes every plan, whatever faults and kills interrupt it', () => survives(inSuite(50, 5_000)));

  fastTest('survives a kill at every moment of one plan, with and without faults', async () => {
    const steps = ['a', 'b', 'c'].flatMap((key) => [
      create(key, { request: { method: 'POST', route: '/notes', body: { key, name: key } } }),
      update(key, 1, { needs: [`thing.${key}#0`] }),
      stateOnly(key, 9, { needs: [`thing.${key}#1`], entry: patch(key, 9) }),
    ]);
    for (const [faults, syncMs] of [
      [0, quickMs],
      [0.5, quickMs],
      [0, slowMs],
      [0.5, slowMs],
    ] as const) {
      let moments = 1;
      for (let hasDied = true; hasDied; moments++) {
        const world = worldOf(steps, seededRandom(7), faults, syncMs);
        hasDied = (await process(world, moments)) === undefined;
        checkEnd(world, await untilDone(world, []));
      }
      expect(moments).toBeGreaterThan(30);
    }
  });

  fastTest('is reproducible by its seed', async () => {
    const steps = ['a', 'b', 'c', 'd'].map((key) => create(key));
    const runs = [1, 2].map(async () => JSON.stringify(await untilDone(worldOf(steps, seededRandom(3), 0.6), [9, 14])));
    const [first, second] = await Promise.all(runs);
    expect(first).toBe(second);
  });

  fastTest('would repeat effects without begins', async () => {
    const steps = [
      create('a', { begin: false, request: { method: 'POST', route: '/notes', body: { key: 'a', name: 'a' } } }),
    ];
    const made: (number | undefined)[] = [];
    for (let moments = 1; moments < 8; moments++) {
      const world = worldOf(steps, seededRandom(1), 0);
      await untilDone(world, [moments]);
      made.push(world.things.get('a')?.made);
    }
    expect(made).toContain(2);
  });
});
