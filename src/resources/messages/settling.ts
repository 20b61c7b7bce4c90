// Finds out which messages of a call in doubt are on the platform, by time, sender, type and content (semantics §5.5).
import { isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { ApiRequest, MessagesPlaceholder, Settle } from '../../model/request.ts';
import { type ArchiveLine, likeness, likenessOfLine } from './line.ts';

/** The outcome of a page: another one is needed, or it is known what is there. */
export type SearchProgress =
  | { readonly type: 'page'; readonly request: ApiRequest }
  /** The messages at these places of a batch are missing. */
  | { readonly type: 'missing'; readonly places: readonly number[] }
  /** The message to change, with its new fields, or to delete. */
  | { readonly type: 'message'; readonly id: string; readonly body?: JsonObject }
  | { readonly type: 'done'; readonly note?: string }
  /** The message to change or to delete cannot be told. */
  | { readonly type: 'lost'; readonly why: string };

/**
 * Walks over a channel's messages from the first time of a call to the last, and counts what it finds. Earlier lines of
 * the archive with the same likeness are surely there and come first, so they are not counted for this call.
 */
export class MessageSearch {
  readonly #lines: readonly ArchiveLine[];
  readonly #placeholder: MessagesPlaceholder;
  readonly #later: readonly number[];
  readonly #walk: MessageWalk;
  readonly #found = new Map<string, number>();

  constructor(lines: readonly ArchiveLine[], placeholder: MessagesPlaceholder, settle: Settle) {
    this.#lines = lines;
    this.#placeholder = placeholder;
    this.#later = settle.later ?? [];
    this.#walk = new MessageWalk(settle.read, settle.until);
  }

  take(page: JsonObject): SearchProgress {
    const { messages, next } = this.#walk.take(page);
    for (const message of messages) {
      const known = likenessOfMessage(message);
      this.#found.set(known, (this.#found.get(known) ?? 0) + 1);
    }
    if (next !== undefined) return { type: 'page', request: next };
    return { type: 'missing', places: this.#missing() };
  }

  /** Lines among which a few are inserted are there already, also behind them. */
  #missing(): number[] {
    const { only, repeats } = this.#placeholder;
    const sent = new Set(only ?? this.#lines.keys());
    const others = new Map<string, number>();
    for (const [place, line] of this.#lines.entries()) {
      const known = likenessOfLine(line);
      if (!sent.has(place) && !this.#later.includes(place)) others.set(known, (others.get(known) ?? 0) + 1);
    }
    const before = new Map<string, number>();
    return this.#lines.flatMap((line, place) => {
      const known = likenessOfLine(line);
      const earlier = before.get(known) ?? (repeats?.[String(place)] ?? 0) + (others.get(known) ?? 0);
      if (!before.has(known)) before.set(known, earlier);
      if (!sent.has(place)) return [];
      before.set(known, earlier + 1);
      return (this.#found.get(known) ?? 0) > earlier ? [] : [place];
    });
  }
}

/** The call reduced to the missing messages. */
export function withOnly(request: ApiRequest, missing: readonly number[]): ApiRequest {
  const holes = (request.holes ?? []).map((hole) => (hole.type === 'messages' ? { ...hole, only: missing } : hole));
  return { ...request, holes };
}

/** The call with the message that was found. */
export function withMessage(request: ApiRequest, id: string, body: JsonObject | undefined): ApiRequest {
  const found = { ...request, params: { ...request.params, message_id: id } };
  return body === undefined ? found : { ...found, body };
}

/** The likeness of a message as a list shows it. */
export function likenessOfMessage({ type = null, created_at: time = null, user, message, file }: JsonObject): string {
  const sender = isObject(user) ? (user.user_id ?? null) : null;
  const content = type === 'FILE' ? (isObject(file) ? file.url : undefined) : message;
  return likeness(type, time, sender, content ?? null);
}

/** What an archive calls `data`, and for files `custom_field`: a list shows that as the message's data, or the file's. */
export function dataOfMessage({ type, data, file }: JsonObject): string {
  const own = typeof data === 'string' ? data : '';
  if (own !== '' || type !== 'FILE' || !isObject(file)) return own;
  return typeof file.data === 'string' ? file.data : '';
}

/**
 * Goes from page to page by the time of each page's last message; messages of that time come again and are dropped. When a
 * full page brings nothing new, more messages share one time than a page holds, and the walk goes on by message_id.
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
    const { message_ts: _time, message_id: _id, ...query } = this.#first.query ?? {};
    return { ...this.#first, query: { ...query, ...anchor } };
  }
}

const pageSize = 200;
