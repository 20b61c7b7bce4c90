// Makes the messages of a placeholder from the text of its range of the archive.
import { digestText } from '../../lib/digest.ts';
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { MessagesPlaceholder } from '../../model/request.ts';
import { type ArchiveLine, lineFrom, lineMark, messageOf } from './line.ts';

/** `text` is the range of the unpacked file. Returns undefined if its lines changed since the plan. */
export function linesOfRange(text: string, placeholder: MessagesPlaceholder): readonly ArchiveLine[] | undefined {
  const lines = text
    .split('\n')
    .slice(placeholder.skip, placeholder.skip + placeholder.count)
    .map(parse);
  const whole = lines.filter((line): line is ArchiveLine => line !== undefined);
  if (whole.length !== placeholder.count) return undefined;
  if (digestText(whole.map(lineMark).join('')) !== placeholder.digest) return undefined;
  return whole;
}

/** Returns the messages that are sent for these lines. */
export function messagesOfPlaceholder(
  lines: readonly ArchiveLine[],
  { channel, repeats, only, call }: MessagesPlaceholder,
): JsonObject[] {
  const messages = lines.map(
    (line, place): JsonObject => messageOf(line, channel, repeats?.[String(place)] ?? 0, call),
  );
  return only === undefined ? messages : messages.filter((_message, place) => only.includes(place));
}

function parse(text: string): ArchiveLine | undefined {
  try {
    // A byte order mark may precede the first line.
    const value = JSON.parse(text.replace(/^\ufeff/u, '')) as JsonValue;
    return isObject(value) ? lineFrom(value) : undefined;
  } catch {
    return undefined;
  }
}
