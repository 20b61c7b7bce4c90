// Which messages of a call in doubt are on the platform? Compared by time, sender, type and content (semantics §5.5).
import { isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { ApiRequest, MessagesPlaceholder, Settle } from '../../model/request.ts';
import { type ArchiveLine, likeness, likenessOfLine } from './line.ts';
import { listQuery } from './migration.ts';

/** What is known after a page: another one is needed, or these places among the messages are missing. */
export type Looked =
  | { readonly type: 'page'; readonly request: ApiRequest }
  | { readonly type: 'found'; readonly missing: readonly number[] };

/**
 * The walk over a channel's messages, from the first time of a call to the last, and the count of what it met. Earlier
 * lines of the archive that look the same are surely there, and come first: so many are not counted for this call.
 */
export class Look {
  readonly #lines: readonly ArchiveLine[];
  readonly #hole: MessagesPlaceholder;
  readonly #walk: MessageWalk;
  readonly #met = new Map<string, number>();

  constructor(lines: readonly ArchiveLine[], hole: MessagesPlaceholder, settle: Settle) {
    this.#lines = lines;
    this.#hole = hole;
    this.#walk = new MessageWalk(settle.read, settle.until);
  }

  take(page: JsonObject): Looked {
    const { messages, next } = this.#walk.take(page);
    for (const message of messages) {
      const known = likenessOfMessage(message);
      this.#met.set(known, (this.#met.get(known) ?? 0) + 1);
    }
    if (next !== undefined) return { type: 'page', request: next };
    const missing = this.#lines.flatMap((line, place) => {
      const before = this.#hole.repeats?.[String(place)] ?? 0;
      return (this.#met.get(likenessOfLine(line)) ?? 0) > before ? [] : [place];
    });
    return { type: 'found', missing };
  }
}

/** The call with the missing messages alone. */
export function withOnly(request: ApiRequest, missing: readonly number[]): ApiRequest {
  const holes = (request.holes ?? []).map((hole) => (hole.type === 'messages' ? { ...hole, only: missing } : hole));
  return { ...request, holes };
}

/** A message as a list shows it. */
export function likenessOfMessage({ type = null, created_at: time = null, user, message, file }: JsonObject): string {
  const sender = isObject(user) ? (user.user_id ?? null) : null;
  const content = type === 'FILE' ? (isObject(file) ? file.url : undefined) : message;
  return likeness(type, time, sender, content ?? null);
}

/**
 * Goes from page to page, by the time of the last message of each: those of that time come again and are dropped. Where a
 * page brings nothing new and is full, more share one time than a page holds, and the walk goes on behind the last of them.
 */
export class MessageWalk {
  readonly #first: ApiRequest;
  readonly #until: number;
  /** Ids of the messages at the last time. */
  #seen = new Set<JsonValue>();
  #lastTime = Number.NEGATIVE_INFINITY;

  constructor(first: ApiRequest, until: number) {
    this.#first = first;
    this.#until = until;
  }

  /** The page's new messages up to the end of the walk, and the next page; undefined at the end. */
  take(page: JsonObject): { readonly messages: readonly JsonObject[]; readonly next: ApiRequest | undefined } {
    const shown = (isList(page.messages) ? page.messages : []).filter(isObject);
    const messages: JsonObject[] = [];
    let isOver = shown.length === 0;
    for (const message of shown) {
      const { message_id: id = null, created_at: time } = message;
      if (typeof time !== 'number' || this.#seen.has(id)) continue;
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
    if (messages.length > 0)
      return { messages, next: this.#from({ message_ts: String(this.#lastTime), include: 'true' }) };
    const last = shown.at(-1)?.message_id;
    if (shown.length < pageSize || last === undefined) return { messages, next: undefined };
    return { messages, next: this.#from({ message_id: String(last), include: 'false' }) };
  }

  #from(anchor: Readonly<Record<string, string>>): ApiRequest {
    return { ...this.#first, query: listQuery(anchor) };
  }
}

const pageSize = 200;
