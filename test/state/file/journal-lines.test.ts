// Are the texts of records found again in the journal that they were written to?
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Address } from '../../../src/model/address.ts';
import type { StateRecord } from '../../../src/model/record.ts';
import { fileBackend } from '../../../src/state/file/file.ts';
import { nodeFiles, type SourceFile } from '../../../src/state/file/file-system.ts';
import { entryLine } from '../../../src/state/file/journal.ts';
import { serializeEntry, WrittenLines } from '../../../src/state/file/journal-lines.ts';
import { recordText } from '../../../src/state/records/record-lines.ts';
import type { StateChange } from '../../../src/state/view.ts';
import { Disk, Mount } from '../support/disk.ts';
import { application, beginOf, contentsOf, Processes, put, recordOf } from '../support/support.ts';

const word = fc.oneof(fc.string(), fc.constantFrom('é', '€', '\u{1f600}', '\ud800', '"}}\n', ',"entry":{'));
const entry: fc.Arbitrary<StateChange> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ step: word, key: word, text: word, size: fc.constantFrom(0, 0, 0, 100_000) }).map(
      ({ step, key, text, size }): StateChange => ({
        type: 'done',
        step,
        entry: put(key, { text: text + 'x'.repeat(size) }),
      }),
    ),
  },
  word.map((step): StateChange => ({ type: 'begin', ...beginOf(step) })),
  word.map((step): StateChange => ({ type: 'undone', step })),
  word.map((step): StateChange => ({ type: 'done', step, entry: { type: 'delete', address: 'user.a' } })),
);

test.for([
  { name: 'in memory', limit: 1 << 30, hasFile: false },
  { name: 'in the journal', limit: 0, hasFile: true },
  { name: 'in both', limit: 1 << 20, hasFile: true },
])('each text is that of its record, wherever it is: $name', async ({ limit, hasFile }) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(entry, { minLength: 1 }), { maxLength: 8 }), async (flushes) => {
      const disk = new Disk();
      const files = disk.mount();
      const journal = await files.create('/journal');
      await journal.write(Buffer.from('{"a head":"é"}\n'));
      const written = await WrittenLines.behind(hasFile ? await files.openToRead('/journal') : undefined, limit);
      const found: { readonly entry: StateChange; readonly read: () => string | undefined }[] = [];
      let lines = '{"a head":"é"}\n';
      for (const entries of flushes) {
        const spelt = entries.map(serializeEntry);
        const bytes = written.bytesOf(spelt);
        await journal.write(bytes);
        for (const { entry, text } of written.add(spelt, bytes))
          found.push({ entry, read: () => text?.bytes.slice(text.offset, text.length).toString() });
        lines += entries.map(entryLine).join('');
      }
      expect(disk.text('/journal')).toBe(lines);
      expect(found.map(({ entry }) => entry)).toEqual(flushes.flat());
      for (const { entry, read } of found.reverse()) {
        const isPut = entry.type === 'done' && entry.entry.type === 'put';
        expect(read()).toBe(isPut ? recordText(entry.entry.record) : undefined);
      }
    }),
    { numRuns: 50 },
  );
});

class CountingMount extends Mount {
  open = 0;

  override async openToRead(path: string): Promise<SourceFile | undefined> {
    const file = await super.openToRead(path);
    if (file === undefined) return undefined;
    this.open += 1;
    const close = async () => {
      this.open -= 1;
    };
    return { ...file, close };
  }
}

test('a run that writes little leaves no file open when it ends, and can be looked up in after it', async () => {
  const files = new CountingMount(new Disk());
  const writer = await fileBackend('file:s', '/s', new Processes().start(files)).open({
    application,
    lockTimeoutMs: 0,
  });
  await writer.done('1', put('a'));
  expect(files.open).toBe(1);
  await writer.close();
  expect(files.open).toBe(0);
  expect(contentsOf(writer).records).toEqual([recordOf('a')]);
});

describe('a run that writes more than is kept in memory', () => {
  const count = 3_000;
  const filler = 'ü'.repeat(3_000);
  const address = (index: number): Address => `user.${String(index).padStart(5, '0')}`;
  const recordAt = (index: number, round: number): StateRecord => ({
    address: address(index),
    attributes: { filler, round },
  });
  let folder = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'chatform-state-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test.for([
    { name: 'on a disk', make: () => ({ path: join(folder, 'state'), files: nodeFiles }) },
    { name: 'on a simulated disk', make: () => ({ path: '/state', files: new Disk().mount() }) },
  ])('$name, is looked up in while it writes, and opens to the same', async ({ make }) => {
    const { path, files } = make();
    const processes = new Processes();
    const start = () => fileBackend('file:s', path, processes.start(files));
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
      address: address(2_999),
      edits: [{ op: 'set', path: ['round'], value: 3 }],
    });
    await writer.done('y', { type: 'delete', address: address(0) });
    const roundOf = (index: number) => (index === 2_999 ? 3 : index >= count / 2 ? 2 : 1);
    const expected = Array.from({ length: count - 1 }, (_, index) => recordAt(index + 1, roundOf(index + 1)));
    expect(writer.size).toBe(count - 1);
    expect(contentsOf(writer).records).toEqual(expected);
    // Of another process, which has nothing but the journal.
    expect(contentsOf(await start().read(application)).records).toEqual(expected);
    await writer.close();
    // What was opened is still there, although its journal is folded away.
    expect(contentsOf(writer).records).toEqual(expected);
    expect(contentsOf(await start().read(application)).records).toEqual(expected);
  });
});
