// Decodes archives: gives the facts of the source back from the envelopes of their lines.
import { closeSync, openSync, readSync } from 'node:fs';
import { isObject, type JsonValue } from '../lib/json.ts';
import { readLines } from '../lib/line-reader.ts';
import { type DecodableLine, decodeLines } from './envelope.ts';
import type { MessageFacts } from './model.ts';

/** Lines that are no JSON object, and those without an envelope, are passed over. */
export function* decodeArchive(file: string): Generator<MessageFacts> {
  const descriptor = openSync(file, 'r');
  try {
    yield* decodeLines(objectsOf((into, position) => readSync(descriptor, into, 0, into.length, position)));
  } finally {
    closeSync(descriptor);
  }
}

function* objectsOf(read: (into: Uint8Array, position: number) => number): Generator<DecodableLine> {
  for (const lines of readLines(read)) {
    for (const { text = '' } of lines) {
      const value = parse(text);
      if (isObject(value)) yield value;
    }
  }
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
