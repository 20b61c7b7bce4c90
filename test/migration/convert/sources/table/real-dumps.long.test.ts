// Tests dumps that the programs themselves write, of values that are hard to print. A database that is not installed is skipped.
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { writeFiles } from '../../../../support/folders.ts';
import { startMariaDb } from '../../../../support/mariadb.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { convertInto } from '../../support/converted.ts';
import { type Cell, readDump } from './support-dumps.ts';

const run = promisify(execFile);
const options = { encoding: 'buffer', maxBuffer: 1 << 28 } as const;

async function isInstalled(program: string): Promise<boolean> {
  return run(program, ['--version']).then(
    () => true,
    () => false,
  );
}

const texts: readonly Cell[] = [
  null,
  '',
  'plain',
  'it\'s "quoted" `so`',
  "''",
  '\\',
  "\\'",
  'line\nline\r\n',
  'tab\tand\\ttab',
  '\\N',
  'NULL',
  '); DROP TABLE t; --',
  'ümläut 漢字 😀',
  '\u001a\b\u0001',
  '$$ /* */ -- #',
  'x'.repeat(300_000),
];
const ids = texts.map((_text, at) => String(at + 1));
const hexOf = (text: string) => Buffer.from(text).toString('hex');
const idBytes = '0191c2e8a1b27f00800000000000abcd';

describe.skipIf(!(await isInstalled('sqlite3')))('sqlite3 .dump (without sqlite3: skipped)', () => {
  test('reads back equal', async () => {
    const folder = await temporaryFolder();
    const rows = texts.map(
      (text, at) => `(${at + 1}, ${text === null ? 'NULL' : `CAST(X'${hexOf(text)}' AS TEXT)`}, X'${idBytes}')`,
    );
    const script = `CREATE TABLE "my table" (id INTEGER PRIMARY KEY AUTOINCREMENT, "a (text)" TEXT DEFAULT 'a,b', blob BLOB, up TEXT GENERATED ALWAYS AS (upper("a (text)")));
CREATE TABLE nothing (id INTEGER);
CREATE TABLE log (id INTEGER);
CREATE TRIGGER t AFTER INSERT ON nothing BEGIN INSERT INTO log VALUES (1); END;
INSERT INTO "my table" (id, "a (text)", blob) VALUES ${rows.join(',')};`;
    const child = execFile('sqlite3', [join(folder, 'a.db')]);
    child.stdin?.end(script);
    await new Promise((resolve) => child.once('exit', resolve));
    const { stdout } = await run('sqlite3', [join(folder, 'a.db'), '.dump'], options);
    const { format, tables, counts } = readDump(stdout, { size: 1000 });
    expect(format).toBe('sqlite_dump');
    expect(tables.get('my table')?.rows).toEqual(texts.map((text, at) => [ids[at], text, `0x${idBytes}`]));
    expect([...tables.keys(), ...counts.keys()]).toEqual(['my table', 'sqlite_sequence']);
  });
});

describe.skipIf(!(await isInstalled('python3')))('iterdump of Python (without python3: skipped)', () => {
  test('reads back equal', async () => {
    const script = `import json, sqlite3, sys
db = sqlite3.connect(":memory:")
db.execute('CREATE TABLE "my table" (id INTEGER PRIMARY KEY, text TEXT)')
db.executemany('INSERT INTO "my table" VALUES (?, ?)', list(enumerate(json.loads(sys.argv[1]), 1)))
db.commit()
sys.stdout.reconfigure(newline="")
for line in db.iterdump(): print(line)`;
    const short = texts.map((text) => text?.slice(0, 1000) ?? null);
    const { stdout } = await run('python3', ['-c', script, JSON.stringify(short)], options);
    expect(readDump(stdout).tables.get('my table')?.rows).toEqual(short.map((text, at) => [ids[at], text]));
  });
});

const tabMapping = `version: 1
name: acme
tables: { t: { files: my*table.txt, omit: [uuid, flag] } }
channels: { from: t, repeats: true, id: c }
messages: { from: t, id: "\${id}", channel: c, sender: u1, time: "2024-01-01T00:00:00Z", text: "\${a (text)}" }
`;

describe.skipIf(!(await isInstalled('mariadbd')))(
  'MariaDB (without mariadb-server-core and mariadb-client: skipped)',
  () => {
    test('reads back equal, however it is dumped', async () => {
      const { folder, connection, sql } = await startMariaDb();
      const rows = texts.map(
        (text, at) =>
          `(${at + 1}, ${text === null ? 'NULL' : `CONVERT(X'${hexOf(text)}' USING utf8mb4)`}, X'${idBytes}', ${at % 2}, 1.50)`,
      );
      const created = await sql(`CREATE DATABASE chat CHARACTER SET utf8mb4~~
USE chat~~
CREATE TABLE \`my table\` (id INT PRIMARY KEY AUTO_INCREMENT, \`a (text)\` MEDIUMTEXT DEFAULT 'a,b' COMMENT 'it''s', uuid BINARY(16), flag BIT(1), price DECIMAL(5,2),
  KEY k (flag), CONSTRAINT positive CHECK (price > 0))~~
INSERT INTO \`my table\` VALUES ${rows.join(',')}~~
CREATE TABLE nothing (id INT, flag BIT(1))~~
CREATE VIEW seen AS SELECT id FROM nothing~~
CREATE TRIGGER t BEFORE INSERT ON nothing FOR EACH ROW BEGIN INSERT INTO \`my table\` VALUES (1, '', '', 0, 1); END~~
CREATE PROCEDURE p() BEGIN INSERT INTO nothing VALUES (1, 0); END~~
`);
      expect(created).toBe(0);
      const expected = texts.map((text, at) => [ids[at], text, `0x${idBytes}`, String(at % 2), '1.50']);
      for (const flags of [
        [],
        ['--hex-blob', '--complete-insert'],
        ['--skip-extended-insert', '--routines'],
        ['--compact', '--skip-quote-names'],
        ['--replace', '--single-transaction', '--no-create-info', '--complete-insert', '--skip-triggers', '--hex-blob'],
      ]) {
        const { stdout } = await run('mariadb-dump', [...connection, ...flags, 'chat'], options);
        const { format, tables } = readDump(stdout, { size: 10_000 });
        const table = tables.get('my table');
        // Without the type of its column, a bit is not a number.
        const isTyped = !flags.includes('--no-create-info');
        expect(table?.rows.map((row) => (isTyped ? row : row.with(3, row[3]?.replace('0x0', '') ?? null)))).toEqual(
          expected,
        );
        expect(table?.columns).toEqual(['id', 'a (text)', 'uuid', 'flag', 'price']);
        if (!flags.includes('--compact')) expect(format).toBe('mysqldump');
      }
      const tab = join(folder, 'tab');
      await mkdir(tab);
      await run('mariadb-dump', [...connection, `--tab=${tab}`, 'chat', 'my table']);
      await writeFiles(folder, { 'mapping.yaml': tabMapping });
      const { facts, ledger } = await convertInto('table', tab, join(folder, 'out'), {
        mapping: join(folder, 'mapping.yaml'),
      });
      expect(facts.map(({ id, text, more }) => [id.slice('acme:c:'.length), text, more?.price])).toEqual(
        texts.map((text, at) => [ids[at], text ?? '', '1.50']),
      );
      expect(ledger.filter(({ outcome }) => outcome === 'left_out').map(({ at, reason }) => [at, reason])).toEqual([
        ['my@0020table.sql', 'file.empty'],
      ]);
    });
  },
);
