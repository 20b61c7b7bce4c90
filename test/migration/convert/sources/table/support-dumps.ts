// Support: reads the rows of a dump, and writes tables as the databases do.
import { type DumpFormat, dumpFormatOf } from '../../../../../src/migration/convert/sources/table/dumps/dialects.ts';
import { DumpReader, type DumpRow } from '../../../../../src/migration/convert/sources/table/dumps/dump-reader.ts';

export type Cell = string | null;

export interface ReadTable {
  readonly columns: readonly string[] | undefined;
  readonly rows: (readonly (Cell | undefined)[])[];
  readonly places: string[];
}

/** The tables of a dump by name, read in pieces of `size` bytes. The tables in `skipped` are counted only. */
export function readDump(
  dump: string | Buffer,
  { size = 1 << 18, skipped = [] }: { readonly size?: number; readonly skipped?: readonly string[] } = {},
) {
  const bytes = Buffer.from(dump).toString('latin1');
  const tables = new Map<string, ReadTable>();
  const counts = new Map<string, number>();
  const format: DumpFormat = dumpFormatOf(bytes.slice(0, 1 << 16));
  const reader = new DumpReader<ReadTable>({
    format,
    enter: ({ names, columns }) => {
      const name = names.at(-1) ?? '';
      if (skipped.includes(name)) return undefined;
      const table = tables.get(name) ?? { columns, rows: [], places: [] };
      tables.set(name, table);
      return table;
    },
    created: () => {},
    skipped: ({ names }, count) => {
      const name = names.at(-1) ?? '';
      counts.set(name, (counts.get(name) ?? 0) + count);
    },
  });
  const keep = (rows: readonly DumpRow<ReadTable>[]): void => {
    for (const { target, cells, line, place } of rows) {
      target.rows.push(cells);
      target.places.push(`${line}.${place}`);
    }
  };
  for (let at = 0; at < bytes.length; at += size) keep(reader.push(bytes.slice(at, at + size)));
  keep(reader.end());
  return { format, tables, counts, isUnderstood: reader.isUnderstood };
}

