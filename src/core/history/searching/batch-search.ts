// Determines which messages of a call in doubt have arrived, by time, sender, type and content (semantics §5.5).
import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { chatformCommand, onlyAddress } from '../../../lib/tools/pasted-words.ts';
import type { ApiRequest, Search } from '../../model/request.ts';
import { isLikeAsAWhole } from '../comparing/compared-fields.ts';
import { likenessOfMessage, parentOfMessage } from '../comparing/shown-message.ts';
import { type HistoryFileLine, inThread, threadLikeness } from '../lines/line.ts';
import type { PlannedLines } from '../lines/range.ts';
import { type MessageSearch, messageSearchOf } from '../sending/message-search.ts';

/** The outcome of one page of a search. */
export type SearchProgress =
  | { readonly type: 'page'; readonly request: ApiRequest }
  /** The messages at these indexes of a batch are missing. */
  | { readonly type: 'missing'; readonly places: readonly number[]; readonly isClear?: true }
  /** The message to delete, or to change to `body`, and what of it the query names. */
  | ({ readonly type: 'message'; readonly id: string } & Pick<ApiRequest, 'body' | 'query'>)
  /** The message to send as a reply. */
  | { readonly type: 'reply'; readonly body: JsonObject }
  | { readonly type: 'done'; readonly note?: string }
  /** The message to change or to delete cannot be identified. */
  | { readonly type: 'lost'; readonly why: string };

/**
 * Lists a channel's messages from the first time of a call to the last, and counts what it finds. Earlier lines of the
 * history file with the same likeness have arrived and come first, so they do not count for this call. The likeness decides how
 * many messages are missing. Among several, their other fields decide which.
 */
export class BatchSearch {
  readonly #lines: readonly HistoryFileLine[];
  readonly #planned: PlannedLines;
  readonly #later: readonly number[];
  readonly #walk: MessageWalk;
  /** The times of the later calls, for a call of which nothing may have arrived. */
  readonly #rest: MessageSearch['rest'];
  #isClear = true;
  /** Found messages by likeness. */
  readonly #found = new Map<string, JsonObject[]>();

  /** `lines` are those of `planned`. `isFresh`: the call was never sent. */
  constructor(lines: readonly HistoryFileLine[], planned: PlannedLines, search: Search, isFresh: boolean) {
    const { later = [], rest } = messageSearchOf(search);
    this.#lines = lines;
    this.#planned = planned;
    this.#later = later;
    this.#rest = isFresh ? rest : undefined;
    this.#walk = new MessageWalk(search.read, search.until);
  }

