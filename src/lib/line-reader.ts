// Reads the lines of a file of any size, in pieces, with at most the longest line allowed in memory.
import { Buffer, isAscii, isUtf8 } from 'node:buffer';

/** No row is nearly as long: a longer line is reported, not read. */
export const maxLineBytes = 1_000_000;

const pieceBytes = 1 << 16;

export interface Line {
  /** Offset in the file, in bytes. */
  readonly start: number;
  /** Length without the newline. */
  readonly bytes: number;
  /** From 1. */
  readonly line: number;
  /** Undefined when it is too long or not UTF-8. */
  readonly text: string | undefined;
  /** The number of double quotes; NaN when there is a backslash, which may escape them. */
  readonly quotes: number;
  /** Undefined when it has a backslash, a control character or an at sign, and has to be parsed in full. */
  readonly plain: PlainLine | undefined;
}

/** The place of a line in its piece. Valid until the next lines are requested. */
export interface PlainLine {
  readonly piece: Piece;
  readonly from: number;
  /** The index of its first quote among those of the piece. */
  readonly firstQuote: number;
}

/** The bytes of one read. */
interface Piece {
  /** One character for each byte. */
  readonly latin: string;
  readonly isAscii: boolean;
  /** The offsets of its double quotes, in order. */
  readonly quotes: Int32Array;
}

export function isText(line: Line): line is Line & { readonly text: string } {
  return line.text !== undefined;
}

/** Yields a few hundred lines at a time. The last one may lack its newline. Leaves out a byte order mark at the start. */
export function* readLines(read: (into: Uint8Array, position: number) => number): Generator<readonly Line[]> {
  const buffer = Buffer.allocUnsafe(maxLineBytes + pieceBytes);
  /** Used again for all pieces, and as long as the longest needs: most files are one short piece. */
  let quotes = new Int32Array(0);
  /** How many bytes of the buffer are filled, and the offset of its first byte in the file. */
  let filled = 0;
  let start = 0;
  let line = 1;
  /** Set within a line that is too long. */
  let tooLong: { readonly start: number } | undefined;
  for (;;) {
    const count = read(buffer.subarray(filled, Math.min(buffer.length, filled + pieceBytes)), start + filled);
    filled += count;
    const end = count === 0 ? filled : buffer.lastIndexOf(10, filled - 1) + 1;
    const lines: Line[] = [];
    if (end > 0) {
      const bytes = buffer.subarray(0, end);
      if (quotes.length < end) quotes = new Int32Array(2 * end);
      const { piece, decode } = decoderOf(bytes, quotes);
      let from = start === 0 && hasMark(bytes) ? 3 : 0;
      let known = 0;
      while (from < end) {
        const firstQuote = known;
        let to = from;
        let hasBackslash = false;
        let isPlain = true;
        for (; to < end; to += 1) {
          const byte = bytes[to] as number;
          // Nearly all bytes are greater than the quote.
          if (byte > 34) {
            hasBackslash ||= byte === 92;
            isPlain &&= byte !== 64;
          } else if (byte === 34) quotes[known++] = to;
          else if (byte === 10) break;
          else isPlain &&= byte >= 32 || (byte === 13 && bytes[to + 1] === 10);
        }
        if (tooLong !== undefined) {
          lines.push({ start: tooLong.start, bytes: start + to - tooLong.start, line, ...unread });
          tooLong = undefined;
        } else {
          lines.push({
            start: start + from,
            bytes: to - from,
            line,
            text: decode(from, to),
            quotes: hasBackslash ? Number.NaN : known - firstQuote,
            plain: isPlain && !hasBackslash && piece !== undefined ? { piece, from, firstQuote } : undefined,
          });
        }
        line += 1;
        from = to + 1;
      }
      buffer.copyWithin(0, end, filled);
      start += end;
      filled -= end;
    }
    if (count === 0) {
      if (tooLong !== undefined) lines.push({ start: tooLong.start, bytes: start - tooLong.start, line, ...unread });
      yield lines;
      return;
    }
    if (filled > maxLineBytes) {
      tooLong ??= { start };
      start += filled;
      filled = 0;
    }
    if (lines.length > 0) yield lines;
  }
}

const unread = { text: undefined, quotes: 0, plain: undefined };

function hasMark(piece: Buffer): boolean {
  return piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf;
}

interface Decoder {
  /** Undefined when some of it is not UTF-8. */
  readonly piece: Piece | undefined;
  readonly decode: (from: number, to: number) => string | undefined;
}

/** Most pieces are ASCII, where byte offsets are character offsets. */
function decoderOf(bytes: Buffer, quotes: Int32Array): Decoder {
  const latin = bytes.toString('latin1');
  if (isAscii(bytes)) return { piece: { latin, isAscii: true, quotes }, decode: (from, to) => latin.slice(from, to) };
  if (isUtf8(bytes)) {
    return { piece: { latin, isAscii: false, quotes }, decode: (from, to) => bytes.toString('utf8', from, to) };
  }
  return {
    piece: undefined,
    decode: (from, to) => (isUtf8(bytes.subarray(from, to)) ? bytes.toString('utf8', from, to) : undefined),
  };
}
