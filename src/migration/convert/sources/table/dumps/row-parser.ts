// Parses the rows of an INSERT: lists of literals in parentheses. Keeps no state between rows.
import { binaryText, bitsNumber, type Decode, fromHex } from './bytes.ts';
import type { Dialect } from './dialect.ts';
import type { ColumnContent } from './names.ts';

/** The text ends before the row does. */
export const incomplete = -1;

/** A value that a dump cannot contain, such as a query. `at` is its offset in the text. */
export class LiteralError extends Error {
  readonly at: number;

  constructor(at: number) {
    super('a value is not a literal');
    this.name = 'LiteralError';
    this.at = at;
  }
}

/** Undefined if the bytes of a value are not in the encoding of the dump. */
export type Cell = string | null | undefined;

const codes = { quote: 39, doubleQuote: 34, open: 40, close: 41, comma: 44, backslash: 92, colon: 58 } as const;
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

/** Returns the offset of the first character from `at` that is not white space. */
export function skipSpace(text: string, at: number): number {
  let next = at;
  while (isSpace(text.charCodeAt(next))) next += 1;
  return next;
}

const word = /[^\s'"(),:;]+/y;
/** The encoding of CONVERT. */
const using = /USING\s+`?\w+`?\s*(?=\))/iy;
const longestUsing = 80;
const isLetter = /[a-z]/iu;
const cast = /::\s*(?:"[^"]*"|[\w.]+)(?:\s+[a-z]+)*(?:\s*\([\d, ]*\))?(?:\[\])*/y;

export class RowParser {
  readonly #dialect: Dialect;
  readonly #decode: Decode;
  /** The value that was read last, as bytes. */
  #bytes: string | null = null;
  #form: 'word' | 'string' | 'binary' = 'word';

  constructor(dialect: Dialect, decode: Decode) {
    this.#dialect = dialect;
    this.#decode = decode;
  }

