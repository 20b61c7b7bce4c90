// Tests that a reader sees a consistent state while writers use it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stateBackend } from '../../../src/state/engine/backend.ts';
import { folderAddress } from '../../../src/state/stores/folder.ts';
import { application, Processes, put, refusalOf } from '../../support/state/fixtures.ts';
import { Disk } from '../../support/state/simulated-disk.ts';
import { fastTest, inSuite } from '../../support/suite.ts';

const options = { application, lockTimeoutMs: 0 };

fastTest('reading creates nothing', async () => {
  const disk = new Disk();
  const mount = disk.mount();
  await stateBackend(folderAddress('file:s', '/s', mount), new Processes().start()).read(application);
  expect(mount.operations).toBe(0);
  expect(disk.contents()).toEqual({});
});

test('a view is consistent while writers open, write, compact and close', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const disk = new Disk();
      const processes = new Processes();
      const start = (name: string) => {
        const mount = disk.mount();
        mount.turn = () => scheduler.schedule(Promise.resolve(), name);
        return stateBackend(folderAddress('file:s', '/s', mount), processes.start());
      };
      // The only record counts up, and is removed and added. A journal applied twice, or half a compaction, would show.
      let acknowledged = -1;
      let asked = -1;
      const writing = async () => {
        const backend = start('writer');
        for (let life = 0; life < 3; life += 1) {
          const writer = await backend.open(options);
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
  const mount = new Disk().mount();
  const failing = {
    ...mount,
    list: () => Promise.reject(Object.assign(new Error('no'), { code: 'EACCES' })),
  };
  const files = Object.assign(Object.create(mount), failing);
  const backend = stateBackend(folderAddress('file:s', '/s', files), new Processes().start());
  expect(await refusalOf(backend.read(application))).toMatchObject({ code: 'state.read-failed', exitCode: 1 });
});
