// Tests that steps which finish together share a flush, and that a failing disk loses no acknowledged entry.
import { describe, expect, test } from 'vitest';
import { beginOf, contentsOf, now, put, putBy, recordOf, refusalOf } from '../../../support/state/fixtures.ts';
import { Machine } from '../support/machine.ts';

test('entries that arrive together are one write and one sync', async () => {
  const machine = new Machine();
  const writer = await machine.open();
  const { counts } = machine.disk;
  const before = { ...counts };
  await Promise.all(Array.from({ length: 500 }, (_, index) => writer.done(`${index}`, put(`u${index}`))));
  expect((counts.sync ?? 0) - (before.sync ?? 0)).toBe(1);
  expect((counts.write ?? 0) - (before.write ?? 0)).toBe(1);
  expect(writer.size).toBe(500);
});

test('entries that arrive during a flush go into the next, and a single entry does not wait', async () => {
  const machine = new Machine();
  const writer = await machine.open();
  const { counts } = machine.disk;
  const before = counts.sync ?? 0;
  const syncs = () => (counts.sync ?? 0) - before;
  const first = writer.done('1', put('a'));
  await Promise.resolve();
  await Promise.resolve();
  const others = Array.from({ length: 50 }, (_, index) => writer.done(`x${index}`, put(`x${index}`)));
  await first;
  expect([syncs(), writer.size]).toEqual([1, 1]);
  await Promise.all(others);
  expect(syncs()).toBe(2);
  await writer.done('2', put('b'));
  expect(syncs()).toBe(3);
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
      const machine = new Machine();
      const { backend, mount } = machine.start();
      const writer = await backend.open(now);
      await writer.done('1', put('a'));
      mount.fail = (found, path) => (found === operation && path.includes('journal_1_') ? { code, short } : undefined);
      const waiting = [
        refusalOf(writer.done('2', put('b'))),
        refusalOf(Promise.resolve().then(() => Promise.resolve().then(() => writer.done('3', put('c'))))),
      ];
      for (const refusal of await Promise.all(waiting))
        expect(refusal).toMatchObject({ code: 'state.write-failed', exitCode: 1 });
      mount.fail = () => undefined;
      const begun = refusalOf(writer.begin(beginOf('4', 'user.d')));
      expect(await begun).toMatchObject({ code: 'state.write-failed', exitCode: 1 });
      const refusal = await refusalOf(writer.undone('5'));
      expect(refusal.message).toContain(code);
      expect(refusal.advice).toContain('run the same command again');
      expect(writer.size).toBe(1);
      await writer.close();
      expect(Object.keys(machine.disk.contents()).filter((name) => name.includes('lock'))).toEqual([]);

      const next = await machine.open();
      expect(next.get('user.a')).toEqual(recordOf('a'));
      await next.done('6', put('z'));
      await next.close();
      expect((await machine.contents()).records).toEqual(expect.arrayContaining([recordOf('a'), recordOf('z')]));
    },
  );

  test('is a refusal at any operation of opening, and the state is unchanged', async () => {
    for (let at = 0; ; at += 1) {
      const machine = new Machine();
      await putBy(() => machine.start().backend, 'a');
      const { backend, mount } = machine.start();
      let count = 0;
      mount.fail = () => (count++ === at ? { code: 'ENOSPC' } : undefined);
      const opened = await backend.open(now).catch((error: Error) => error);
      if (count <= at) break;
      // A temporary file that cannot be removed is left for the next run.
      if (opened instanceof Error) expect(opened).toMatchObject({ code: 'state.write-failed', exitCode: 1 });
      else await opened.close();
      expect(contentsOf(await machine.open()).records).toEqual([recordOf('a')]);
    }
  });

  test('is not a refusal at any operation of closing, because nothing is lost', async () => {
    for (let at = 0; ; at += 1) {
      const machine = new Machine();
      const { backend, mount } = machine.start();
      const writer = await backend.open(now);
      await writer.done('1', put('a'));
      let count = 0;
      mount.fail = () => (count++ >= at ? { code: 'ENOSPC' } : undefined);
      await writer.close();
      expect((await machine.contents()).records).toEqual([recordOf('a')]);
      if (count <= at) break;
    }
  });
});
