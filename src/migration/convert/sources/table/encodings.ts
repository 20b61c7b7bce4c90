// The encodings of tables: recognises them, and turns their text into UTF-8.
import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';
import type { TextEncoding } from '../../../../core/model/tables/mapping.ts';
import { brokenFile } from '../../export/refusals.ts';
import { fromWindows1252 } from './dumps/bytes.ts';

/** The encoding that the first bytes of a file state. */
function markedEncoding(start: Uint8Array): TextEncoding | undefined {
  const [first, second, third] = start;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined;
}

/**
 * The encoding of a text. UTF-16 without a mark has a zero in every other byte of ASCII. Bytes that are not UTF-8, without any letter
 * that is, are Windows-1252.
 */
export async function encodingOf(pieces: AsyncIterable<Uint8Array>): Promise<TextEncoding> {
  const letters = new LetterCount();
  let isFirst = true;
  for await (const piece of pieces) {
    if (isFirst) {
      const marked = markedEncoding(piece) ?? unmarkedUtf16(piece);
      if (marked !== undefined) return marked;
    }
    isFirst = false;
    letters.add(piece);
    if (letters.valid > 0) return 'utf-8';
  }
  return letters.invalid > 0 ? 'windows-1252' : 'utf-8';
}

function unmarkedUtf16(start: Uint8Array): TextEncoding | undefined {
  const zeros = [0, 0];
  const length = Math.min(start.length, 1000);
  for (let at = 0; at < length; at += 1) if (start[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > length / 4 && even === 0) return 'utf-16le';
  return even > length / 4 && odd === 0 ? 'utf-16be' : undefined;
}

/** Counts sequences beyond ASCII that are UTF-8, and bytes that are not. */
class LetterCount {
  valid = 0;
  invalid = 0;
  /** The continuation bytes that the letter begun last still needs. */
  #missing = 0;

  add(piece: Uint8Array): void {
    if (this.#missing === 0 && isAscii(piece)) return;
    for (const byte of piece) {
      const isInside = byte >= 0x80 && byte < 0xc0;
      if (this.#missing > 0 && isInside) {
        this.#missing -= 1;
        if (this.#missing === 0) this.valid += 1;
        continue;
      }
      if (this.#missing > 0) this.invalid += 1;
      this.#missing = byte < 0xc2 || byte > 0xf4 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
      if (byte >= 0x80 && this.#missing === 0) this.invalid += 1;
    }
  }
}

/** The text in UTF-8, without a byte order mark. Default: the encoding that the mark states. Refused if the text is not in the encoding. */
export async function* asUtf8(
  pieces: AsyncIterable<Uint8Array>,
  path: string,
  encoding?: TextEncoding,
): AsyncGenerator<Uint8Array> {
  let decode: Decoder | undefined;
  let isFirst = true;
  for await (const piece of pieces) {
    if (isFirst) decode = decoderOf(encoding ?? markedEncoding(piece) ?? 'utf-8', path);
    const hasMark = isFirst && markedEncoding(piece) === 'utf-8';
    isFirst = false;
    yield decode === undefined ? piece.subarray(hasMark ? 3 : 0) : Buffer.from(decode(piece));
  }
  if (decode !== undefined) yield Buffer.from(decode(undefined));
}

/** The text of the next piece. Called without a piece at the end. */
type Decoder = (piece: Uint8Array | undefined) => string;

function decoderOf(encoding: TextEncoding, path: string): Decoder | undefined {
  if (encoding === 'utf-8') return undefined;
  if (encoding === 'windows-1252') return (piece) => fromWindows1252(Buffer.from(piece ?? []).toString('latin1'));
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (piece) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      throw brokenFile(path, `its text is not ${encoding}`);
    }
  };
}
