// Tests single forms of values and statements in dumps, and rows that are longer than the pieces in which a dump arrives.
import { describe, expect, test } from 'vitest';
import { readDump } from './support-dumps.ts';

const mysqlHead = '-- MySQL dump 10.13\n';
const mysqlEnd = '\n-- Dump completed\n';
const rowsOf = (dump: string | Buffer) => readDump(dump).tables.get('t')?.rows;

describe('reads', () => {
  test.for<readonly [what: string, dump: string, row: readonly (string | null | undefined)[]]>([
    [
      'numbers and words',
      'INSERT INTO t (a, b, c, d) VALUES (1, -2.5e10, TRUE, DEFAULT);',
      ['1', '-2.5e10', 'TRUE', null],
    ],
    ['casts', "INSERT INTO t (a, b) VALUES ('x'::character varying(3)[], 5::int);", ['x', '5']],
    [
      'strings with a prefix',
      String.raw`INSERT INTO t (a, b, c) VALUES (E'a\nb', N'c', B'101');`,
      ['a\nb', 'c', '101'],
    ],
    [
      'a function that is unknown',
      "INSERT INTO t (a) VALUES (st_geom('POINT(1 2)', 4326));",
      ["st_geom('POINT(1 2)', 4326)"],
    ],
    ['a clause behind the rows', "INSERT INTO t (a) VALUES ('x') ON CONFLICT DO NOTHING;", ['x']],
    ['backslashes as they are', String.raw`INSERT INTO t (a) VALUES ('a\');`, ['a\\']],
    [
      'backslashes of an old server',
      String.raw`SET standard_conforming_strings = off;
INSERT INTO t (a) VALUES ('a\'b');`,
      ["a'b"],
    ],
    ['COPY without columns', 'CREATE TABLE t (a int, b text);\nCOPY t FROM stdin;\n1\t\\N\n\\.\n', ['1', null]],
    [
      'a function in standard SQL',
      "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC\nINSERT INTO t (a) VALUES ('no');\nEND;\nINSERT INTO t (a) VALUES ('yes');",
      ['yes'],
    ],
    [
      'what MySQL calls latin1',
      `${mysqlHead}/*!40101 SET NAMES latin1 */;\nINSERT INTO \`t\` (\`a\`) VALUES ('\u00fc\u0080');${mysqlEnd}`,
      ['ü€'],
    ],
    [
      'bytes that are not UTF-8 as unreadable',
      `${mysqlHead}INSERT INTO \`t\` (\`a\`) VALUES ('\u00fc');${mysqlEnd}`,
      [undefined],
    ],
    [
      'introducers',
      `${mysqlHead}INSERT IGNORE INTO \`t\` (\`a\`, \`b\`) VALUES (_utf8mb4 'x', _binary'\u00ff');${mysqlEnd}`,
      ['x', '0xff'],
    ],
    ['double quotes inside', `${mysqlHead}REPLACE INTO \`t\` (\`a\`) VALUES ('\\"''\\Z');${mysqlEnd}`, ['"\'\u001a']],
    [
      'generated columns, which SQLite does not write',
      'BEGIN TRANSACTION;\nCREATE TABLE t(a TEXT, b TEXT GENERATED ALWAYS AS (upper(a)), c);\nINSERT INTO t VALUES(1,2);\nCOMMIT;',
      ['1', '2'],
    ],
  ])('%s', ([, dump, row]) => {
    expect(rowsOf(Buffer.from(dump, 'latin1'))).toEqual([row]);
  });
});

test('reads a row of 4 MB in small pieces', () => {
  const long = "it\\'s ".repeat(2 << 18);
  const dump = `${mysqlHead}CREATE TABLE \`t\` (\`a\` text, \`b\` longtext);\nINSERT INTO \`t\` VALUES (1,'${long}'),\n(2,'${'x'.repeat(1 << 20)}');${mysqlEnd}`;
  const { tables, counts } = readDump(dump, { size: 10_000 });
  expect(tables.get('t')?.rows.map(([id, text]) => [id, text?.length])).toEqual([
    ['1', (long.length / 6) * 5],
    ['2', 1 << 20],
  ]);
  expect(tables.get('t')?.places).toEqual(['3.1', '4.1']);
  expect(readDump(dump, { skipped: ['t'] }).counts.get('t')).toBe(2);
  expect(counts.size).toBe(0);
});

test('reads the oids of old dumps as a column, and COPY of text with its format', () => {
  const text = 'COPY t (id) WITH OIDS FROM stdin;\n7\ta\n\\.\nCOPY u (id) FROM stdin WITH (FORMAT text);\nb\n\\.\n';
  const { tables } = readDump(text);
  expect(tables.get('t')).toMatchObject({ columns: ['oid', 'id'], rows: [['7', 'a']] });
  expect(tables.get('u')).toMatchObject({ columns: ['id'], rows: [['b']] });
});
