// A journal survives a cut anywhere in its last line, and damage anywhere else is noticed.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StateBackend } from '../../../src/model/ports.ts';
import { entryLine, serializeEntry } from '../../../src/state/entries.ts';
import { fileBackend } from '../../../src/state/file/file.ts';
import { recordText } from '../../../src/state/records/record-text.ts';
import type { StateChange } from '../../../src/state/view.ts';
import { application, beginOf, contentsOf, Processes, put, recordOf, refusalOf } from '../../support/state/fixtures.ts';
import { Disk } from '../../support/state/simulated-disk.ts';

const path = '/s/journal.1.ndjson';
const options = { application, lockTimeoutMs: 0 };

/** What a process left behind that died after three entries. */
async function afterCrash(): Promise<{ readonly disk: Disk; readonly start: () => StateBackend }> {
  const disk = new Disk();
  const processes = new Processes();
  const start = () => fileBackend('file:s', '/s', processes.start(disk.mount()));
  const writer = await start().open(options);
  await writer.done('1', put('a'));
  await writer.begin(beginOf('2'));
  await writer.done('3', put('ü'));
  processes.killAll();
  return { disk, start };
}

test('a last line that is cut at any byte is left out, for good, and the entries before it are there', async () => {
  const { disk } = await afterCrash();
  const lines = Buffer.from(disk.text(path));
  const lastStart = lines.lastIndexOf(10, lines.length - 2) + 1;
  for (let cut = lastStart; cut < lines.length; cut += 1) {
    const { disk, start } = await afterCrash();
    disk.write(path, lines.subarray(0, cut));
    const expected = { records: [recordOf('a')], pending: ['2'] };
    expect(contentsOf(await start().read(application))).toEqual(expected);
    const writer = await start().open(options);
    expect(contentsOf(writer)).toEqual(expected);
    // The rest of the line comes late, from a holder that was only paused.
    disk.write(path, lines);
    await writer.done('4', put('z'));
    expect(contentsOf(await start().read(application)).records).toEqual([recordOf('a'), recordOf('z')]);
    await writer.close();
    expect(contentsOf(await start().read(application)).records).toEqual([recordOf('a'), recordOf('z')]);
  }
});

test('a holder that died before it named its base changes nothing', async () => {
  const { disk, start } = await afterCrash();
  const [first = '', second = ''] = disk.text(path).split('\n');
  const header = first.replace('"epoch":1', '"epoch":2').replaceAll('lock.1.', 'lock.2.');
  const expected = { records: [recordOf('a'), recordOf('ü')], pending: ['2'] };
  for (const torn of ['', second.slice(0, 10), second]) {
    disk.write('/s/journal.2.ndjson', `${header}\n${torn}`);
    expect(contentsOf(await start().read(application))).toEqual(expected);
  }
  const writer = await start().open(options);
  expect(contentsOf(writer)).toEqual(expected);
  expect(Object.keys(disk.contents())).toContain('/s/journal.3.ndjson');
});

describe('damage in the middle is refused, with file and line, and nothing is touched', () => {
  test.for([
    { name: 'header', line: 0, text: 'x', place: 'journal.1.ndjson line 1' },
    {
      name: 'header without a lock',
      line: 0,
      text: '{"format":"chatform-state/1","lineage":"id2","application":"a"}',
      place: 'line 1',
    },
    { name: 'base', line: 1, text: '{"type":"base","covers":0}', place: 'journal.1.ndjson line 2' },
    { name: 'not JSON', line: 2, text: '{"type":"do', place: 'journal.1.ndjson line 3' },
    { name: 'empty line', line: 3, text: '', place: 'journal.1.ndjson line 4' },
    { name: 'unknown type', line: 2, text: '{"type":"redone","step":"1"}', place: 'journal.1.ndjson line 3' },
    { name: 'no step', line: 2, text: '{"type":"undone"}', place: 'journal.1.ndjson line 3' },
    { name: 'done without entry', line: 2, text: '{"type":"done","step":"1"}', place: 'journal.1.ndjson line 3' },
    { name: 'unknown entry', line: 2, text: '{"type":"done","step":"1","entry":{"type":"x"}}', place: 'line 3' },
    { name: 'put of nothing', line: 2, text: '{"type":"done","step":"1","entry":{"type":"put"}}', place: 'line 3' },
    { name: 'last line, but whole', line: 4, text: '{"type":"do', place: 'journal.1.ndjson line 5' },
  ])('$name', async ({ line, text, place }) => {
    const { disk, start } = await afterCrash();
    const lines = disk.text(path).split('\n');
    lines[line] = text;
    disk.write(path, lines.join('\n'));
    const before = disk.contents();
    for (const use of ['read', 'open'] as const) {
      const refusal = await refusalOf(use === 'read' ? start().read(application) : start().open(options));
      expect(refusal).toMatchObject({ code: 'state.corrupt', exitCode: 1 });
      expect(refusal.message).toContain(place);
      expect(disk.contents()).toEqual(before);
    }
  });

  test('an earlier journal that counts and is gone, or shorter than it was', async () => {
    const { disk, start } = await afterCrash();
    const whole = disk.text(path);
    await start().open(options);
    disk.write(path, whole.slice(0, -1));
    expect((await refusalOf(start().read(application))).message).toContain('journal.1.ndjson is shorter than it was');
    disk.names.delete(path);
    expect((await refusalOf(start().read(application))).message).toContain('journal.1.ndjson is missing');
  });

  test('a snapshot that was folded and is gone', async () => {
    const disk = new Disk();
    const backend = fileBackend('file:s', '/s', new Processes().start(disk.mount()));
    const writer = await backend.open(options);
    await writer.done('1', put('a'));
    await writer.close();
    disk.names.delete('/s/state.ndjson');
    expect((await refusalOf(backend.read(application))).message).toContain('state.ndjson is missing');
  });

  test('a snapshot of another lineage', async () => {
    const { disk, start } = await afterCrash();
    disk.write(
      '/s/state.ndjson',
      `{"format":"chatform-state/1","lineage":"x","application":"${application}"}\n{"end":"chatform-state"}\n`,
    );
    expect((await refusalOf(start().read(application))).message).toContain('state.ndjson line 1 names another lineage');
  });
});

const word = fc.oneof(fc.string(), fc.constantFrom('é', '€', '\u{1f600}', '\ud800', '"}}\n', ',"entry":{'));
const entry: fc.Arbitrary<StateChange> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ step: word, key: word, text: word }).map(
      ({ step, key, text }): StateChange => ({
        type: 'done',
        step,
        entry: put(key, { text: text }),
      }),
    ),
  },
  word.map((step): StateChange => ({ type: 'begin', ...beginOf(step) })),
  word.map((step): StateChange => ({ type: 'undone', step })),
  word.map((step): StateChange => ({ type: 'done', step, entry: { type: 'delete', address: 'user.a' } })),
);

test('the line of an entry is its JSON, and contains the text of the record that it puts', () => {
  fc.assert(
    fc.property(entry, (entry) => {
      const { line, text } = serializeEntry(entry);
      expect(line).toBe(entryLine(entry));
      const isPut = entry.type === 'done' && entry.entry.type === 'put';
      expect(text).toBe(isPut ? recordText(entry.entry.record) : undefined);
    }),
  );
});
