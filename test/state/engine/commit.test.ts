// Tests that steps which finish together share a flush, and that a failing disk loses no acknowledged entry.
import { describe, expect, test } from 'vitest';
import type { StateBackend } from '../../../src/model/ports.ts';
import { stateBackend } from '../../../src/state/engine/backend.ts';
import { folderAddress } from '../../../src/state/stores/folder.ts';
import { application, contentsOf, Processes, put, recordOf, refusalOf } from '../../support/state/fixtures.ts';
import { Disk, type Mount } from '../../support/state/simulated-disk.ts';

const options = { application, lockTimeoutMs: 0 };

function machine(): { readonly disk: Disk; readonly start: () => { backend: StateBackend; mount: Mount } } {
  const disk = new Disk();
  const processes = new Processes();
  const start = () => {
    const mount = disk.mount();
    return { backend: stateBackend(folderAddress('file:s', '/s', mount), processes.start()), mount };
  };
  return { disk, start };
}

test('entries that arrive together are one write and one sync', async () => {
  const { disk, start } = machine();
  const writer = await start().backend.open(options);
  const before = { ...disk.counts };
  await Promise.all(Array.from({ length: 500 }, (_, index) => writer.done(`${index}`, put(`u${index}`))));
  expect((disk.counts.sync ?? 0) - (before.sync ?? 0)).toBe(1);
  expect((disk.counts.write ?? 0) - (before.write ?? 0)).toBe(1);
  expect(writer.size).toBe(500);
});

test('entries that arrive during a flush go into the next, and a single entry does not wait', async () => {
  const { disk, start } = machine();
  const writer = await start().backend.open(options);
  const before = disk.counts.sync ?? 0;
  const first = writer.done('1', put('a'));
  await Promise.resolve();
  await Promise.resolve();
  const others = Array.from({ length: 50 }, (_, index) => writer.done(`x${index}`, put(`x${index}`)));
  await first;
  expect((disk.counts.sync ?? 0) - before).toBe(1);
  expect(writer.size).toBe(1);
  await Promise.all(others);
  expect((disk.counts.sync ?? 0) - before).toBe(2);
  await writer.done('2', put('b'));
  expect((disk.counts.sync ?? 0) - before).toBe(3);
});

test('an acknowledged entry is on the disk', async () => {
  const { disk, start } = machine();
  const { backend, mount } = start();
  const writer = await backend.open(options);
  await writer.done('1', put('a'));
  mount.operationsLeft = 1;
  await expect(writer.done('2', put('b'))).rejects.toThrow('dead');

  disk.losePower(() => 0.999);
  disk.losePower(() => 0);
  expect(contentsOf(await start().backend.read(application)).records).toContainEqual(recordOf('a'));
});

describe('a failing disk', () => {
  test.for([
    { operation: 'write' as const, code: 'ENOSPC', short: 0 },
    { operation: 'write' as const, code: 'ENOSPC', short: 17 },
    { operation: 'write' as const, code: 'EROFS', short: 0 },
    { operation: 'sync' as const, code: 'EIO' },
  ])(
    '$code at $operation (short: $short) rejects all who wait and all who come, and keeps what was acknowledged',
    async ({ operation, code, short = 0 }) => {
      const { disk, start } = machine();
      const { backend, mount } = start();
      const writer = await backend.open(options);
      await writer.done('1', put('a'));
      mount.fail = (found, path) => (found === operation && path.includes('journal_1_') ? { code, short } : undefined);
      const results = await Promise.allSettled([
        writer.done('2', put('b')),
        Promise.resolve().then(() => Promise.resolve().then(() => writer.done('3', put('c')))),
      ]);
      mount.fail = () => undefined;
      for (const work of [
        ...results.map(reasonOf),
        refusalOf(writer.begin({ step: '4', address: 'user.d', request: '', at: '' })),
      ]) {
        expect(await work).toMatchObject({ code: 'state.write-failed', exitCode: 1 });
      }
      const refusal = await refusalOf(writer.undone('5'));
      expect(refusal.message).toContain(code);
      expect(refusal.advice).toContain('run the same command again');
      expect(writer.size).toBe(1);
      await writer.close();
      expect(Object.keys(disk.contents()).filter((name) => name.includes('lock'))).toEqual([]);

      const next = await start().backend.open(options);
      expect(next.get('user.a')).toEqual(recordOf('a'));
      await next.done('6', put('z'));
      await next.close();
      const { records } = contentsOf(await start().backend.read(application));
      expect(records).toContainEqual(recordOf('a'));
      expect(records).toContainEqual(recordOf('z'));
    },
  );

  test('is a refusal at any operation of opening, and the state is unchanged', async () => {
    for (let at = 0; ; at += 1) {
      const { start } = machine();
      const before = await start().backend.open(options);
      await before.done('1', put('a'));
      await before.close();
      const { backend, mount } = start();
      let count = 0;
      mount.fail = () => (count++ === at ? { code: 'ENOSPC' } : undefined);
      const opened = await backend.open(options).catch((error: Error) => error);
      if (count <= at) break;
      // A temporary file that cannot be removed is left for the next run.
      if (opened instanceof Error) expect(opened).toMatchObject({ code: 'state.write-failed', exitCode: 1 });
      else await opened.close();
      const next = await start().backend.open(options);
      expect(contentsOf(next).records).toEqual([recordOf('a')]);
    }
  });

  test('is not a refusal at any operation of closing, because nothing is lost', async () => {
    for (let at = 0; ; at += 1) {
      const { start } = machine();
      const { backend, mount } = start();
      const writer = await backend.open(options);
      await writer.done('1', put('a'));
      let count = 0;
      mount.fail = () => (count++ >= at ? { code: 'ENOSPC' } : undefined);
      await writer.close();
      expect(contentsOf(await start().backend.read(application)).records).toEqual([recordOf('a')]);
      if (count <= at) break;
    }
  });
});

function reasonOf(result: PromiseSettledResult<void>): unknown {
  return result.status === 'rejected' ? result.reason : undefined;
}
