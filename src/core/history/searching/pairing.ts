// Pairs the lines of one identity (type, time, sender, file) with the messages of the platform (semantics §7).
//
// The platform shows no dedup_id, and state keeps only fingerprints. So lines and messages are paired in rounds: first equal
// ones, then those with the same text, then the rest.
//
// The meta arrays of an edited message are changed by calls of their own before its other fields. Each of these calls pairs
// again and must find the same message, or an equal one. So lines that are edited later ignore meta arrays, and choose after
// lines whose messages are as declared. The own line chooses before them among messages with the meta arrays that its earlier
// calls have left.
import { equalJson, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { isAlike, isLikeAsAWhole, isLikeButForArrays, isLikeInAllFields } from '../comparing/compared-fields.ts';
import type { HistoryFileLine } from '../lines/line.ts';
import type { Target } from '../sending/message-search.ts';

/** The lines of one identity, in a fixed order. */
export interface AlikeLines {
  readonly lines: readonly HistoryFileLine[];
  /** The line whose message a call changes. Undefined if a message without a line is deleted. */
  readonly own: HistoryFileLine | undefined;
  /** Lines that may not have arrived. */
  readonly unsure: ReadonlySet<HistoryFileLine>;
  /** Lines whose messages are edited by later calls. */
  readonly edited: ReadonlySet<HistoryFileLine>;
  /** The meta arrays that earlier calls of the own line may have left in its message, the likeliest first. */
  readonly arraysLeft: readonly JsonValue[];
}

export interface Paired {
  readonly ofOwn: JsonObject | undefined;
  /** Whether the message of the own line is as declared. */
  readonly isSame: boolean;
  /** The messages without a line. */
  readonly unmatched: readonly JsonObject[];
}

type Fits = (line: HistoryFileLine, message: JsonObject) => boolean;
type Rounds = readonly [Fits, Fits, Fits, Fits, Fits];

function never(): boolean {
  return false;
}

function always(): boolean {
  return true;
}

const settledRounds: Rounds = [isLikeInAllFields, isLikeAsAWhole, isLikeButForArrays, isAlike, always];
const editedRounds: Rounds = [never, never, isLikeButForArrays, isAlike, always];
/** Before this round, messages equal their lines. */
const firstUnlike = 2;

export function pairLines(
  { lines, own: ownLine, unsure, edited, arraysLeft }: AlikeLines,
  there: readonly JsonObject[],
  { most = 0, mayBeAbsent }: Pick<Target, 'most' | 'mayBeAbsent'>,
): Paired {
  // Equal lines keep their messages, and those their reactions, if lines before the own one take the first message that fits,
  // and lines behind it the last one. The own line comes last, because another line may equal its new content.
  const place = ownLine === undefined ? lines.length : lines.indexOf(ownLine);
  const behind = lines.slice(place + 1).reverse();
  const others = [...lines.slice(0, place), ...behind];
  const isLater = (line: HistoryFileLine): boolean => unsure.has(line) || edited.has(line);
  let open = [
    ...others.filter((line) => !isLater(line)),
    ...others.filter(isLater),
    ...(ownLine === undefined ? [] : [ownLine]),
  ];
  // Lines that may not have arrived leave enough messages for the other lines, and for the messages to delete unless they equal
  // such a message. If they are missing in the end, they are sent.
  const spare = there.length - lines.filter((line) => !unsure.has(line)).length;
  const alike = spare - most;
  const equal = ownLine === undefined ? spare : alike + (mayBeAbsent === true ? 1 : 0);
  const mostUnsure = [equal, equal, alike, alike, 0];
  let unsureCount = 0;
  let ofOwn: JsonObject | undefined;
  let isSame = false;
  const unmatched = [...there];
  for (const round of settledRounds.keys()) {
    if (round === firstUnlike && ownLine !== undefined && ofOwn === undefined) {
      ofOwn = withArraysLeft(ownLine, unmatched, arraysLeft);
      if (ofOwn !== undefined) {
        unmatched.splice(unmatched.indexOf(ofOwn), 1);
        open = open.filter((line) => line !== ownLine);
      }
    }
    open = open.filter((line) => {
      const isUnsure = unsure.has(line);
      if (isUnsure && unsureCount >= (mostUnsure[round] ?? 0)) return true;
      const rounds = edited.has(line) ? editedRounds : settledRounds;
      const isFit = (message: JsonObject): boolean => rounds[round]?.(line, message) === true;
      const at = behind.includes(line) ? unmatched.findLastIndex(isFit) : unmatched.findIndex(isFit);
      if (at < 0) return true;
      const [message] = unmatched.splice(at, 1);
      if (isUnsure) unsureCount++;
      if (line === ownLine) {
        ofOwn = message;
        isSame = round < firstUnlike;
      }
      return false;
    });
  }
  return { ofOwn, isSame, unmatched };
}

function withArraysLeft(
  line: HistoryFileLine,
  messages: readonly JsonObject[],
  arraysLeft: readonly JsonValue[],
): JsonObject | undefined {
  for (const arrays of arraysLeft) {
    const having = messages.filter(({ sorted_metaarray: shown = [] }) => equalJson(shown, arrays));
    for (const isFit of [isLikeButForArrays, isAlike, always]) {
      const message = having.find((message) => isFit(line, message));
      if (message !== undefined) return message;
    }
  }
  return undefined;
}
