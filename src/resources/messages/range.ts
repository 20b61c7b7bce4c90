// Which messages does a hole stand for, given the lines of its range? Undefined when they are no longer the planned ones.
import { digestText } from '../../lib/digest.ts';
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { MessagesPlaceholder } from '../../model/request.ts';
import { type ArchiveLine, lineMark, messageOf } from './line.ts';

/** `text`: the unpacked file from `offset` on, `bytes` long. */
export function linesOfRange(text: string, hole: MessagesPlaceholder): readonly ArchiveLine[] | undefined {
  const lines = text
    .split('\n')
    .slice(hole.skip, hole.skip + hole.count)
    .map(parse);
  const whole = lines.filter((line): line is ArchiveLine => line !== undefined);
  if (whole.length !== hole.count || digestText(whole.map(lineMark).join('')) !== hole.digest) return undefined;
  return whole;
}

/** What is sent of these lines. */
export function messagesOfPlaceholder(
  lines: readonly ArchiveLine[],
  { channel, repeats, only }: MessagesPlaceholder,
): JsonObject[] {
  const messages = lines.map((line, place): JsonObject => messageOf(line, channel, repeats?.[String(place)] ?? 0));
  return only === undefined ? messages : messages.filter((_message, place) => only.includes(place));
}

function parse(text: string): ArchiveLine | undefined {
  try {
    // A byte order mark may stand before the first line.
    const value = JSON.parse(text.replace(/^\ufeff/u, '')) as JsonValue;
    return isObject(value) ? (value as ArchiveLine) : undefined;
  } catch {
    return undefined;
  }
}
