// Finds the message that a call changes or deletes, among those of its time (semantics §7).
//
// The message paired with the line is the one to change (pairing.ts). A message without a line is the one to delete. Lines that
// were not sent yet are ignored.
import { compareText, equalJson, isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { Search } from '../../model/request.ts';
import { hasIdentity, shownReactions } from '../comparing/shown-message.ts';
import { type HistoryFileLine, identityOfLine, lineMark } from '../lines/line.ts';
import type { Target } from '../sending/message-search.ts';
import { circularList, MessageWalk, type SearchProgress } from './batch-search.ts';
import { type AlikeLines, pairLines } from './pairing.ts';

export class TargetSearch {
  readonly #alike: AlikeLines;
  readonly #target: Target;
  readonly #walk: MessageWalk;
  readonly #there: JsonObject[] = [];
  #isRemoved = false;

  /** `lines` are those of `target.lines`. */
  constructor(lines: readonly HistoryFileLine[], target: Target, search: Search) {
    const [first] = target.lines.only ?? [];
    const { late = [], unsure = [], edited = [], identity } = target;
    const ownLine = first === undefined ? undefined : lines[first];
    const at = (places: readonly number[]) => new Set(lines.filter((_line, place) => places.includes(place)));
    this.#alike = {
      lines: byMark(lines.filter((line, place) => !late.includes(place) && identityOfLine(line) === identity)),
      own: ownLine,
      unsure: at(unsure),
      edited: at(edited),
      arraysLeft: ownLine === undefined ? [] : arraysLeftFor(ownLine, target),
    };
    this.#target = target;
    this.#walk = new MessageWalk(search.read, search.until);
  }

  take(page: JsonObject): SearchProgress {
    const { messages, next, isCircular } = this.#walk.take(page);
    if (isCircular === true) return { type: 'lost', why: circularList };
    for (const message of messages) {
      if (!hasIdentity(message, this.#target.identity, this.#target.lines)) continue;
      if (message.is_removed === true) this.#isRemoved = true;
      else this.#there.push(message);
    }
    return next === undefined ? this.#found() : { type: 'page', request: next };
  }

  #found(): SearchProgress {
    const { mayBeAbsent = false } = this.#target;
    const { own: ownLine } = this.#alike;
    const { ofOwn, isSame, unmatched } = pairLines(this.#alike, this.#there, this.#target);
    if (ownLine === undefined) return this.#foundWithoutLine(unmatched);
    if (this.#target.metaArrays !== undefined && ofOwn !== undefined) return this.#foundArrays(ownLine, ofOwn);
    const isOnlyFound = this.#target.pin !== undefined || this.#target.reply !== undefined;
    if (isOnlyFound && ofOwn !== undefined) return found(ofOwn);
    if (this.#target.reaction !== undefined && ofOwn !== undefined) {
      const { how, key, user_id: user } = this.#target.reaction;
      const isThere = shownReactions(ofOwn)?.get(key)?.includes(user) === true;
      return isThere === (how === 'add') ? { type: 'done' } : found(ofOwn);
    }
    if (isSame || (ofOwn === undefined && mayBeAbsent)) return { type: 'done' };
    if (ofOwn !== undefined) return found(ofOwn, changeableFields(ownLine));
    return this.#isRemoved ? { type: 'done', note: 'was deleted on the platform' } : { type: 'lost', why: notThere };
  }

  /**
   * Each call deletes one of the `most` messages that are left for it and the calls behind it. If there are fewer, its message is
   * gone already: a call that took effect and is made again must not delete the message of the next one.
   */
  #foundWithoutLine(unmatched: readonly JsonObject[]): SearchProgress {
    const { most = unmatched.length } = this.#target;
    const [message] = unmatched;
    if (message === undefined || unmatched.length < most) return { type: 'done' };
    return unmatched.length > most ? { type: 'lost', why: tooMany(unmatched.length, most) } : found(message);
  }

  /** Keys are removed before those of the line are added, because no source says what a second call for a key does. */
  #foundArrays(line: HistoryFileLine, message: JsonObject): SearchProgress {
    const declared = line.sorted_metaarray ?? [];
    const shown = isList(message.sorted_metaarray) ? message.sorted_metaarray : [];
    const isAdded = this.#target.metaArrays === 'add';
    if (equalJson(declared, shown) || (!isAdded && shown.length === 0)) return { type: 'done' };
    if (isAdded) return found(message, { sorted_metaarray: declared });
    const keys = shown.flatMap((array) => (isObject(array) && typeof array.key === 'string' ? [array.key] : []));
    return { ...found(message), query: { keys: keys.join(',') } };
  }
}

/** Meta arrays are removed first, and an edit follows when those of the line are there. */
function arraysLeftFor({ sorted_metaarray: declared = [] }: HistoryFileLine, target: Target): readonly JsonValue[] {
  const { reaction, pin, reply } = target;
  if (target.metaArrays === 'remove' || [reaction, pin, reply].some((what) => what !== undefined)) return [];
  return target.metaArrays === 'add' ? [declared, []] : [declared];
}

/** Sorts lines of one identity, so that equal messages keep theirs when a later history file has the lines in another order. */
function byMark(lines: readonly HistoryFileLine[]): readonly HistoryFileLine[] {
  if (lines.length < 2) return lines;
  const marks = new Map(lines.map((line) => [line, lineMark(line)]));
  return [...lines].sort((left, right) => compareText(marks.get(left) ?? '', marks.get(right) ?? ''));
}

const notThere =
  'the platform has no message of this time, sender and type; chatform verify shows the differences; policy: {messages: {edited: keep}} leaves edited ones';

function tooMany(count: number, most: number): string {
  return `${count} messages on the platform have this time, sender and type and match no line of the history file, but only ${most} of them should be deleted, and chatform cannot tell which; policy: {messages: {deleted: keep}} leaves them all`;
}

function found(message: JsonObject, body?: JsonObject): Extract<SearchProgress, { type: 'message' }> {
  const { message_id: id } = message;
  return { type: 'message', id: String(id), ...(body === undefined ? {} : { body }) };
}

/** Returns the fields that the platform can change, in the form of its request (platform §6.2). */
function changeableFields(line: JsonObject): JsonObject {
  const { message_type, message, data, custom_field, custom_type, mentioned_user_ids } = line;
  return {
    message_type: message_type ?? '',
    ...(message_type === 'FILE' ? {} : { message: message ?? '' }),
    data: (message_type === 'FILE' ? custom_field : data) ?? '',
    custom_type: custom_type ?? '',
    mention_type: 'users',
    mentioned_user_ids: mentioned_user_ids ?? [],
  };
}
