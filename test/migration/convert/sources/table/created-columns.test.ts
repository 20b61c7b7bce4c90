// Tests which definitions of CREATE TABLE are columns, since words such as key are names without quotes in some databases.
import { expect, test } from 'vitest';
import { columnsOf } from '../../../../../src/migration/convert/sources/table/dumps/names.ts';

test.for<readonly [definitions: string, columns: readonly string[]]>([
  ['id INTEGER PRIMARY KEY, key TEXT, value', ['id', 'key', 'value']],
  ['key PRIMARY KEY, index INTEGER NOT NULL', ['key', 'index']],
  ['key varchar(20), KEY by_key (key)', ['key']],
  [
    'key numeric(10, 2) DEFAULT (1), exclude bool, period text, partition int',
    ['key', 'exclude', 'period', 'partition'],
  ],
  ["`key` enum('a','b'), KEY `key` (`key`), KEY (`key`(10)), UNIQUE KEY u (`key`)", ['key']],
  [
    'fulltext text, spatial text, FULLTEXT KEY f (fulltext), FULLTEXT f2 (fulltext), SPATIAL INDEX (spatial)',
    ['fulltext', 'spatial'],
  ],
  ['a int, INDEX USING BTREE (a), KEY k USING HASH (a), UNIQUE (a), PRIMARY KEY (a), CHECK (a > 0)', ['a']],
  ['a int, CONSTRAINT c CHECK (a > 0), FOREIGN KEY (a) REFERENCES b(id), EXCLUDE USING gist (a WITH =)', ['a']],
  ['like INTEGER, LIKE other INCLUDING ALL', ['like']],
])('the columns of %s', ([definitions, columns]) => {
  expect(columnsOf(`CREATE TABLE t (${definitions});`).map(({ name }) => name)).toEqual(columns);
});
