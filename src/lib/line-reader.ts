// Splits bytes that arrive in pieces into lines of text. Keeps at most one piece and one line in memory.
import { Buffer, isAscii, isUtf8 } from 'node:buffer';

/** Longer lines are reported without their text. No object or message comes near this length. */
export const maxLineBytes = 1_000_000;

const pieceBytes = 1 << 16;
const newline = 10;

export interface FileLine {
  /** The offset of the first byte in the file. */
  readonly start: number;
  /** The length without the newline but including a carriage return. */
  readonly bytes: number;
  /** The offset of the next line. */
  readonly end: number;
  /** Counts from 1. */
  readonly line: number;
  /** Undefined if the line is too long or is not UTF-8. */
  readonly text: string | undefined;
}

/** Reads lines synchronously and yields those of one piece at a time. `read` must return 0 at the end of the file. */
export function* readLines(read: (into: Uint8Array, position: number) => number): Generator<readonly FileLine[]> {
  const splitter = new LineSplitter();
  const piece = Buffer.allocUnsafe(pieceBytes);
  for (let position = 0, count = read(piece, 0); count > 0; count = read(piece, position)) {
    position += count;
    yield splitter.push(piece.subarray(0, count));
  }
  yield splitter.end();
}

/** Reads lines of a stream and yields those of one chunk at a time. */
export async function* readStreamLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes = maxLineBytes,
): AsyncGenerator<readonly FileLine[]> {
  const splitter = new LineSplitter(maxBytes);
  for await (const chunk of chunks) yield splitter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
  yield splitter.end();
}

class LineSplitter {
  readonly #maxBytes: number;
  /** The start of an incomplete line. Empty while a line that is too long continues. */
  #rest: Buffer = Buffer.alloc(0);
  /** The offset and the number of the next line. */
  #start = 0;
  #line = 1;
  /** The number of bytes dropped so far from a line that is too long. */
  #dropped = 0;

  constructor(maxBytes = maxLineBytes) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the lines that end in the piece. The caller may overwrite the piece afterwards. */
  push(piece: Buffer): readonly FileLine[] {
    const end = piece.lastIndexOf(newline) + 1;
    if (end === 0) {
      this.#keep(this.#rest.length === 0 ? Buffer.from(piece) : Buffer.concat([this.#rest, piece]));
      return [];
    }
    const whole = piece.subarray(0, end);
    const lines = this.#split(this.#rest.length === 0 ? whole : Buffer.concat([this.#rest, whole]));
    this.#keep(Buffer.from(piece.subarray(end)));
    return lines;
  }

  /** Returns the last line if no newline ends it. */
  end(): readonly FileLine[] {
    return this.#rest.length + this.#dropped === 0 ? [] : this.#split(this.#rest);
  }

  #keep(rest: Buffer): void {
    const isTooLong = this.#dropped + rest.length > this.#maxBytes;
    if (isTooLong) this.#dropped += rest.length;
    this.#rest = isTooLong ? Buffer.alloc(0) : rest;
  }

  #split(bytes: Buffer): FileLine[] {
    const lines: FileLine[] = [];
    const textOf = decoderOf(bytes);
    for (let from = 0; from < bytes.length || this.#dropped > 0; ) {
      const found = bytes.indexOf(newline, from);
      const to = found === -1 ? bytes.length : found;
      const next = found === -1 ? to : to + 1;
      const length = this.#dropped + to - from;
      // A byte order mark does not belong to the first line.
      const mark = this.#start === 0 && hasMark(bytes) ? 3 : 0;
      const [start, end] = [this.#start + mark, this.#start + this.#dropped + next - from];
      const text = length > this.#maxBytes ? undefined : textOf(from + mark, to);
      lines.push({ start, bytes: length - mark, end, line: this.#line, text });
      this.#line += 1;
      this.#start = end;
      this.#dropped = 0;
      from = next;
    }
    return lines;
  }
}

function hasMark(piece: Buffer): boolean {
  return piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf;
}

/** Checks the whole piece once, so that lines of ASCII or valid UTF-8 need no check of their own. */
function decoderOf(bytes: Buffer): (from: number, to: number) => string | undefined {
  if (isAscii(bytes)) {
    const ascii = bytes.toString('latin1');
    return (from, to) => ascii.slice(from, to);
  }
  const isWhole = isUtf8(bytes);
  return (from, to) => (isWhole || isUtf8(bytes.subarray(from, to)) ? bytes.toString('utf8', from, to) : undefined);
}
