// The dialects of SQL in which databases write their dumps, and how a dump of each is recognised.
import type { Dialect } from './dialect.ts';
import { mysql } from './mysql.ts';
import { postgres } from './postgres.ts';
import { sqlite } from './sqlite.ts';

export type DumpFormat = 'pg_dump' | 'mysqldump' | 'sqlite_dump';

export const dialects: Readonly<Record<DumpFormat, Dialect>> = {
  pg_dump: postgres,
  mysqldump: mysql,
  sqlite_dump: sqlite,
};

/** `start` is the beginning of the dump. Statements that no header precedes are taken for PostgreSQL's, whose strings are standard. */
export function dumpFormatOf(start: string): DumpFormat {
  if (/^-- PostgreSQL database/mu.test(start)) return 'pg_dump';
  if (/^(?:-- (?:MySQL|MariaDB|phpMyAdmin|HeidiSQL|Host:)|\/\*!\d|\/\*M!)/imu.test(start)) return 'mysqldump';
  if (/^(?:PRAGMA foreign_keys|BEGIN TRANSACTION;)/imu.test(start)) return 'sqlite_dump';
  return /^(?:INSERT|REPLACE|CREATE TABLE|DROP TABLE|LOCK TABLES)[^'"\n]*`/imu.test(start) ? 'mysqldump' : 'pg_dump';
}

/** A file that is not a dump in text: what it is, and the way out. */
interface OtherDump {
  readonly what: string;
  readonly advice: string;
}

const foreign: readonly (readonly [RegExp, string, string])[] = [
  [/^PGDMP/u, 'it is in the custom format of pg_dump', 'Convert it to text with: pg_restore -f dump.sql FILE'],
  [/^toc\.dat\0/u, 'it is in the tar format of pg_dump', 'Convert it to text with: pg_restore -f dump.sql FILE'],
  [/^SQLite format 3\0/u, 'it is a database of SQLite', 'Write its text with: sqlite3 FILE .dump > dump.sql'],
  [/^\u001f\u008b/u, 'it is compressed', 'Unpack it with gunzip.'],
  [/^(?:\(\u00b5\/\u00fd|BZh|\u00fd7zXZ)/u, 'it is compressed', 'Unpack it.'],
  [
    /^(?:(?:INSERT|CREATE TABLE|USE) \[|SET (?:ANSI_NULLS|QUOTED_IDENTIFIER|IDENTITY_INSERT)\b)/mu,
    'it is a script of SQL Server',
    'Export each table as CSV.',
  ],
  [/^(?:REM INSERTING into|SET DEFINE OFF;)/mu, 'it is a script of Oracle', 'Export each table as CSV.'],
];

/** Undefined for a dump in text. `start` has one character for each byte. */
export function foreignDump(start: string): OtherDump | undefined {
  const [, what, advice] = foreign.find(([pattern]) => pattern.test(start)) ?? [];
  return what === undefined || advice === undefined ? undefined : { what, advice };
}
