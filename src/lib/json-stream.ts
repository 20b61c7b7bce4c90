// Reads values from a JSON text of any size while it arrives, without keeping the whole text.
import { JSONParser, TokenType } from '@streamparser/json';
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
  let failure: Error | undefined;
  const parser = new JSONParser({ paths: [...paths], keepStack: false, stringBufferSize: 65_536 });
  parser.onValue = ({ key, value }) => {
    values.push({ key, value: value as JsonValue });
  };
  parser.onError = (error) => {
    failure = error;
  };
  let depth = 0;
  parser.onToken = ({ token }) => {
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth += 1;
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth -= 1;
    // Only an exception stops the parser within a piece.
    if (depth > maxDepth) throw new JsonStreamError(`its values are nested more than ${maxDepth} deep`, false);
  };
  const utf8 = new Utf8Check();
  for await (const piece of pieces) {
    const good = utf8.good(piece);
    try {
      if (!parser.isEnded) parser.write(good < piece.length ? piece.subarray(0, good) : piece);
    } catch (error) {
      if (!(error instanceof JsonStreamError)) throw error;
      failure = error;
    }
    if (good < piece.length) failure ??= new Error('the text is not UTF-8');
    yield { values, bytes: piece.length };
    if (failure !== undefined) throw new JsonStreamError(failure.message, false);
    values = [];
  }
  if (!parser.isEnded) throw new JsonStreamError('the text ends before the JSON does', true);
}
