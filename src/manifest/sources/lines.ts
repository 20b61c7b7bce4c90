// Which lines has a file of any size? Read in big pieces, never more of it in memory than the longest line allowed.
import { Buffer, isAscii, isUtf8 } from 'node:buffer';

/** No object is nearly as long: a longer line is no line of ours. */
export const maxLineBytes = 1_000_000;

const pieceBytes = 1 << 16;

export interface Line {
  /** Where it begins in the file, in bytes. */
  readonly start: number;
  /** Without the end of the line. */
  readonly bytes: number;
  /** From 1. */
  readonly line: number;
  /** Undefined when it is too long, or no UTF-8. */
  readonly text: string | undefined;
  /** How many double quotes it has; not a number when it has a backslash, after which they may mean something else. */
  readonly quotes: number;
}

export function isText(line: Line): line is Line & { readonly text: string } {
  return line.text !== undefined;
}

/** A few hundred lines at a time; the last one may have no end. A byte order mark at the start is left out. */
export function* linesOf(read: (into: Uint8Array, position: number) => number): Generator<readonly Line[]> {
  const buffer = Buffer.allocUnsafe(maxLineBytes + pieceBytes);
  /** What of the buffer is filled, and the place of its first byte in the file. */
  let filled = 0;
  let start = 0;
  let line = 1;
  /** Within a line that is too long. */
  let tooLong: { readonly start: number } | undefined;
  for (;;) {
    const count = read(buffer.subarray(filled, Math.min(buffer.length, filled + pieceBytes)), start + filled);
    filled += count;
    const end = count === 0 ? filled : buffer.lastIndexOf(10, filled - 1) + 1;
    const lines: Line[] = [];
    if (end > 0) {
      const piece = buffer.subarray(0, end);
      const decode = decoderOf(piece);
      let from = start === 0 && hasMark(piece) ? 3 : 0;
      while (from < end) {
        let to = from;
        let counted = 0;
        let hasBackslash = false;
        for (; to < end; to += 1) {
          const byte = piece[to] as number;
          // Nearly all are beyond the quote.
          if (byte > 34) hasBackslash ||= byte === 92;
          else if (byte === 34) counted += 1;
          else if (byte === 10) break;
        }
        const quotes = hasBackslash ? Number.NaN : counted;
        if (tooLong !== undefined) {
          lines.push({ start: tooLong.start, bytes: start + to - tooLong.start, line, text: undefined, quotes });
          tooLong = undefined;
        } else lines.push({ start: start + from, bytes: to - from, line, text: decode(from, to), quotes });
        line += 1;
        from = to + 1;
      }
      buffer.copyWithin(0, end, filled);
      start += end;
      filled -= end;
    }
    if (count === 0) {
      if (tooLong !== undefined)
        lines.push({ start: tooLong.start, bytes: start - tooLong.start, line, text: undefined, quotes: 0 });
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

function hasMark(piece: Buffer): boolean {
  return piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf;
}

/** Most pieces are ASCII, where the places of bytes are those of characters. */
function decoderOf(piece: Buffer): (from: number, to: number) => string | undefined {
  if (isAscii(piece)) {
    const text = piece.toString('latin1');
    return (from, to) => text.slice(from, to);
  }
  if (isUtf8(piece)) return (from, to) => piece.toString('utf8', from, to);
  return (from, to) => (isUtf8(piece.subarray(from, to)) ? piece.toString('utf8', from, to) : undefined);
}
