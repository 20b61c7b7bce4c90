// Decodes UTF-8 that a program read as Latin-1 or Windows-1252, such as `rÃªve` for `rêve`.
import { isUtf8 } from 'node:buffer';
import { fromWindows1252 } from '../dumps/bytes.ts';

const specials = fromWindows1252(String.fromCharCode(...Array.from({ length: 32 }, (_, place) => 0x80 + place)));
/** The bytes of the characters that Windows-1252 has in place of the controls of Latin-1. */
const byteOf = new Map([...specials].map((character, place) => [character.charCodeAt(0), 0x80 + place]));
const followers = `\u0080-\u00bf${specials.replaceAll(/[\u0080-\u009f]/gu, '')}`;

/** The first byte of a character of UTF-8, and the next one. */
const start = new RegExp(`[\u00c2-\u00f4][${followers}]`, 'u');
const sequences = new RegExp(`[\u00c2-\u00f4][${followers}]+`, 'gu');
/** A letter that languages write before such a sign, as in `CAFÉ…`. Read as UTF-8, it would be a letter that few languages have. */
const letterBeforeSign = /^[\u00c6-\u00df][\u2013-\u203a\u2122]$/u;

/** The text itself unless all of it is UTF-8 that was read as Latin-1 or Windows-1252. */
export function withoutMojibake(text: string): string {
  if (!start.test(text)) return text;
  const bytes = Buffer.allocUnsafe(text.length);
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    const byte = code <= 0xff ? code : byteOf.get(code);
    if (byte === undefined) return text;
    bytes[place] = byte;
  }
  if (!isUtf8(bytes)) return text;
  const [first = '', ...others] = text.match(sequences) ?? [];
  return others.length === 0 && letterBeforeSign.test(first) ? text : bytes.toString('utf8');
}