  /**
   * Adds the values of the row that begins at `at` with a parenthesis, and returns the offset behind it. Without `cells`, the row is
   * skipped. `contents` are those of the columns.
   */
  row(text: string, at: number, cells: Cell[] | undefined, contents?: readonly ColumnContent[]): number {
    let next = at + 1;
    for (;;) {
      next = this.#value(text, skipSpace(text, next));
      if (next === incomplete) return incomplete;
      if (cells !== undefined) cells.push(this.#cell(contents?.[cells.length]));
      next = skipSpace(text, next);
      const code = text.charCodeAt(next);
      next += 1;
      if (code === codes.close) return next;
      if (code === codes.comma) continue;
      if (Number.isNaN(code)) return incomplete;
      throw new LiteralError(next - 1);
    }
  }

  #cell(content: ColumnContent | undefined): Cell {
    const bytes = this.#bytes;
    if (bytes === null) return null;
    if (content === 'bits' && this.#form !== 'word') return bitsNumber(bytes);
    return this.#form === 'binary' || content === 'binary' ? binaryText(bytes) : this.#decode(bytes);
  }

  /** Reads the value at `at` into the fields, and returns the offset behind it. */
  #value(text: string, at: number): number {
    this.#form = 'string';
    if (this.#isQuote(text.charCodeAt(at))) return this.#string(text, at, this.#dialect.hasBackslashes);
    word.lastIndex = at;
    const name = word.exec(text)?.[0];
    const end = word.lastIndex;
    if (name === undefined) {
      if (at >= text.length) return incomplete;
      throw new LiteralError(at);
    }
    if (end >= text.length) return incomplete;
    const after = text.charCodeAt(end);
    if (this.#isQuote(after)) return this.#prefixed(name.toLowerCase(), text, end);
    if (after === codes.open) return this.#call(name.toLowerCase(), text, end);
    if (isSpace(after) && /^_/u.test(name)) {
      const behind = skipSpace(text, end);
      if (behind >= text.length) return incomplete;
      const next = this.#value(text, behind);
      if (/^_binary$/iu.test(name)) this.#form = 'binary';
      return next;
    }
    if (/^0x[\da-f]*$/iu.test(name)) {
      this.#bytes = fromHex(name.slice(2));
      this.#form = 'binary';
    } else {
      this.#bytes = /^(?:null|default)$/iu.test(name) ? null : name;
      this.#form = 'word';
    }
    return after === codes.colon ? afterCast(text, end) : end;
  }

  /** A string at `at` whose prefix says how it is written. */
  #prefixed(prefix: string, text: string, at: number): number {
    const hasBackslashes = prefix === 'e' || (this.#dialect.hasBackslashes && prefix !== 'x' && prefix !== 'b');
    const next = this.#string(text, at, hasBackslashes);
    if (next === incomplete) return incomplete;
    if (prefix === 'x') this.#bytes = fromHex(this.#bytes ?? '');
    if (prefix === 'x' || prefix === '_binary') this.#form = 'binary';
    if (prefix === 'b' && this.#dialect.hasBackslashes) {
      this.#bytes = BigInt(`0b${this.#bytes || '0'}`).toString();
      this.#form = 'word';
    }
    return next;
  }

  /** A function whose name ends at `at`. An unknown one is the text of its call. */
  #call(name: string, text: string, at: number): number {
    const args: (string | null)[] = [];
    let next = skipSpace(text, at + 1);
    while (text.charCodeAt(next) !== codes.close) {
      next = this.#value(text, next);
      if (next === incomplete) return incomplete;
      args.push(this.#bytes);
      next = skipSpace(text, next);
      using.lastIndex = next;
      if (using.test(text)) next = using.lastIndex;
      else if (isLetter.test(text.charAt(next))) {
        if (text.length - next < longestUsing) return incomplete;
        throw new LiteralError(next);
      }
      const isList = text.charCodeAt(next) === codes.comma;
      if (isList) next = skipSpace(text, next + 1);
      else if (next >= text.length) return incomplete;
      else if (text.charCodeAt(next) !== codes.close) throw new LiteralError(next);
    }
    const value = this.#dialect.call(name, args);
    this.#form = 'string';
    this.#bytes = value === undefined ? `${name}${text.slice(at, next + 1)}` : value;
    return next + 1;
  }

  #isQuote(code: number): boolean {
    return code === codes.quote || (code === codes.doubleQuote && this.#dialect.hasDoubleQuotes);
  }

  /** The string that begins with the quote at `at`. */
  #string(text: string, at: number, hasBackslashes: boolean): number {
    const start = at + 1;
    const mark = text[at] ?? '';
    let isPlain = true;
    for (let from = start; ; ) {
      const quote = text.indexOf(mark, from);
      // The character behind the quote decides whether the string ends.
      if (quote === -1 || quote + 1 >= text.length) return incomplete;
      if (hasBackslashes && isEscaped(text, start, quote)) {
        from = quote + 1;
      } else if (text[quote + 1] === mark) {
        isPlain = false;
        from = quote + 2;
      } else {
        const written = text.slice(start, quote);
        const isVerbatim = isPlain && !(hasBackslashes && written.includes('\\'));
        this.#bytes = isVerbatim ? written : unescaped(written, mark, hasBackslashes);
        return text.charCodeAt(quote + 1) === codes.colon ? afterCast(text, quote + 1) : quote + 1;
      }
    }
  }
}

function afterCast(text: string, at: number): number {
  cast.lastIndex = at;
  if (!cast.test(text)) return at;
  return cast.lastIndex >= text.length ? incomplete : cast.lastIndex;
}

/** Whether an odd number of backslashes precedes `at`. */
function isEscaped(text: string, start: number, at: number): boolean {
  let count = 0;
  while (at - count > start && text.charCodeAt(at - count - 1) === codes.backslash) count += 1;
  return count % 2 === 1;
}

const escapes: Readonly<Record<string, string>> = { 0: '\0', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', Z: '\u001a' };

/** Without the escapes of a string between quotes of a kind. */
function unescaped(written: string, mark: string, hasBackslashes: boolean): string {
  if (!hasBackslashes) return written.replaceAll(mark + mark, mark);
  // The quote of an escaped quote is not a part of a doubled one.
  return written.replaceAll(/\\(.)|''|""/gsu, (whole, escaped?: string) => {
    if (escaped !== undefined) return plainCharacter(whole, escaped);
    return whole.startsWith(mark) ? mark : whole;
  });
}

/** Without the backslashes of MySQL. */
export function withoutBackslashes(written: string): string {
  return written.replaceAll(/\\(.)/gsu, plainCharacter);
}

function plainCharacter(_whole: string, escaped: string): string {
  return escapes[escaped] ?? escaped;
}
