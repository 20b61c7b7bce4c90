// Reads values from a JSON text of any size while it arrives, without keeping the whole text.
import { type ParsedElementInfo, Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import type { JsonValue } from './json.ts';
import { Utf8Check } from './utf8-check.ts';

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
 * piece, and throws after that a `JsonStreamError`.
 */
export async function* streamElements(
  pieces: AsyncIterable<Uint8Array>,
  paths: readonly string[],
  take: (found: ParsedElementInfo) => void,
  tokenizer: Tokenizer = new Tokenizer({ stringBufferSize }),
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
