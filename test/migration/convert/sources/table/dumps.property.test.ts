// Tests that any table reads back equal from the dump that each database writes of it, in pieces of any size.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inSuite } from '../../../../support/suite.ts';
import { type Cell, dumpers, readDump } from './support-dumps.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    "'",
    "''",
    '\\',
    "\\'",
    '\\\\',
    '"',
    '`',
    ');',
    "'),('",
    '\n',
    '\r\n',
    '\t',
    '\\N',
    'NULL',
    '--',
    '/*',
    '$$',
    '\\.',
    ';',
    'ü',
    '漢字',
    '😀',
    '0x41',
    '(n1)',
  ),
  fc.array(fc.constantFrom("'", '\\', 'n', '\n', 'ü', ';', ')'), { maxLength: 6 }).map((parts) => parts.join('')),
);
const cell: fc.Arbitrary<Cell> = fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: fc.constant(null) });
const name = fc.constantFrom('users', 'my table', 'a"b', 'a`b', "it's", 'größe', 'group', 'a(b', 'x,y');
const drawn = fc.record({
  name,
  columns: fc.uniqueArray(name, { minLength: 2, maxLength: 4 }),
  cells: fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 8 }),
  size: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(1 << 16)),
});

test.for(Object.keys(dumpers))('%s', (dumper) => {
  fc.assert(
    fc.property(drawn, ({ name, columns, cells, size }) => {
      const rows = cells.map((row) =>
        row
          .slice(0, columns.length)
          .map((one) => (dumper.startsWith('mysql') ? one : (one?.replaceAll('\0', '') ?? null))),
      );
      const dump = dumpers[dumper]?.({ name, columns, rows }) ?? '';
      const { tables } = readDump(dump, { size });
      expect(tables.get(name)).toMatchObject({ columns, rows });
      expect(tables.size).toBe(1);
    }),
    { numRuns: inSuite(100, 2_000) },
  );
});
