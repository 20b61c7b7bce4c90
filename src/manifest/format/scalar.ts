// Which quotes does a text need? None where it reads the same without; double ones where they change nothing else.
import type { ScalarLayout } from './layout.ts';

/** Plain in every place: at the start of a line, as a key, in brackets. */
const plain = /^[\p{L}_](?:[\p{L}\p{N}_.+@/-]|:(?=[\p{L}\p{N}/])| (?=[\p{L}\p{N}_]))*$/u;
/** What some YAML reads as something other than text; their quotes say that text is meant. */
const otherThanText = /^(?:null|true|false|yes|no|on|off|y|n)$/iu;

export function printScalar({ source, text, style }: ScalarLayout): string {
  if (style !== 'quoted') return source;
  if (plain.test(text) && !otherThanText.test(text)) return text;
  return source === `'${text}'` && !/["\\]/u.test(text) ? `"${text}"` : source;
}
