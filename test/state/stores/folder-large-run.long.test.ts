// Tests that a run which writes more than memory keeps can be read meanwhile and opens with the same records.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Address } from '../../../src/model/address.ts';
import type { StateRecord } from '../../../src/model/record.ts';
import { stateBackend } from '../../../src/state/engine/backend.ts';
import { folderAddress } from '../../../src/state/stores/folder.ts';
import { application, contentsOf, Processes } from '../../support/state/fixtures.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('keeps records of 36 MB', async () => {
  const count = 2_000;
  const filler = 'ü'.repeat(6_000);
  const address = (index: number): Address => `user.${String(index).padStart(5, '0')}`;
  const recordAt = (index: number, round: number): StateRecord => ({
    address: address(index),
    attributes: { filler, round },
  });
  const path = join(await temporaryFolder(), 'state');
  const processes = new Processes();
  const start = () => stateBackend(folderAddress('file:s', path), processes.start());
  const writer = await start().open({ application, lockTimeoutMs: 0 });
  const write = (from: number, to: number, round: number) =>
    Promise.all(
      Array.from({ length: to - from }, (_, index) =>
        writer.done(`${from + index}`, { type: 'put', record: recordAt(from + index, round) }),
      ),
    );
  await write(0, count, 1);
  expect(writer.get(address(7))).toEqual(recordAt(7, 1));
  await write(count / 2, count, 2);
  await writer.done('x', {
    type: 'patch',
    address: address(1_999),
    edits: [{ op: 'set', path: ['round'], value: 3 }],
  });
  await writer.done('y', { type: 'delete', address: address(0) });
  const roundOf = (index: number) => (index === 1_999 ? 3 : index >= count / 2 ? 2 : 1);
  const expected = Array.from({ length: count - 1 }, (_, index) => recordAt(index + 1, roundOf(index + 1)));
  expect(writer.size).toBe(count - 1);
  expect(contentsOf(writer).records).toEqual(expected);
  // Another process has only the journal.
  expect(contentsOf(await start().read(application)).records).toEqual(expected);
  await writer.close();
  // The snapshot that this writer opened is still readable, although it has been replaced.
  expect(contentsOf(writer).records).toEqual(expected);
  expect(contentsOf(await start().read(application)).records).toEqual(expected);
});
