// Tells how far bytes that arrive in pieces are UTF-8. Decoders put U+FFFD in the place of what is not, and say nothing.
import { isUtf8 } from 'node:buffer';

export class Utf8Check {
  /** The beginning of a character whose end has not arrived. */
  #rest: Uint8Array = new Uint8Array();

  /** How many bytes of the piece, which goes on where that before ended, are UTF-8. A character that it only begins may be. */
  good(piece: Uint8Array): number {
    const before = this.#rest.length;
    const bytes = before === 0 ? piece : Buffer.concat([this.#rest, piece]);
    this.#rest = Uint8Array.from(bytes.subarray(bytes.length - begunAtEnd(bytes)));
    if (isGood(bytes)) return piece.length;
    let [good, bad] = [0, bytes.length];
    while (bad - good > 1) {
      const middle = (good + bad) >> 1;
      if (isGood(bytes.subarray(0, middle))) good = middle;
      else bad = middle;
    }
    return Math.max(0, good - before);
  }
}

/** Whether they are UTF-8, up to a character that is only begun. */
function isGood(bytes: Uint8Array): boolean {
  return isUtf8(bytes.subarray(0, bytes.length - begunAtEnd(bytes)));
}

/** How many bytes at the end begin a character of more bytes. */
function begunAtEnd(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count += 1) {
    const byte = bytes[bytes.length - count] ?? 0;
    const isInside = byte >= 0x80 && byte < 0xc0;
    if (!isInside) return count < lengthFrom(byte) ? count : 0;
  }
  return 0;
}

/** Bytes of the character that begins with this one; 1 when none of several bytes does. */
function lengthFrom(first: number): number {
  if (first < 0xc2 || first > 0xf4) return 1;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}
