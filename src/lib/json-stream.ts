// Reads values from a JSON text of any size while it arrives, without keeping the whole text.

import { isUtf8 } from 'node:buffer';
import { type ParsedElementInfo, Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import type { JsonValue } from './json.ts';

export interface StreamedValue {
  /** The property or the index of the value. */
  readonly key: string | number | undefined;
  readonly value: JsonValue;
}

export interface StreamedValues {
  readonly values: readonly StreamedValue[];
  /** The bytes read for this batch. */
  readonly bytes: number;
}

/** The parser's time grows with the square of the depth. */
const maxDepth = 1000;

/** The text is not JSON, is not UTF-8, is nested too deep, or is truncated (`isCut`). */
export class JsonStreamError extends Error {
  readonly isCut: boolean;

  constructor(message: string, isCut: boolean) {
    super(message);
    this.name = 'JsonStreamError';
    this.isCut = isCut;
  }
}

/** Yields one batch for each piece. `paths` are patterns such as `$.messages.*`. */
export async function* streamJson(
  pieces: AsyncIterable<Uint8Array>,
  paths: readonly string[],
): AsyncGenerator<StreamedValues> {
  let values: StreamedValue[] = [];
  const take = ({ key, value }: ParsedElementInfo) => void values.push({ key, value: value as JsonValue });
  for await (const bytes of streamElements(pieces, paths, take)) {
    yield { values, bytes };
    values = [];
  }
}

/** The longest text of which the tokenizer keeps a buffer. */
export const stringBufferSize = 65_536;

/**
 * Calls `take` as soon as a value is complete, while the values around it are still in memory. Yields the bytes of each
 * piece, and throws after that a `JsonStreamError`. `watch` sees each token before `take` sees the value that it ends.
 */
export async function* streamElements(
  pieces: AsyncIterable<Uint8Array>,
  paths: readonly string[],
  take: (found: ParsedElementInfo) => void,
  tokenizer: Tokenizer = new Tokenizer({ stringBufferSize }),
  watch?: (found: { readonly token: TokenType; readonly value: unknown }) => void,
): AsyncGenerator<number> {
  const parser = new TokenParser({ paths: [...paths], keepStack: false });
  parser.onValue = take;
  let failure: Error | undefined;
  tokenizer.onError = (error) => {
    failure ??= error;
  };
  let depth = 0;
  tokenizer.onToken = (found) => {
    const { token } = found;
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth += 1;
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth -= 1;
    // Only an exception stops the tokenizer within a piece. It goes to `onError`.
    if (depth > maxDepth) throw new Error(`its values are nested more than ${maxDepth} deep`);
    watch?.(found);
    parser.write(found);
  };
  const utf8 = new Utf8Check();
  for await (const piece of pieces) {
    const good = utf8.good(piece);
    tokenizer.write(good < piece.length ? piece.subarray(0, good) : piece);
    if (good < piece.length) failure ??= new Error('the text is not UTF-8');
    yield piece.length;
    if (failure !== undefined) throw new JsonStreamError(failure.message, false);
  }
  if (!parser.isEnded) throw new JsonStreamError('the text ends before the JSON does', true);
}

// Checks whether bytes that arrive in pieces are UTF-8. Decoders replace invalid bytes with U+FFFD without reporting them.

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
