// Lines of a history file that a plan names by their range of the file, and the messages that are sent for them.
import { digestText } from '../../../lib/digest.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { type HistoryFileLine, lineFrom, lineMark, messageOf, withoutThread } from './line.ts';

/** The source of a list of messages (`Placeholder`). */
// A type, because the compiler does not take an interface for plain JSON.
export type PlannedLines = {
  /** Relative to the working folder, with `/`. */
  readonly file: string;
  readonly gzip?: true;
  /** Lines with a parent are replies. Without it, none is. */
  readonly threads?: true;
  /** The target channel, which is part of each message's fingerprint. */
  readonly channel: string;
  /** The range of bytes in the unpacked file. The first `skip` lines of the range are left out. */
  readonly offset: number;
  readonly bytes: number;
  readonly skip: number;
  readonly count: number;
  /** The digest of the fingerprints of the lines. */
  readonly digest: string;
  /** By index among these lines, the number of earlier lines with the same likeness; 0 where absent. */
  readonly repeats?: Readonly<Record<string, number>>;
  /** Indexes of the lines to send, if the messages of others have already arrived. */
  readonly only?: readonly number[];
  /** The number of the call, if an earlier message may have the same dedup_id. It becomes a part of each one. */
  readonly call?: number;
};

export function plannedLines(source: JsonObject): PlannedLines {
  return source as PlannedLines;
}

/** `text` is the range of the unpacked file. Returns undefined if its lines changed since the plan. */
export function linesOfRange(text: string, planned: PlannedLines): readonly HistoryFileLine[] | undefined {
  const lines = text
    .split('\n')
    .slice(planned.skip, planned.skip + planned.count)
    .map(parse);
  const whole = lines.filter((line): line is HistoryFileLine => line !== undefined);
  if (whole.length !== planned.count) return undefined;
  if (digestText(whole.map(lineMark).join('')) !== planned.digest) return undefined;
  return planned.threads === true ? whole : whole.map(withoutThread);
}

/** Returns the messages that are sent for these lines. */
export function messagesOfLines(
  lines: readonly HistoryFileLine[],
  { channel, repeats, only, call }: PlannedLines,
): JsonObject[] {
  const messages = lines.map(
    (line, place): JsonObject => messageOf(line, channel, repeats?.[String(place)] ?? 0, call),
  );
  return only === undefined ? messages : messages.filter((_message, place) => only.includes(place));
}

function parse(text: string): HistoryFileLine | undefined {
  try {
    // A byte order mark may precede the first line.
    const value = JSON.parse(text.replace(/^\ufeff/u, '')) as JsonValue;
    return isObject(value) ? lineFrom(value) : undefined;
  } catch {
    return undefined;
  }
}