  take(page: JsonObject): SearchProgress {
    const { messages, next, isCircular } = this.#walk.take(page);
    if (isCircular === true) return { type: 'lost', why: circularList };
    for (const message of messages) addTo(this.#found, this.#likenessOf(message), message);
    if (this.#rest !== undefined && mayHideLater(page, this.#rest)) this.#isClear = false;
    if (next !== undefined) return { type: 'page', request: next };
    const places = this.#missing();
    if (this.#rest === undefined) return { type: 'missing', places };
    const count = this.#planned.only?.length ?? this.#lines.length;
    if (places.length < count)
      return { type: 'lost', why: alreadyThere(this.#planned.channel, count - places.length, count) };
    return { type: 'missing', places, ...(this.#isClear ? { isClear: true } : {}) };
  }

  #likenessOf(message: JsonObject): string {
    const isReply = this.#planned.threads === true && parentOfMessage(message) !== undefined;
    return inThread(likenessOfMessage(message), isReply);
  }

  /** Lines around inserted ones have already arrived, including those after them. */
  #missing(): number[] {
    const { only, repeats } = this.#planned;
    const sent = new Set(only ?? this.#lines.keys());
    const places = new Map<string, number[]>();
    for (const [place, line] of this.#lines.entries()) addTo(places, threadLikeness(line), place);
    const missing = [...places].flatMap(([known, alike]) => {
      const places = alike.filter((place) => sent.has(place));
      const others = alike.filter((place) => !sent.has(place) && !this.#later.includes(place));
      const found = this.#found.get(known) ?? [];
      const earlier = (repeats?.[String(alike[0])] ?? 0) + others.length;
      const count = places.length - Math.max(0, found.length - earlier);
      return count <= 0 ? [] : this.#unlike(found, others, places).slice(0, count);
    });
    return missing.sort((left, right) => left - right);
  }

  /** Sorts indexes of one likeness: first those whose other fields match no message, each group from the last one. */
  #unlike(found: readonly JsonObject[], others: readonly number[], places: readonly number[]): number[] {
    const unmatched = [...found];
    const isThere = (place: number): boolean => {
      const line = this.#lines[place];
      const at = line === undefined ? -1 : unmatched.findIndex((message) => isLikeAsAWhole(line, message));
      if (at >= 0) unmatched.splice(at, 1);
      return at >= 0;
    };
    others.forEach(isThere);
    const there = new Set(places.filter(isThere));
    const last = [...places].reverse();
    return [...last.filter((place) => !there.has(place)), ...last.filter((place) => there.has(place))];
  }
}

/** Whether the page has a message in the time of later calls, or is full of earlier ones, behind which there may be one. */
function mayHideLater(
  page: JsonObject,
  { from = Number.NEGATIVE_INFINITY, until }: NonNullable<MessageSearch['rest']>,
): boolean {
  const shown = (isList(page.messages) ? page.messages : []).filter(isObject);
  const times = shown.flatMap(({ created_at: time }) => (typeof time === 'number' ? [time] : []));
  if (times.some((time) => time >= from && time <= until)) return true;
  return shown.length >= pageSize && times.every((time) => time < from);
}

function alreadyThere(channel: string, there: number, count: number): string {
  return `the channel already shows ${there} of the ${count} messages of this call, and state does not know that they were sent; ${chatformCommand('adopt', onlyAddress(`messages.${channel}`))} takes into state what is there, and the next apply sends the rest`;
}

function addTo<T>(lists: Map<string, T[]>, name: string, value: T): void {
  const known = lists.get(name);
  if (known === undefined) lists.set(name, [value]);
  else known.push(value);
}

/** How far a walk has come: the last time, and the ids of the messages at it. */
export interface WalkPlace {
  readonly time: number;
  readonly seen: readonly JsonValue[];
}

/**
 * Pages by the time of each page's last message, and drops the messages of that time that appear again. If a full page
 * contains nothing new, more messages share one time than fit into a page, and paging continues by message_id.
 */
export class MessageWalk {
  readonly #first: ApiRequest;
  readonly #until: number;
  /** The ids of the messages at the last time. */
  #seen = new Set<JsonValue>();
  #lastTime = Number.NEGATIVE_INFINITY;
  /** The anchors of pages since the last new message. */
  readonly #anchors = new Set<JsonValue>();

  /** `from`: the place of an earlier walk, which this one continues with the page that begins there. */
  constructor(first: ApiRequest, until: number, from?: WalkPlace) {
    this.#first = first;
    this.#until = until;
    if (from === undefined) return;
    this.#lastTime = from.time;
    this.#seen = new Set(from.seen);
  }

  /** Undefined before the first message. */
  get place(): WalkPlace | undefined {
    return this.#seen.size === 0 ? undefined : { time: this.#lastTime, seen: [...this.#seen] };
  }

  /**
   * Returns the page's new messages up to the end of the range, and the next page if there is one. `isCircular`: full pages lead
   * to pages that were already read, so messages may be missing.
   */
  take(page: JsonObject): {
    readonly messages: readonly JsonObject[];
    readonly next: ApiRequest | undefined;
    readonly isCircular?: true;
  } {
    const shown = (isList(page.messages) ? page.messages : []).filter(isObject);
    const messages: JsonObject[] = [];
    const begin = this.#lastTime;
    let isOver = shown.length === 0;
    for (const message of shown) {
      const { message_id: id = null, created_at: time } = message;
      if (typeof time !== 'number' || time < begin || this.#seen.has(id)) continue;
      if (time > this.#until) {
        isOver = true;
        break;
      }
      if (time > this.#lastTime) {
        this.#lastTime = time;
        this.#seen = new Set();
      }
      this.#seen.add(id);
      messages.push(message);
    }
    if (isOver) return { messages, next: undefined };
    if (messages.length > 0) {
      this.#anchors.clear();
      return { messages, next: this.#from({ message_ts: String(this.#lastTime), include: 'true' }) };
    }
    const last = shown.at(-1)?.message_id;
    if (shown.length < pageSize || last === undefined) return { messages, next: undefined };
    if (this.#anchors.has(last)) return { messages, next: undefined, isCircular: true };
    this.#anchors.add(last);
    return { messages, next: this.#from({ message_id: String(last), include: 'false' }) };
  }

  #from(anchor: Readonly<Record<string, string>>): ApiRequest {
    const { message_ts: _time, message_id: _id, ...query } = this.#first.query ?? {};
    return { ...this.#first, query: { ...query, ...anchor } };
  }
}

export const circularList =
  'the list of messages leads in a circle: full pages show only messages that were already read, so others may be missing';

/** The number of messages on a full page. */
export const pageSize = 200;
