// Tests how a finished step changes a record: every kind of edit, its flags, and that nothing is lost or invented.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { equalJson } from '../../src/lib/json.ts';
import { applyEntry, digestOfRecord, entryAddress, type RecordEdit, type StateRecord } from '../../src/model/record.ts';

const address = 'group_channel.room';
const record: StateRecord = {
  address,
  attributes: { name: 'Room', members: { alice: { hidden_status: 'unhidden' }, bob: {} }, operators: ['a', 'c'] },
};

const patched = (edits: readonly RecordEdit[]) => applyEntry(record, { type: 'patch', address, edits })?.attributes;

describe('an edit', () => {
  test.for<{ name: string; edit: RecordEdit; expected: object }>([
    { name: 'sets', edit: { op: 'set', path: ['name'], value: 'Hall' }, expected: { name: 'Hall' } },
    { name: 'adds an attribute', edit: { op: 'set', path: ['data'], value: '' }, expected: { data: '' } },
    {
      name: 'sets deeper, making what lies between',
      edit: { op: 'set', path: ['metadata', 'a'], value: '1' },
      expected: { metadata: { a: '1' } },
    },
    {
      name: 'sets a member beside the others',
      edit: { op: 'set', path: ['members', 'constructor'], value: {} },
      expected: { members: { alice: { hidden_status: 'unhidden' }, bob: {}, constructor: {} } },
    },
    {
      name: 'takes a member away',
      edit: { op: 'unset', path: ['members', 'bob'] },
      expected: { members: { alice: { hidden_status: 'unhidden' } } },
    },
    {
      name: 'takes away deep inside',
      edit: { op: 'unset', path: ['members', 'alice', 'hidden_status'] },
      expected: { members: { alice: {}, bob: {} } },
    },
    { name: 'takes away what is not there', edit: { op: 'unset', path: ['metadata', 'a'] }, expected: {} },
    { name: 'does not take what every object has', edit: { op: 'unset', path: ['members', 'toString'] }, expected: {} },
    {
      name: 'adds to a sorted set, each once',
      edit: { op: 'add', path: ['operators'], values: ['b', 'a'] },
      expected: { operators: ['a', 'b', 'c'] },
    },
    {
      name: 'takes from a set',
      edit: { op: 'remove', path: ['operators'], values: ['c', 'x'] },
      expected: { operators: ['a'] },
    },
    { name: 'makes a set', edit: { op: 'add', path: ['others'], values: ['b'] }, expected: { others: ['b'] } },
    { name: 'of nothing at all', edit: { op: 'set', path: [], value: 1 }, expected: {} },
  ])('$name', ({ edit, expected }) => {
    expect(patched([edit])).toEqual({ ...record.attributes, ...expected });
  });

  test('removes a whole attribute', () => {
    expect(patched([{ op: 'unset', path: ['members'] }])).toEqual({ name: 'Room', operators: ['a', 'c'] });
  });

  test('does not change the given record', () => {
    const text = JSON.stringify(record);
    patched([
      { op: 'unset', path: ['members', 'bob'] },
      { op: 'add', path: ['operators'], values: ['z'] },
    ]);
    expect(JSON.stringify(record)).toBe(text);
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

  test.for([
    { name: 'put', before: undefined, entry: { type: 'put', record } as const, expected: record },
    { name: 'delete', before: record, entry: { type: 'delete', address } as const, expected: undefined },
    {
      name: 'a patch of nothing is nothing',
      before: undefined,
      entry: { type: 'patch', address, edits: [{ op: 'set', path: ['a'], value: 1 }] } as const,
      expected: undefined,
    },
  ])('$name', ({ before, entry, expected }) => {
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
