// Tests that stored records with changes applied equal a sorted list.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Address } from '../../../../src/core/model/address.ts';
import { entryAddress, type StateEntry, type StateRecord } from '../../../../src/core/model/record.ts';
import { RecordLinesBuilder } from '../../../../src/core/state/records/record-lines.ts';
import { recordLine, recordText } from '../../../../src/core/state/records/record-text.ts';
import type { StoredRecords } from '../../../../src/core/state/records/sorted-records.ts';
import { RecordTable } from '../../../../src/core/state/records/view.ts';
import { put, recordOf } from '../../../support/state/fixtures.ts';
import { Model } from '../support/model.ts';

/** Few keys, so that they collide. Some need escapes, and some sort differently as bytes. */
const key = fc.oneof(fc.nat(30).map(String), fc.constantFrom('"', '\\', 'a\\"b', '\u{1f600}', '￰', '\ud800', '\n', 'é'));
// Some are longer than a block of lines.
const attributes = fc.record({ text: fc.string(), size: fc.constantFrom(0, 0, 0, 20_000) }).map(({ text, size }) => ({
  text: text + 'x'.repeat(size),
}));

const sorted = fc
  .uniqueArray(fc.record({ key, attributes }), { selector: (item) => item.key, maxLength: 40 })
  .map((items) => items.map(({ key, attributes }): StateRecord => ({ address: `user.${key}`, attributes })))
  .map((records) => records.sort((left, right) => (left.address < right.address ? -1 : 1)));

function stored(records: readonly StateRecord[]): StoredRecords {
  const lines = new RecordLinesBuilder();
  for (const record of records) lines.add(recordText(record));
  return lines.end();
}

/** Keeps the lines of every second record, and reads the others again. */
function readAgain(records: readonly StateRecord[]): StoredRecords {
  const lines = new RecordLinesBuilder();
  for (const [place, record] of records.entries()) {
    const line = Buffer.from(recordLine(record));
    const original = Buffer.from(line);
    if (place % 2 === 0) lines.addLines(line);
    else lines.addLines(line, (offset, length) => original.subarray(offset, offset + length));
    line.fill(0);
  }
  return lines.end();
}

describe.for([
  { name: 'lines', make: stored },
  { name: 'lines that are read again', make: readAgain },
])('$name', ({ make }) => {
  test('have every record in its place, and find the place of any address', () => {
    fc.assert(
      fc.property(sorted, fc.array(key), (records, others) => {
        const held = make(records);
        expect([...held]).toEqual(records);
        expect(held).toHaveLength(records.length);
        for (const place of [-1, ...records.keys(), records.length]) expect(held.at(place)).toEqual(records[place]);
        for (const address of [
          ...records.map((record) => record.address),
          ...others.map((key): Address => `user.${key}`),
        ]) {
          const index = records.filter((record) => record.address < address).length;
          expect(held.seek(address)).toEqual({ index, isFound: records[index]?.address === address });
        }
      }),
    );
  });

  test('return the lines of any range', () => {
    fc.assert(
      fc.property(sorted, fc.nat(40), fc.nat(40), (records, one, other) => {
        const [from = 0, to = 0] = [one, other].map((place) => Math.min(place, records.length)).sort((a, b) => a - b);
        const text = Buffer.concat([...make(records).lines(from, to)]).toString();
        expect(text).toBe(records.slice(from, to).map(recordLine).join(''));
      }),
    );
  });
});

const entry: fc.Arbitrary<StateEntry> = fc.oneof(
  fc.record({ key, attributes }).map(({ key, attributes }) => put(key, attributes)),
  key.map((key): StateEntry => ({ type: 'delete', address: `user.${key}` })),
  fc.record({ key, value: fc.nat(9) }).map(
    ({ key, value }): StateEntry => ({
      type: 'patch',
      address: `user.${key}`,
      edits: [{ op: 'set', path: ['value'], value }],
    }),
  ),
);

