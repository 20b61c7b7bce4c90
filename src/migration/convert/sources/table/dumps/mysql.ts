// Dumps of mysqldump, of MariaDB and of mydumper: INSERTs whose strings have backslashes, and files of --tab.
import type { Dialect } from './dialect.ts';

export const mysql: Dialect = {
  hasBackslashes: true,
  hasDoubleQuotes: true,
  hasHashComments: true,
  begin: /^-- (?:MySQL|MariaDB) dump /u,
  end: /^-- Dump completed/u,
  lastRows: undefined,
  // mydumper writes JSON as CONVERT("…" USING UTF8MB4).
  call: (name, args) => (name === 'convert' && args.length === 1 ? args[0] : undefined),
};
