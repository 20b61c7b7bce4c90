// Reads the lines of an export as a stream, and parses those of JSONL. Reads those of generated files at once.
import { closeSync, openSync, readSync } from 'node:fs';
import { type JsonObject, parsedObject } from '../../../lib/json.ts';
import { type FileLine, readLines, readStreamLines } from '../../../lib/line-reader.ts';
import { isTooDeep } from './values.ts';

/** A line of Mattermost contains a whole thread. A longer line is not text. */
const maxLineBytes = 64 << 20;

interface ParsedLine {
  /** From 1. */
  readonly number: number;
  /** Undefined if the line is not a JSON object, is not UTF-8 or is too long. */
  readonly value: JsonObject | undefined;
}

export interface ParsedLines {
  readonly lines: readonly ParsedLine[];
  readonly bytes: number;
}

export interface CountedLines {
  readonly lines: readonly FileLine[];
  readonly bytes: number;
}

/** The lines of each piece, with their bytes. Lines that are longer than `maxBytes` have no text. */
export async function* countedLines(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes = maxLineBytes,
): AsyncGenerator<CountedLines> {
  let read = 0;
  for await (const lines of readStreamLines(pieces, maxBytes)) {
    const end = lines.at(-1)?.end ?? read;
    yield { lines, bytes: end - read };
    read = end;
  }
}

/** Skips empty lines. `wants` decides by the text whether to parse a line. */
export async function* parsedLines(
  pieces: AsyncIterable<Uint8Array>,
  wants: (text: string) => boolean = () => true,
): AsyncGenerator<ParsedLines> {
  for await (const { lines, bytes } of countedLines(pieces))
    yield { lines: lines.flatMap((line) => parsedLine(line, wants)), bytes };
}

function parsedLine({ line: number, text }: FileLine, wants: (text: string) => boolean): ParsedLine[] {
  if (text === undefined) return [{ number, value: undefined }];
  return text.trim() === '' || !wants(text) ? [] : [{ number, value: shallowObject(text) }];
}

function shallowObject(text: string): JsonObject | undefined {
  const value = parsedObject(text);
  return value === undefined || isTooDeep(value) ? undefined : value;
}

/** The lines of a file on disk, one piece of it in memory. Throws when the file cannot be read. */
export function* linesOfFile(file: string): Generator<FileLine> {
  const descriptor = openSync(file, 'r');
  try {
    for (const lines of readLines((into, position) => readSync(descriptor, into, 0, into.length, position)))
      yield* lines;
  } finally {
    closeSync(descriptor);
  }
}
