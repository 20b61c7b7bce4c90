// Writes into the lines of a history file which messages are replies, with the first messages of their threads (semantics §7).

import type { ThreadFigures } from '../../core/model/conversion.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import { NameTable } from '../../lib/typed-arrays.ts';
import type { TimedLine } from './earlier-conversion.ts';
import { type DecodableLine, decodeLines, envelopeOf } from './envelope.ts';
import { type Message, messagesOf, runsOf } from './merge.ts';
import { withParent } from './parent-text.ts';

export type ThreadCounts = { -readonly [Name in keyof ThreadFigures]: number };

export interface ThreadRules {
  /** What precedes the id of a message within the channel: `slack:C024BE91L:`. */
  readonly prefix: string;
  /** Whether a user can send messages in the channel. */
  canSend(userId: string): boolean;
}

export function noThreads(): ThreadCounts {
  return { replies: 0, deeper: 0, missing: 0, notices: 0, strangers: 0 };
}

/**
 * Yields the texts of the lines, those of replies with the first message of the thread. The lines are sorted by time. The
 * platform's threads have one level, so a reply to a reply belongs to the thread of that reply.
 */
export function* threadedLines(
  lines: Iterable<TimedLine>,
  { prefix, canSend }: ThreadRules,
  counts: ThreadCounts,
): Generator<string> {
  const places = new ThreadPlaces();
  for (const run of runsOf(lines)) {
    for (const message of messagesOf(run)) {
      const { id, value } = message;
      const target = targetOf(message);
      const place = target === undefined ? undefined : places.placeOf(`${prefix}${target}`);
      const isNotice = value.message_type === 'ADMM';
      let first: string | undefined;
      if (target !== undefined) {
        if (isNotice || place?.type === 'notice') counts.notices += 1;
        else if (place === undefined) counts.missing += 1;
        else if (typeof value.user_id !== 'string' || !canSend(value.user_id)) counts.strangers += 1;
        else {
          first = place.type === 'reply' ? place.first : `${prefix}${target}`;
          counts.replies += 1;
          if (place.type === 'reply') counts.deeper += 1;
        }
      }
      places.add(id, isNotice, first);
      for (const { text } of message.lines) yield first === undefined ? text : withParent(text, first);
    }
  }
}

type ThreadPlace = { readonly type: 'message' | 'notice' } | { readonly type: 'reply'; readonly first: string };

/** Where the messages so far are. Needs about twenty bytes for each, and more for replies. */
class ThreadPlaces {
  readonly #ids = new NameTable();
  readonly #notices = new Set<number>();
  readonly #firsts = new Map<number, string>();

  add(id: string, isNotice: boolean, first: string | undefined): void {
    const number = this.#ids.add(id);
    if (isNotice) this.#notices.add(number);
    if (first !== undefined) this.#firsts.set(number, first);
  }

  placeOf(id: string): ThreadPlace | undefined {
    const number = this.#ids.find(id);
    if (number === undefined) return undefined;
    const first = this.#firsts.get(number);
    if (first !== undefined) return { type: 'reply', first };
    return { type: this.#notices.has(number) ? 'notice' : 'message' };
  }
}

/** Returns the id, within the channel, of the message that a message answers: the first one of its thread if the source says so. */
function targetOf({ value, lines }: Message<TimedLine>): string | undefined {
  const envelope:
    | { readonly thread?: JsonValue; readonly reply_to?: JsonValue; readonly json?: JsonValue }
    | undefined = envelopeOf(value);
  if (envelope === undefined) return undefined;
  // Facts that are too long for one envelope are spread over all lines.
  const parsed = (): DecodableLine[] => lines.map(({ text }) => JSON.parse(text) as JsonObject);
  const { thread, reply_to: answered } = envelope.json === undefined ? envelope : ([...decodeLines(parsed())][0] ?? {});
  const target = thread ?? answered;
  return typeof target === 'string' ? target : undefined;
}
