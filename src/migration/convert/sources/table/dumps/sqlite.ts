// Dumps of SQLite's .dump: standard strings, and functions for the characters that the shell does not print.

import { bytesOf } from './bytes.ts';
import type { Dialect } from './dialect.ts';

export const sqlite: Dialect = {
  hasBackslashes: false,
  hasDoubleQuotes: false,
  hasHashComments: false,
  begin: /^BEGIN TRANSACTION/iu,
  end: /^COMMIT/iu,
  // Triggers contain INSERTs. They follow all tables.
  lastRows: /^CREATE\s+(?:TEMP(?:ORARY)?\s+)?TRIGGER\b/iu,
  call: (name, args) => {
    const texts = args.filter((text) => text !== null);
    if (texts.length < args.length) return null;
    const [text = '', from = '', to = ''] = texts;
    if (name === 'char') return bytesOf(texts.map((code) => String.fromCodePoint(Number(code))).join(''));
    if (name === 'replace') return from === '' ? text : text.replaceAll(from, () => to);
    return name === 'unistr' ? text.replaceAll(unistrEscape, unescaped) : undefined;
  },
};

const unistrEscape = /\\(?:\\|\+([0-9a-f]{6})|u([0-9a-f]{4})|U([0-9a-f]{8})|([0-9a-f]{4}))/giu;

function unescaped(_whole: string, ...found: readonly unknown[]): string {
  const code = found.slice(0, 4).find((hex) => typeof hex === 'string');
  return code === undefined ? '\\' : bytesOf(String.fromCodePoint(Number.parseInt(String(code), 16)));
}
