// Reads the lines of an export in JSONL, as a stream: each parsed, with its number.
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { Utf8Check } from '../../lib/utf8-check.ts';

interface ParsedLine {
  /** From 1. */
  readonly number: number;
  /** Undefined when the line is not a JSON object, or not UTF-8. */
  readonly value: JsonObject | undefined;
}

export interface ParsedLines {
  readonly lines: readonly ParsedLine[];
  readonly bytes: number;
}

/** Empty lines are passed over. `wants` decides by the text whether a line is parsed at all. */
export async function* parsedLines(
  pieces: AsyncIterable<Uint8Array>,
  wants: (text: string) => boolean = () => true,
): AsyncGenerator<ParsedLines> {
  const decoder = new TextDecoder();
  const utf8 = new Utf8Check();
  /** What is read holds bytes that are not UTF-8. The decoder puts U+FFFD in their place, which may stand in a text as well. */
  let isDamaged = false;
  let rest = '';
  let number = 0;
  const linesIn = (texts: readonly string[]): ParsedLine[] =>
    texts.flatMap((text) => {
      number += 1;
      return text.trim() === '' || !wants(text)
        ? []
        : [{ number, value: isDamaged && text.includes('\uFFFD') ? undefined : parsedObject(text) }];
    });
  for await (const piece of pieces) {
    isDamaged = utf8.good(piece) < piece.length || (isDamaged && rest.includes('\uFFFD'));
    const texts = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = texts.pop() ?? '';
    yield { lines: linesIn(texts), bytes: piece.length };
  }
  yield { lines: linesIn([rest]), bytes: 0 };
}

function parsedObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