export interface Written {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

function list<T>(values: readonly T[], printed: (value: T) => string): string {
  return `(${values.map(printed).join(',')})`;
}

const doubled = (text: string, quote: string): string => text.replaceAll(quote, quote + quote);
const quotedName = (quote: string) => (name: string) => `${quote}${doubled(name, quote)}${quote}`;
const standard = (cell: Cell): string => (cell === null ? 'NULL' : `'${doubled(cell, "'")}'`);

const mysqlEscapes: Readonly<Record<string, string>> = {
  ...{ '\0': '0', "'": "'", '"': '"', '\n': 'n', '\r': 'r', '\u001a': 'Z', '\\': '\\' },
};

const mysqlText = (cell: Cell): string =>
  cell === null ? 'NULL' : `'${cell.replaceAll(/[\0'"\n\r\u001a\\]/gu, (part) => `\\${mysqlEscapes[part]}`)}'`;

const mydumperText = (cell: Cell): string => (cell === null ? 'NULL' : `"${mysqlText(cell).slice(1, -1)}"`);

/** As SQLite prints them: 3.40 with replace, 3.50 with unistr. */
function sqliteReplaced(cell: Cell): string {
  if (cell === null || !/[\n\r]/u.test(cell)) return standard(cell);
  const [line, carriage] = [unusedEscape(cell, 'n'), unusedEscape(cell, 'r')];
  const shown = standard(cell.replaceAll('\n', () => line).replaceAll('\r', () => carriage));
  return `replace(replace(${shown},'${carriage}',char(13)),'${line}',char(10))`;
}

function unusedEscape(text: string, letter: string): string {
  for (let count = 0; ; count += 1) {
    const mark = count === 0 ? `\\${letter}` : `(${letter}${count})`;
    if (!text.includes(mark)) return mark;
  }
}

function sqliteUnistr(cell: Cell): string {
  if (cell === null || !/[\u0001-\u001f]/u.test(cell)) return standard(cell);
  const shown = cell.replaceAll(/[\u0001-\u001f\\]/gu, (part) =>
    part === '\\' ? '\\\\' : `\\u${part.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `unistr(${standard(shown)})`;
}

function inserts(
  { name, rows }: Written,
  quote: string,
  printed: (cell: Cell) => string,
  { values = ' VALUES ', ofStatement = 1, columns = '' } = {},
): string {
  let text = '';
  for (let at = 0; at < rows.length; at += ofStatement) {
    const shown = rows.slice(at, at + ofStatement).map((row) => list(row, printed));
    text += `INSERT INTO ${quotedName(quote)(name)}${columns}${values}${shown.join(',')};\n`;
  }
  return text;
}

const created = ({ name, columns }: Written, quote: string, type: string, more = ''): string =>
  `CREATE TABLE ${quotedName(quote)(name)} (\n${columns.map((column) => `  ${quotedName(quote)(column)} ${type}`).join(',\n')}${more}\n);\n`;

const mysqlHead = `-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!50503 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS \`t\`;
`;
const mydumperHead = '/*!40101 SET NAMES binary*/;\n/*!40014 SET FOREIGN_KEY_CHECKS=0*/;\n';
const mysqlTrigger = `DELIMITER ;;
/*!50003 CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW BEGIN
INSERT INTO \`t\` VALUES ('from a trigger');
END */;;
DELIMITER ;
`;
const mysqlEnd = `/*!40000 ALTER TABLE \`t\` ENABLE KEYS */;\nUNLOCK TABLES;\n${mysqlTrigger}-- Dump completed on 2024-01-01  0:00:00\n`;
const sqliteHead = 'PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n';
const sqliteEnd = `CREATE TRIGGER x AFTER INSERT ON t BEGIN INSERT INTO t VALUES('from a trigger'); END;\nCOMMIT;\n`;
const postgresHead = `--
-- PostgreSQL database dump
--

\\restrict token
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $_$ BEGIN
INSERT INTO t VALUES ('from a function'); END; $_$;
`;
const postgresEnd = '--\n-- PostgreSQL database dump complete\n--\n\n\\unrestrict token\n';

const copied = (cell: Cell): string =>
  cell === null
    ? '\\N'
    : cell.replaceAll(
        /[\\\b\f\n\r\t\v]/gu,
        (part) => `\\${{ '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't', '\v': 'v' }[part]}`,
      );

/** A dump of one table by the program that writes it. PostgreSQL has no NUL in texts, and SQLite prints none. */
export const dumpers: Readonly<Record<string, (table: Written) => string>> = {
  mysqldump: (table) =>
    mysqlHead +
    created(
      table,
      '`',
      "varchar(255) DEFAULT 'a,(b' COMMENT 'x; ''y'''",
      ',\n  PRIMARY KEY (`id`),\n  KEY `k` (`id`)',
    ) +
    inserts(table, '`', mysqlText, { ofStatement: 1000 }) +
    mysqlEnd,
  'mysqldump --hex-blob --complete-insert': (table) =>
    mysqlHead +
    inserts(
      table,
      '`',
      (cell) => (cell === null || cell === '' ? mysqlText(cell) : `0x${Buffer.from(cell).toString('hex')}`),
      {
        columns: ` ${list(table.columns, quotedName('`'))}`,
      },
    ) +
    mysqlEnd,
  'mysqldump of binary columns': (table) =>
    mysqlHead +
    created(table, '`', 'varbinary(255)') +
    inserts(table, '`', (cell) => (cell === null ? 'NULL' : `_binary ${mysqlText(cell)}`)) +
    mysqlEnd,
  mydumper: (table) =>
    mydumperHead +
    created(table, '`', 'text') +
    inserts(table, '`', mydumperText, { values: ' VALUES', ofStatement: 50 }),
  'mydumper of JSON columns': (table) =>
    mydumperHead +
    created(table, '`', 'json') +
    inserts(table, '`', (cell) => (cell === null ? 'NULL' : `CONVERT(${mydumperText(cell)} USING UTF8MB4)`)),
  phpMyAdmin: (table) =>
    `-- phpMyAdmin SQL Dump\n${created(table, '`', 'text')}INSERT INTO ${quotedName('`')(table.name)} ${list(table.columns, quotedName('`'))} VALUES\n${table.rows.map((row) => list(row, mysqlText)).join(',\n')};\n`,
  pg_dump: (table) =>
    `${postgresHead}COPY public.${quotedName('"')(table.name)} ${list(table.columns, quotedName('"'))} FROM stdin;\n${table.rows.map((row) => `${row.map(copied).join('\t')}\n`).join('')}\\.\n\n${postgresEnd}`,
  'pg_dump --inserts': (table) =>
    postgresHead + created(table, '"', "text DEFAULT 'x'::text") + inserts(table, '"', standard) + postgresEnd,
  'pg_dump --column-inserts --rows-per-insert': (table) =>
    postgresHead +
    inserts(table, '"', standard, {
      ofStatement: 3,
      columns: ` ${list(table.columns, quotedName('"'))}`,
      values: ' OVERRIDING SYSTEM VALUE VALUES\n\t',
    }) +
    postgresEnd,
  'sqlite3 .dump': (table) =>
    sqliteHead + created(table, '"', 'TEXT') + inserts(table, '"', sqliteReplaced, { values: ' VALUES' }) + sqliteEnd,
  'sqlite3 .dump with unistr': (table) =>
    sqliteHead + created(table, '"', 'TEXT') + inserts(table, '"', sqliteUnistr, { values: ' VALUES' }) + sqliteEnd,
  iterdump: (table) =>
    `BEGIN TRANSACTION;\n${created(table, '"', 'TEXT')}${inserts(table, '"', standard, { values: ' VALUES' })}COMMIT;\n`,
};
