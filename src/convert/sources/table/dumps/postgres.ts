// Dumps of pg_dump: blocks of COPY, and INSERTs with standard strings.
import type { Dialect } from './dialect.ts';

export const postgres: Dialect = {
  hasBackslashes: false,
  hasHashComments: false,
  begin: /^-- PostgreSQL database dump\s*$/u,
  end: /^-- PostgreSQL database dump complete/u,
  lastRows: undefined,
  call: () => undefined,
};

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** A cell of COPY, as bytes. */
export function copiedCell(text: string): string | null {
  if (text === '\\N') return null;
  if (!text.includes('\\')) return text;
  return text.replaceAll(
    /\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|(.))/gsu,
    (_whole, hex?: string, octal?: string, other = '') => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      return escapes[String(other)] ?? String(other);
    },
  );
}
