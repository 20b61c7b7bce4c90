// A snapshot with a known digest is not parsed again, and one that was edited is checked line by line.
import { expect, test } from 'vitest';
import { fileBackend } from '../../../src/state/file/file.ts';
import { application, contentsOf, Processes, put, recordOf, refusalOf } from '../../support/state/fixtures.ts';
import { Disk } from '../../support/state/simulated-disk.ts';

const options = { application, lockTimeoutMs: 0 };
const path = '/s/state.ndjson';

/** A state of two records, and the text of the journal that was written with its snapshot. */
async function compacted() {
  const disk = new Disk();
  const processes = new Processes();
  const start = () => fileBackend('file:s', '/s', processes.start(disk.mount()));
  const writer = await start().open(options);
  await Promise.all([writer.done('1', put('a', { value: 1 })), writer.done('2', put('b'))]);
  await writer.close();
  return {
    disk,
    start,
    journal: () => disk.text(Object.keys(disk.contents()).findLast((name) => name.startsWith('/s/journal.')) ?? ''),
  };
}

test('the journal notes the digest, and the next holder passes it on', async () => {
  const { start, journal } = await compacted();
  const noted = /"snapshot":"([0-9a-f]{64})"/u.exec(journal())?.[1];
  expect(noted).toBeDefined();
  const writer = await start().open(options);
  expect(journal()).toContain(`"snapshot":"${noted}"`);
  await writer.close();
});

test('damage that keeps the length is found', async () => {
  const { disk, start } = await compacted();
  disk.write(path, disk.text(path).replace('"value":1', '"value" 1'));
  const refusal = await refusalOf(start().read(application));
  expect(refusal).toMatchObject({ code: 'state.corrupt' });
  expect(refusal.message).toContain('state.ndjson line 2 is not a record');
});

test.for([
  { name: 'changed', text: '{"address":"user.a","attributes":{"value":2}}', records: [recordOf('a', { value: 2 })] },
  {
    name: 'laid out otherwise',
    text: '{ "attributes": {"value": 3}, "address": "user.a" }',
    records: [recordOf('a', { value: 3 })],
  },
])('a line that somebody has $name is read, also by those who come later', async ({ text, records }) => {
  const { disk, start } = await compacted();
  disk.write(path, disk.text(path).replace('{"address":"user.a","attributes":{"value":1}}', text));
  const expected = { records: [...records, recordOf('b')], pending: [] };
  expect(contentsOf(await start().read(application))).toEqual(expected);
  const writer = await start().open(options);
  expect(contentsOf(writer)).toEqual(expected);
  await writer.close();
  const next = await start().open(options);
  expect(next.get('user.a')).toEqual(records[0]);
  await next.done('3', put('c'));
  await next.close();
  expect(contentsOf(await start().read(application)).records).toEqual([...expected.records, recordOf('c')]);
  expect(disk.text(path)).toContain(`{"address":"user.a","attributes":{"value":${records[0]?.attributes.value}}}\n`);
});

test('a big snapshot that is read stays what it was while others change and replace it', async () => {
  const disk = new Disk();
  const processes = new Processes();
  const start = () => fileBackend('file:s', '/s', processes.start(disk.mount()));
  const records = Array.from({ length: 600 }, (_, number) =>
    recordOf(String(number).padStart(4, '0'), { text: 'é'.repeat(5_000) }),
  );
  const first = await start().open(options);
  await first.replace({ header: first.header, serial: 1, records: () => records, pending: [] });
  const before = await start().read(application);
  const writer = await start().open(options);
  await writer.done('1', { type: 'delete', address: 'user.0000' });
  await writer.done('2', put('0001', { value: 1 }));
  await writer.compact();
  expect(disk.text(path).length).toBeGreaterThan(1 << 21);
  expect([...before.records()]).toEqual(records);
  expect(before.records().at(599)).toEqual(records[599]);
  const after = await start().read(application);
  expect(after.size).toBe(599);
  expect(after.get('user.0001')).toEqual(recordOf('0001', { value: 1 }));
  expect([...after.records()].slice(1)).toEqual(records.slice(2));
});
