// Dumps of pg_dump: blocks of COPY, and INSERTs with standard strings.
import type { Dialect } from './dialect.ts';

export const postgres: Dialect = {
  hasBackslashes: false,
  hasDoubleQuotes: false,
  hasHashComments: false,
  begin: /^-- PostgreSQL database dump\s*$/u,
  end: /^-- PostgreSQL database dump complete/u,
  lastRows: undefined,
  call: () => undefined,
};
