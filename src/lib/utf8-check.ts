// Checks whether bytes that arrive in pieces are UTF-8. Decoders replace invalid bytes with U+FFFD without reporting them.
import { isUtf8 } from 'node:buffer';

export class Utf8Check {
  /** The beginning of an incomplete character. */
  #rest: Uint8Array = new Uint8Array();

  /** Returns how many bytes of the next piece are UTF-8. A character that the piece begins but does not end counts as valid. */
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

/** Whether the bytes are UTF-8, apart from an incomplete character at the end. */
function isGood(bytes: Uint8Array): boolean {
  return isUtf8(bytes.subarray(0, bytes.length - begunAtEnd(bytes)));
}

/** Returns the number of bytes at the end that belong to an incomplete character. */
function begunAtEnd(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count += 1) {
    const byte = bytes[bytes.length - count] ?? 0;
    const isInside = byte >= 0x80 && byte < 0xc0;
    if (!isInside) return count < lengthFrom(byte) ? count : 0;
  }
  return 0;
}

/** Returns the length of the character that begins with this byte, or 1 if no longer character begins with it. */
function lengthFrom(first: number): number {
  if (first < 0xc2 || first > 0xf4) return 1;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}
