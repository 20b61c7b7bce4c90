// A snapshot is written so that two of them merge, and damage to one is noticed.
import { describe, expect, test } from 'vitest';
import { fileBackend } from '../../../src/state/file/file.ts';
import { application, contentsOf, Processes, put, recordOf, refusalOf } from '../../support/state/fixtures.ts';
import { Disk } from '../../support/state/simulated-disk.ts';

const header = '{"application":"api-test.example.com/v3","format":"chatform-state/1","lineage":"L"}';
const a = '{"address":"user.a","attributes":{}}';
const b = '{"address":"user.b","attributes":{}}';
const end = '{"end":"chatform-state"}';

function stateOf(lines: string): { readonly disk: Disk; readonly backend: ReturnType<typeof fileBackend> } {
  const disk = new Disk();
  disk.write('/s/state.ndjson', lines);
  return { disk, backend: fileBackend('file:s', '/s', new Processes().start(disk.mount())) };
}

test('holds a constant header, one record a line by address with sorted keys, and a constant last line', async () => {
  const disk = new Disk();
  const backend = fileBackend('file:s', '/s', new Processes().start(disk.mount()));
  const writer = await backend.open({ application, lockTimeoutMs: 0 });
  await writer.done('1', put('b', { z: 1, a: { y: 1, b: [2, 1] } }));
  await writer.done('2', put('a'));
  await writer.close();
  expect(disk.text('/s/state.ndjson')).toBe(
    `${header.replace('"L"', JSON.stringify(writer.header.lineage))}\n${a}\n{"address":"user.b","attributes":{"a":{"b":[2,1],"y":1},"z":1}}\n${end}\n`,
  );
  expect(Object.keys(disk.contents()).sort()).toEqual(['/s/journal.2.ndjson', '/s/state.ndjson']);
});

test('a snapshot alone, without any journal, is a whole state', async () => {
  const { backend } = stateOf(`${header}\n${a}\n${b}\n${end}\n`);
  const snapshot = await backend.read(application);
  expect(snapshot.header).toEqual({ application, format: 'chatform-state/1', lineage: 'L' });
  const writer = await backend.open({ application, lockTimeoutMs: 0 });
  expect(writer.header.lineage).toBe('L');
  await writer.done('1', { type: 'delete', address: 'user.a' });
  await writer.close();
  expect(contentsOf(await backend.read(application)).records).toEqual([recordOf('b')]);
});

test('a line longer than a chunk is read', async () => {
  const attributes = { text: 'é'.repeat(3_000_000) };
  const { backend } = stateOf(`${header}\n${a}\n${JSON.stringify(recordOf('b', attributes))}\n${end}\n`);
  expect((await backend.read(application)).get('user.b')?.attributes).toEqual(attributes);
});

describe('damage is refused, with file and line, and nothing is touched', () => {
  test.for([
    { name: 'an empty file', lines: '', place: 'state.ndjson ' },
    { name: 'no header', lines: `${a}\n${end}\n`, place: 'state.ndjson line 1' },
    { name: 'not JSON', lines: 'x\n', place: 'state.ndjson line 1' },
    { name: 'no lineage', lines: `{"format":"chatform-state/1"}\n${end}\n`, place: 'state.ndjson line 1' },
    { name: 'cut between two lines', lines: `${header}\n${a}\n`, place: 'state.ndjson is cut off' },
    { name: 'cut in a line', lines: `${header}\n${a}\n${b.slice(0, 9)}`, place: 'state.ndjson is cut off' },
    { name: 'no last newline', lines: `${header}\n${a}\n${end}`, place: 'state.ndjson is cut off' },
    { name: 'a bad line', lines: `${header}\n${a}\n{"address"\n${end}\n`, place: 'state.ndjson line 3' },
    { name: 'a merge conflict', lines: `${header}\n<<<<<<< ours\n${a}\n${end}\n`, place: 'state.ndjson line 2' },
    { name: 'not a record', lines: `${header}\n{"address":"user.a"}\n${end}\n`, place: 'state.ndjson line 2' },
    { name: 'not an address', lines: `${header}\n${a.replace('user.', '')}\n${end}\n`, place: 'state.ndjson line 2' },
    { name: 'out of order', lines: `${header}\n${b}\n${a}\n${end}\n`, place: 'state.ndjson line 3 is out of order' },
    { name: 'twice', lines: `${header}\n${a}\n${a}\n${end}\n`, place: 'state.ndjson line 3 repeats' },
    { name: 'more behind the end', lines: `${header}\n${end}\n${a}\n`, place: 'state.ndjson line 3' },
  ])('$name', async ({ lines, place }) => {
    const { disk, backend } = stateOf(lines);
    const before = disk.contents();
    for (const use of ['read', 'open'] as const) {
      const refusal = await refusalOf(
        use === 'read' ? backend.read(application) : backend.open({ application, lockTimeoutMs: 0 }),
      );
      expect(refusal).toMatchObject({ code: 'state.corrupt', exitCode: 1 });
      expect(refusal.message).toContain(place);
      expect(disk.contents()).toEqual(before);
    }
  });
});

test('a newer format is refused, and nothing is touched', async () => {
  const { disk, backend } = stateOf(`${header.replace('state/1', 'state/2')}\nwho knows\n`);
  const before = disk.contents();
  expect(await refusalOf(backend.read(application))).toMatchObject({ code: 'state.newer-format', exitCode: 1 });
  expect(await refusalOf(backend.open({ application, lockTimeoutMs: 0 }))).toMatchObject({
    code: 'state.newer-format',
    exitCode: 1,
  });
  expect(disk.contents()).toEqual(before);
});
