// Reads the cells of a line in the text format of COPY, which PostgreSQL and pg_dump write.

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** null for NULL. */
export function copyCells(line: string): (string | null)[] {
  return line.split('\t').map(copyCell);
}

/** Octal and hexadecimal escapes are bytes, so a text with bytes that are not ASCII must be decoded after this. */
export function copyCell(text: string): string | null {
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
