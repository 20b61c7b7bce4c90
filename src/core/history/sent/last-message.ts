// Compares the last message that a channel shows with the lines that were sent (semantics §7).
//
// State keeps fingerprints, so that an answer proves that the last line is there, or that it was edited. Its text is compared by
// `chatform verify` alone.

import { shortMarkLength } from '../../../lib/digest.ts';
import { isObject, type JsonObject } from '../../../lib/json.ts';
import { idsOf, timeIn } from '../../kinds/definition/values.ts';
import type { LastMessage } from '../../model/live.ts';
import { parentOfMessage } from '../comparing/shown-message.ts';
import { type HistoryFileLine, identityOfLine, lineMark } from '../lines/line.ts';
import { markLength, seenMark } from '../lines/line-mark.ts';
import { sentOf } from './recorded-calls.ts';

/**
 * The last sent line of a history file and its readers, by a record of messages. Replies and silent lines after it may be shown or not,
 * depending on the platform.
 */
export interface SentHistory {
  /** The last line, and those that may be shown in its place. Several calls may end at the same time. */
  readonly lines: readonly Pick<LastMessage, 'at' | 'identity' | 'mark'>[];
  /** The time of the last line that is neither a reply nor silent, in Unix milliseconds. */
  readonly at: number;
  /** Whether chatform may have edited the message, or not know what it sent. */
  readonly isUncertain: boolean;
  /** Who was marked as having read it. Absent: nobody. */
  readonly readers?: MarkedReaders;
}

/** All members, or those with these ids. */
export type MarkedReaders = 'all' | readonly string[];

/**
 * The named readers whose receipt is older than `at` (Unix milliseconds). Undefined if the receipts cannot tell: members who joined
 * later have none of their own, so an old one is a loss only for a reader whom a list names.
 */
export function readersBehind(
  readers: MarkedReaders,
  receipts: ReadonlyMap<string, number>,
  at: number,
): readonly string[] | undefined {
  const comparable = readers === 'all' ? [...receipts.keys()] : readers.filter((id) => receipts.has(id));
  const behind = comparable.filter((id) => (receipts.get(id) ?? 0) < at);
  return comparable.length === 0 || (readers === 'all' && behind.length > 0) ? undefined : behind;
}

/** Undefined if nothing was sent that a channel has to show. */
export function sentHistoryOf(remembered: JsonObject): SentHistory | undefined {
  const sent = sentOf(remembered);
  const shownCalls = sent.calls.filter(({ isQuiet }) => isQuiet !== true);
  if (shownCalls.length === 0) return undefined;
  const at = shownCalls.reduce((latest, { last }) => Math.max(latest, last), 0);
  const calls = sent.calls.filter(({ last }) => last >= at);
  const isUncertain =
    sent.isChanged || sent.isRestored || sent.hasArrays || sent.unsureTo > 0 || calls.some(({ isUnsure }) => isUnsure);
  const { mark_as_read: read } = remembered;
  const declaredReaders = idsOf(remembered, 'mark_as_read');
  const lines = calls.map(({ last, identities, marks }) => ({
    at: last,
    identity: identities.slice(-shortMarkLength),
    mark: seenMark(marks.slice(-markLength)),
  }));
  return {
    lines,
    at,
    isUncertain,
    ...(read === true ? { readers: 'all' } : declaredReaders.length > 0 ? { readers: declaredReaders } : {}),
  };
}

/** Returns what an answer about a channel shows of its last message. Null: it has none. Undefined: the answer does not say. */
export function lastMessageIn({ last_message: message }: JsonObject): LastMessage | null | undefined {
  if (message === null) return null;
  const at = isObject(message) ? timeIn(message, 'created_at') : undefined;
  if (!isObject(message) || at === undefined) return undefined;
  const { type, user, file, message: text } = message;
  const parent = parentOfMessage(message);
  const line = {
    message_type: type ?? null,
    timestamp: at,
    user_id: isObject(user) ? (user.user_id ?? null) : null,
    message: text ?? '',
    ...(isObject(file) ? { url: file.url ?? null } : {}),
    ...(parent === undefined ? {} : { parent: String(parent) }),
  } as HistoryFileLine;
  return {
    at,
    identity: identityOfLine(line),
    mark: seenMark(lineMark(line)),
    ...(typeof message.updated_at === 'number' ? { is_edited: message.updated_at > 0 } : {}),
  };
}

/**
 * `there`: the last line. `edited`: by others. `absent`: the channel shows an earlier message or none, which is a loss only where
 * the platform shows migrated messages here (platform §18). `untold`: a later message, another one of the same time, or too little is known.
 */
export function lastLineIn(
  { lines, at, isUncertain }: SentHistory,
  shown: LastMessage | null | undefined,
): 'there' | 'edited' | 'absent' | 'untold' {
  if (shown === undefined) return 'untold';
  if (shown === null || shown.at < at) return isUncertain ? 'untold' : 'absent';
  const linesOfMessage = lines.filter((line) => line.at === shown.at && line.identity === shown.identity);
  if (linesOfMessage.length === 0) return 'untold';
  if (linesOfMessage.some(({ mark }) => mark === shown.mark)) return 'there';
  if (isUncertain || shown.is_edited === undefined) return 'untold';
  return shown.is_edited ? 'edited' : 'there';
}
