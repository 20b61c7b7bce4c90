// Finds the first message of a thread, and whether a reply of the thread has arrived (semantics §7).
import { isList, isObject, type JsonObject } from '../../../lib/json.ts';
import type { Search } from '../../model/request.ts';
import type { HistoryFileLine } from '../lines/line.ts';
import { messagesOfLines } from '../lines/range.ts';
import type { ReplyLine, Target } from '../sending/message-search.ts';
import { BatchSearch, type SearchProgress } from './batch-search.ts';
import { TargetSearch } from './target-search.ts';

/** Reads the time of the first message, and then that of the reply, unless the first page shows both. */
export class ReplySearch {
  readonly #parent: TargetSearch;
  readonly #own: BatchSearch;
  readonly #lines: readonly HistoryFileLine[];
  readonly #reply: ReplyLine;
  readonly #read: Search['read'];
  /** The `message_id` of the first message, once it is found. */
  #parentId: string | undefined;

  /** `parentLines` are those of `target.lines`, `ownLines` those of `reply.lines`. */
  constructor(
    parentLines: readonly HistoryFileLine[],
    ownLines: readonly HistoryFileLine[],
    target: Target,
    reply: ReplyLine,
    search: Search,
  ) {
    const { lines, time, later = [], isChanged } = reply;
    const { query } = search.read;
    this.#parent = new TargetSearch(parentLines, target, search);
    this.#lines = ownLines;
    this.#reply = reply;
    this.#read = {
      ...search.read,
      query: { ...query, message_ts: String(time), ...(isChanged === true ? { including_removed: 'false' } : {}) },
    };
    this.#own = new BatchSearch(
      ownLines,
      lines,
      { ...search, read: this.#read, until: time, content: { later } },
      false,
    );
  }

  take(page: JsonObject): SearchProgress {
    if (this.#parentId !== undefined) return this.#missing(this.#own.take(page), this.#parentId);
    const progress = this.#parent.take(page);
    if (progress.type !== 'message') return progress;
    this.#parentId = progress.id;
    // A deleted reply counts as arrived, unless it may be sent again.
    const isEnough = this.#reply.isChanged !== true && showsBehind(page, this.#reply.time);
    return isEnough ? this.#missing(this.#own.take(page), progress.id) : { type: 'page', request: this.#read };
  }

  #missing(progress: SearchProgress, parentId: string): SearchProgress {
    if (progress.type !== 'missing') return progress;
    if (progress.places.length === 0) return { type: 'done', note: 'found on the platform' };
    const [message = {}] = messagesOfLines(this.#lines, this.#reply.lines);
    return { type: 'reply', body: replyBody(message, parentId) };
  }
}

/** Whether a page that begins before a time has a message after it, so that it shows all messages of that time. */
function showsBehind({ messages }: JsonObject, time: number): boolean {
  const listedMessages = (isList(messages) ? messages : []).filter(isObject);
  return listedMessages.some(({ created_at: sent }) => typeof sent === 'number' && sent > time);
}

/** Returns a migrated message in the form of the call that sends one message. Nobody is notified. */
function replyBody({ timestamp = 0, custom_field, ...message }: JsonObject, parentId: string): JsonObject {
  return {
    ...message,
    ...(custom_field === undefined ? {} : { data: custom_field }),
    created_at: timestamp,
    parent_message_id: Number(parentId),
    send_push: false,
    is_silent: true,
  };
}
