// Dumps of mysqldump and of MariaDB: INSERTs whose strings have backslashes, and files of --tab.
import type { Dialect } from './dialect.ts';

export const mysql: Dialect = {
  hasBackslashes: true,
  hasHashComments: true,
  begin: /^-- (?:MySQL|MariaDB) dump /u,
  end: /^-- Dump completed/u,
  lastRows: undefined,
  call: () => undefined,
};
