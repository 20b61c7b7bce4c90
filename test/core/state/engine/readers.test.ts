// Tests that a reader sees a consistent state while writers use it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { application, now, put, refusalOf, systemError } from '../../../support/state/fixtures.ts';
import { fastTest, inSuite } from '../../../support/suite.ts';
import { Machine } from '../support/machine.ts';

fastTest('reading creates nothing', async () => {
  const machine = new Machine();
  const { backend, mount } = machine.start();
  await backend.read(application);
  expect(mount.operations).toBe(0);
  expect(machine.disk.contents()).toEqual({});
});

test('a view is consistent while writers open, write, compact and close', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const machine = new Machine();
      const start = (name: string) => {
        const { backend, mount } = machine.start();
        mount.turn = () => scheduler.schedule(Promise.resolve(), name);
        return backend;
      };
      // The only record counts up, and is removed and added. A journal applied twice, or half a compaction, would show.
      let acknowledged = -1;
      let asked = -1;
      const writing = async () => {
        const backend = start('writer');
        for (let life = 0; life < 3; life += 1) {
          const writer = await backend.open(now);
          for (let entry = 0; entry < 2; entry += 1) {
            asked += 1;
            const value = asked;
            const deleted = writer.done('x', { type: 'delete', address: 'user.a' });
            const made = writer.done('y', put('a', { value }));
            await Promise.all([deleted, made]);
            acknowledged = value;
          }
          await writer.close();
        }
      };
      const reading = async () => {
        const backend = start('reader');
        for (let look = 0; look < 6; look += 1) {
          const least = acknowledged;
          const value = (await backend.read(application)).get('user.a')?.attributes.value ?? -1;
          expect(value).toBeGreaterThanOrEqual(least);
          expect(value).toBeLessThanOrEqual(asked);
        }
      };
      await scheduler.waitFor(Promise.all([writing(), reading()]));
    }),
    { numRuns: inSuite(20, 100) },
  );
});

fastTest('a folder that cannot be read is refused', async () => {
  const { backend, mount } = new Machine().start();
  mount.list = () => Promise.reject(systemError('EACCES'));
  expect(await refusalOf(backend.read(application))).toMatchObject({ code: 'state.read-failed', exitCode: 1 });
});
