// Tests how a finished step changes a record: every kind of edit, its flags, and that nothing is lost or invented.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyEntry,
  digestOfRecord,
  entryAddress,
  type RecordEdit,
  type StateRecord,
} from '../../../src/core/model/record.ts';
import { equalJson } from '../../../src/lib/json.ts';

const address = 'group_channel.room';
const record: StateRecord = {
  address,
  attributes: { name: 'Room', members: { alice: { hidden_status: 'unhidden' }, bob: {} }, operators: ['a', 'c'] },
};

const patched = (edits: readonly RecordEdit[]) => applyEntry(record, { type: 'patch', address, edits })?.attributes;

describe('an edit', () => {
  const alice = { hidden_status: 'unhidden' };
  test.for<[claim: string, RecordEdit, changed: object]>([
    ['sets', { op: 'set', path: ['name'], value: 'Hall' }, { name: 'Hall' }],
    ['adds an attribute', { op: 'set', path: ['data'], value: '' }, { data: '' }],
    [
      'sets deeper, making what lies between',
      { op: 'set', path: ['metadata', 'a'], value: '1' },
      { metadata: { a: '1' } },
    ],
    [
      'sets a member beside the others',
      { op: 'set', path: ['members', 'constructor'], value: {} },
      { members: { alice, bob: {}, constructor: {} } },
    ],
    ['takes a member away', { op: 'unset', path: ['members', 'bob'] }, { members: { alice } }],
    [
      'takes away deep inside',
      { op: 'unset', path: ['members', 'alice', 'hidden_status'] },
      { members: { alice: {}, bob: {} } },
    ],
    ['takes away what is not there', { op: 'unset', path: ['metadata', 'a'] }, {}],
    ['does not take what every object has', { op: 'unset', path: ['members', 'toString'] }, {}],
    [
      'adds to a sorted set, each once',
      { op: 'add', path: ['operators'], values: ['b', 'a'] },
      { operators: ['a', 'b', 'c'] },
    ],
    ['takes from a set', { op: 'remove', path: ['operators'], values: ['c', 'x'] }, { operators: ['a'] }],
    ['makes a set', { op: 'add', path: ['others'], values: ['b'] }, { others: ['b'] }],
    ['of nothing at all', { op: 'set', path: [], value: 1 }, {}],
  ])('%s', ([, edit, changed]) => {
    expect(patched([edit])).toEqual({ ...record.attributes, ...changed });
  });

  test('removes a whole attribute', () => {
    expect(patched([{ op: 'unset', path: ['members'] }])).toEqual({ name: 'Room', operators: ['a', 'c'] });
  });

  const id = fc.constantFrom('alice', 'bob', 'carol', 'constructor', '__proto__', '7');
  const edit = fc.oneof(
    id.map((name): RecordEdit => ({ op: 'set', path: ['members', name], value: {} })),
    id.map((name): RecordEdit => ({ op: 'set', path: ['members', name, 'hidden_status'], value: 'hidden' })),
    id.map((name): RecordEdit => ({ op: 'unset', path: ['members', name] })),
    id.map((name): RecordEdit => ({ op: 'add', path: ['operators'], values: [name] })),
    id.map((name): RecordEdit => ({ op: 'remove', path: ['operators'], values: [name] })),
  );

  test('gives the same result together with others as one by one', () => {
    fc.assert(
      fc.property(fc.array(edit), (edits) => {
        const texts = [JSON.stringify(record), JSON.stringify(edits)];
        let one: StateRecord | undefined = record;
        for (const single of edits) one = applyEntry(one, { type: 'patch', address, edits: [single] });
        expect(JSON.stringify(patched(edits))).toBe(JSON.stringify(one?.attributes));
        expect([JSON.stringify(record), JSON.stringify(edits)]).toEqual(texts);
      }),
    );
  });

  test('commutes with edits of other members and operators', () => {
    const subject = ({ op, path, ...rest }: RecordEdit) => [
      path[0],
      path[1] ?? ('values' in rest ? rest.values[0] : op),
    ];
    fc.assert(
      fc.property(edit, edit, (left, right) => {
        fc.pre(!equalJson(subject(left).join(' '), subject(right).join(' ')));
        expect(patched([left, right])).toEqual(patched([right, left]));
      }),
    );
  });
});

describe('an entry', () => {
  test('sets and removes flags', () => {
    const marked = applyEntry(record, {
      type: 'patch',
      address,
      edits: [],
      marks: { retired: true, bracket: true, lifecycle: { protect: true } },
    });
    expect(marked).toEqual({ ...record, retired: true, bracket: true, lifecycle: { protect: true } });
    const marks = { retired: null, bracket: null, lifecycle: null } as const;
    expect(applyEntry(marked, { type: 'patch', address, edits: [], marks })).toEqual(record);
  });

  const nothing = { type: 'patch', address, edits: [{ op: 'set', path: ['a'], value: 1 }] } as const;
  test.for([
    ['put', undefined, { type: 'put', record }, record],
    ['delete', record, { type: 'delete', address }, undefined],
    ['a patch of nothing is nothing', undefined, nothing, undefined],
  ] as const)('%s', ([, before, entry, expected]) => {
    expect(applyEntry(before, entry)).toEqual(expected);
    expect(entryAddress(entry)).toBe(address);
  });

  test('has a digest that distinguishes records, whatever the order of keys', () => {
    const { attributes, ...rest } = record;
    expect(digestOfRecord({ attributes, ...rest })).toBe(digestOfRecord(record));
    expect(digestOfRecord({ ...record, retired: true })).not.toBe(digestOfRecord(record));
    expect(digestOfRecord(undefined)).toMatch(/^[0-9a-f]{64}$/u);
  });
});
