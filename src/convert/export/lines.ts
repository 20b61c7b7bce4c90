// Reads the lines of an export in JSONL, as a stream: each parsed, with its number.
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { type Line, readStreamLines } from '../../lib/line-reader.ts';
import { isTooDeep } from './values.ts';

/** A line of Mattermost holds a whole thread. What is longer is a file of another kind. */
const maxLineBytes = 64 << 20;

interface ParsedLine {
  /** From 1. */
  readonly number: number;
  /** Undefined when the line is not a JSON object, not UTF-8 or too long. */
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
  let read = 0;
  for await (const lines of readStreamLines(pieces, maxLineBytes)) {
    const end = lines.at(-1)?.end ?? read;
    yield { lines: lines.flatMap((line) => parsedLine(line, wants)), bytes: end - read };
    read = end;
  }
}

function parsedLine({ line: number, text }: Line, wants: (text: string) => boolean): ParsedLine[] {
  if (text === undefined) return [{ number, value: undefined }];
  return text.trim() === '' || !wants(text) ? [] : [{ number, value: parsedObject(text) }];
}

function parsedObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isObject(value) && !isTooDeep(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