/** `hasText`: the entry includes the text of its record. `look`: what is read afterwards. */
const change = fc.record({
  entry,
  hasText: fc.boolean(),
  look: fc.constantFrom('none', 'none', 'none', 'get', 'size', 'all'),
});

test('records with changes equal a plain Map by place, by address and as lines', () => {
  fc.assert(
    fc.property(sorted, fc.array(fc.array(change), { maxLength: 4 }), (records, rounds) => {
      const model = new Model();
      for (const record of records) model.apply({ type: 'done', step: '', entry: { type: 'put', record } });
      const table = new RecordTable(stored(records));
      for (const round of rounds) {
        for (const { entry, hasText, look } of round) {
          model.apply({ type: 'done', step: '', entry });
          table.apply(entry, hasText && entry.type === 'put' ? Buffer.from(recordText(entry.record)) : undefined);
          const address = entryAddress(entry);
          const now = look === 'none' ? [] : model.contents().records;
          if (look === 'get') expect(table.get(address)).toEqual(now.find((record) => record.address === address));
          if (look === 'size') expect(table.size).toBe(now.length);
          if (look === 'all') expect([...table.records()]).toEqual(now);
        }
        const expected = model.contents().records;
        const found = table.records();
        expect([...found]).toEqual(expected);
        expect(table.size).toBe(expected.length);
        for (const place of [-1, ...expected.keys(), expected.length]) {
          expect(found.at(place)).toEqual(expected[place]);
        }
        for (const record of expected) expect(table.get(record.address)).toEqual(record);
        expect(Buffer.concat([...found.lines()]).toString()).toBe(expected.map(recordLine).join(''));
      }
    }),
  );
});

test('records that were read do not change when others are put', () => {
  const table = new RecordTable(stored([recordOf('a', { from: 'before' })]));
  const apply = (record: StateRecord) => table.apply({ type: 'put', record }, Buffer.from(recordText(record)));
  apply(recordOf('b', { value: 1 }));
  const before = table.records();
  apply(recordOf('a', { value: 2 }));
  apply(recordOf('b', { value: 2 }));
  expect([...before]).toEqual([recordOf('a', { from: 'before' }), recordOf('b', { value: 1 })]);
  expect([...table.records()]).toEqual([recordOf('a', { value: 2 }), recordOf('b', { value: 2 })]);
});

test.for([
  { name: 'as it is', hasText: false },
  { name: 'as text', hasText: true },
])(
  'a large record that changes again and again, put $name: outdated texts are dropped, the others stay',
  ({ hasText }) => {
    const table = new RecordTable(stored([]));
    const others = [...'abc'].map((key) => recordOf(key, { of: key }));
    for (const record of others) table.apply({ type: 'put', record });
    table.apply(put('d', { of: 'd' }), Buffer.from(recordText(recordOf('d', { of: 'd' }))));
    const long = 'x'.repeat(1 << 20);
    for (let round = 0; round < 20; round += 1) {
      const large = recordOf('large', { long, round });
      table.apply({ type: 'put', record: large }, hasText ? Buffer.from(recordText(large)) : undefined);
      table.apply(put('small', { round }));
    }
    const changed = [recordOf('large', { long, round: 19 }), recordOf('small', { round: 19 })];
    expect([...table.records()]).toEqual([...others, recordOf('d', { of: 'd' }), ...changed]);
  },
);

test('the text of a record does not depend on the order of its keys', () => {
  const record = JSON.parse(
    '{"attributes":{"10":1,"9":{"b":[{"d":1,"c":2}],"a":0}},"address":"user.a"}',
  ) as StateRecord;
  const text = '{"address":"user.a","attributes":{"10":1,"9":{"a":0,"b":[{"c":2,"d":1}]}}}';
  expect(recordText(record)).toBe(text);
  expect(recordText(JSON.parse(text) as StateRecord)).toBe(text);
});
